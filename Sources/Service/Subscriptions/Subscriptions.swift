import Core
import Engine
import EventLog
import HTTPTypes
import Synchronization

/// What is offered of a partition.
struct Offer: Sendable {
    var events: [Event] = []
    var checkpoint: UInt64
    /// Of a stream whose parked event is tried again: they lie before the checkpoint.
    var isRetry = false
    /// Whether the journal was looked through to its end.
    var isAtHead = true
    /// No event to be offered lies behind those of the offer up to here.
    var through = UInt64.max
    /// The partition's ``PartitionState/version`` that it was made from.
    var version = 0
}

/// The subscriptions of a journal: who works off what, and how far they are (docs/service/subscriptions.md).
final class Subscriptions: Sendable {
    private struct Scan: Hashable {
        let name: String
        let partition: Int
        let definition: SubscriptionDefinition
    }

    /// What somebody waits for.
    enum Wake: Hashable, Sendable {
        case events
        case changed(SubscriptionState.Part)
    }

    let store: SubscriptionStore
    let bell: Bell<Wake>
    private let engine: EventEngine
    /// Up to where the journal is known to go; and who looks, once somebody waits.
    private let known = Mutex<UInt64>(0)
    private let watch = Mutex<Task<Void, Never>?>(nil)
    /// Up to where no event of a partition lies behind its checkpoint: not looked through again.
    private let empty = Mutex<[Scan: UInt64]>([:])

    init(at directory: String, _ engine: EventEngine) throws {
        self.engine = engine
        let bell = Bell<Wake>()
        self.bell = bell
        store = try SubscriptionStore(at: directory) { changed in
            bell.ring(Set(changed.map { .changed($0) }))
        }
        let head = try engine.head().number
        for (name, subscription) in store.now.subscriptions.sorted(by: { $0.key < $1.key }) {
            let from = subscription.definition.from - 1
            let furthest = subscription.partitions.map(\.checkpoint).max() ?? 0
            guard furthest <= max(head, from) else {
                throw JournalError(
                    .inputOutput,
                    "\(directory)/subscriptions.log: \(name) is at \(furthest), and the journal ends at \(head): they are not of one time",
                    advice:
                        "put the journal back that it was kept beside, or take the file away to begin anew"
                )
            }
        }
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// Whether nothing is posted to anybody, and nobody holds a lease that still runs: all the rest
    /// is in the file.
    var isIdle: Bool {
        let now = ContinuousClock.now
        return store.now.subscriptions.values.allSatisfy { subscription in
            (subscription.webhook.map { $0.stopped != nil } ?? true)
                && subscription.leases.allSatisfy { $0.deadline <= now }
        }
    }

    func subscription(_ name: String) throws -> Subscription {
        guard let subscription = store.now[name] else {
            throw Problem.notFound("the subscription \(name)")
        }
        return subscription
    }

    // MARK: Reading

    /// The events that come next in a partition, in order.
    ///
    /// Those of a stream with a parked event are passed over; before the answer goes out it is kept up to where, so that
    /// no checkpoint leaves one behind.
    func next(
        _ name: String, _ partition: Int, atMost most: Int, from source: EventEngine
    ) async throws -> Offer {
        while true {
            let subscription = try subscription(name)
            let state = try subscription.state(of: partition)
            let retried = state.lanes.values.filter { $0.status == .retrying }
            if let lane = retried.min(by: { $0.next < $1.next }) {
                let events = try await events(
                    of: lane, to: state.bound(lane), subscription.definition, partition,
                    atMost: most, in: source)
                return Offer(
                    events: events, checkpoint: state.checkpoint, isRetry: true,
                    version: state.version)
            }
            var (offer, passed) = try await scan(
                name, subscription.definition, partition, state, atMost: most, from: source)
            guard let last = offer.events.last?.position.number else { return offer }
            let behind = passed.filter { (state.lanes[$0]?.through ?? 0) < last }
            if behind.isEmpty { return offer }
            let isKept = try await store.change { kept in
                guard kept[name]?.version(of: partition) == state.version else { return false }
                try kept.change(name, partition) { state in
                    for stream in behind { state.lanes[stream]?.through = last }
                }
                return true
            }
            if isKept {
                offer.version = state.version + 1
                return offer
            }
        }
    }

    private func scan(
        _ name: String, _ definition: SubscriptionDefinition, _ partition: Int,
        _ state: PartitionState, atMost most: Int, from source: EventEngine
    ) async throws -> (Offer, passed: Set<String>) {
        let key = Scan(name: name, partition: partition, definition: definition)
        var after = max(state.checkpoint, empty.withLock { $0[key] ?? 0 })
        var offer = Offer(checkpoint: state.checkpoint, version: state.version)
        var passed: Set<String> = []
        var isEmpty = true
        // A partition of which nothing comes for long is looked for in steps.
        for _ in 0..<64 {
            let page = try await source.page(definition.filter, after: Position(after))
            for event in page.events where definition.partition(of: event) == partition {
                isEmpty = false
                if let lane = state.lanes[event.stream] {
                    if lane.status != .done { passed.insert(event.stream) }
                    if lane.status != .done || event.position.number <= lane.through { continue }
                }
                offer.events.append(event)
                if offer.events.count == most { return (offer, passed) }
            }
            after = page.through.number
            offer.through = after
            if isEmpty {
                let through = after
                empty.withLock { $0[key] = max($0[key] ?? 0, through) }
            }
            offer.isAtHead = page.isAtHead
            if page.isAtHead { break }
        }
        return (offer, passed)
    }

    /// Waits until the journal goes on behind a position, the partition is not as it was, or the service ends.
    func wait(
        _ name: String, _ partition: Int, behind offer: Offer, within longest: Duration,
        orWholly isWhole: Bool = false
    ) async {
        look()
        var keys: Set<Wake> = [.events, .changed(.partition(name, partition))]
        if isWhole { keys.insert(.changed(.whole(name))) }
        await bell.wait(for: keys, within: longest) {
            known.withLock { $0 } > offer.through
                || store.now[name]?.version(of: partition) != offer.version
        }
    }

    /// Looks out for events until this goes.
    private func look() {
        watch.withLock { watch in
            guard watch == nil else { return }
            watch = Task { [engine, bell, weak self] in
                var head = Position.zero
                while !Task.isCancelled {
                    do {
                        if try await engine.hasNews(after: head, within: .seconds(60)) {
                            head = try engine.head()
                        }
                    } catch {
                        // Those who wait look for themselves, and are told what is wrong.
                        try? await Task.sleep(for: .seconds(1))
                    }
                    guard let self else { return }
                    known.withLock { $0 = head.number }
                    bell.ring([.events])
                }
            }
        }
    }

    /// How many events of the journal no partition is known to be done with; those of others and parked ones count, too.
    func lag(of name: String, _ subscription: Subscription, at head: UInt64) -> UInt64 {
        let done = subscription.partitions.indices.map { partition in
            let key = Scan(
                name: name, partition: partition, definition: subscription.definition)
            return max(
                subscription.partitions[partition].checkpoint, empty.withLock { $0[key] ?? 0 })
        }
        return head - min(head, done.min() ?? head)
    }

    private func events(
        of lane: Lane, from first: UInt64? = nil, to last: UInt64,
        _ definition: SubscriptionDefinition, _ partition: Int, atMost most: Int,
        in source: EventEngine
    ) async throws -> [Event] {
        var filter = definition.filter
        filter.stream = lane.stream
        filter.to = .position(Position(last))
        var found: [Event] = []
        var after = Position((first ?? lane.next) - 1)
        while found.count < most {
            let page = try await source.page(filter, after: after)
            for event in page.events where definition.partition(of: event) == partition {
                if event.position.number > last { return found }
                found.append(event)
                if found.count == most { break }
            }
            after = page.through
            if page.isAtHead || after.number >= last { break }
        }
        return found
    }

    /// The event at a position, if it is one of the partition.
    private func event(
        at position: UInt64, _ definition: SubscriptionDefinition, _ partition: Int
    ) async throws -> Event? {
        guard position > 0, position <= (try engine.head().number) else { return nil }
        var filter = definition.filter
        filter.to = .position(Position(position))
        let page = try await engine.page(filter, after: Position(position - 1), limit: 1)
        return page.events.first {
            $0.position.number == position && definition.partition(of: $0) == partition
        }
    }

    // MARK: Going on

    /// The partition's events up to a position are done, or those of the stream that is tried again.
    func move(
        _ name: String, _ partition: Int, to position: UInt64, by holder: Holder
    ) async throws {
        guard position <= (try engine.head().number) else {
            throw Problem.badRequest("position \(position) is behind the end of the journal")
        }
        while true {
            let subscription = try subscription(name)
            let state = try subscription.state(of: partition, for: holder)
            if state.lanes.contains(where: { $0.value.status == .retrying }),
                let event = try await event(at: position, subscription.definition, partition),
                let lane = state.lanes[event.stream], lane.status == .retrying,
                lane.next <= position, position <= state.bound(lane)
            {
                if try await settle(
                    name, partition, lane, state, subscription.definition, through: position,
                    by: holder)
                {
                    return
                }
                continue
            }
            let isDone = try await store.change { kept in
                try holder.check(&kept, name, partition)
                guard let now = try kept[name]?.state(of: partition, for: holder) else {
                    return false
                }
                // What was said of a stream that is tried again holds only where nothing changed since.
                if !now.lanes.isEmpty, now.version != state.version { return false }
                guard position >= now.checkpoint else {
                    throw Problem(
                        .preconditionFailed, "checkpoint-behind",
                        "the checkpoint is at \(now.checkpoint) and goes forward only")
                }
                if position == now.checkpoint { return true }
                try kept.change(name, partition) { $0.move(to: position) }
                return true
            }
            if isDone { return }
        }
    }

    /// A lane's events up to a position are done: what is next in it; false where the state changed meanwhile.
    private func settle(
        _ name: String, _ partition: Int, _ lane: Lane, _ state: PartitionState,
        _ definition: SubscriptionDefinition, through position: UInt64, by holder: Holder?
    ) async throws -> Bool {
        let following = try await events(
            of: lane, from: position + 1, to: state.bound(lane), definition, partition, atMost: 1,
            in: engine
        ).first?.position.number
        return try await store.change { kept in
            try holder?.check(&kept, name, partition)
            guard kept[name]?.version(of: partition) == state.version else { return false }
            try kept.change(name, partition) { $0.advance(lane.stream, to: following) }
            return true
        }
    }

    // MARK: Parking

    /// Sets an event aside, and all behind it of its stream; whether that is new.
    ///
    /// What lies before it in the partition is done with that.
    func park(
        _ name: String, _ partition: Int, _ position: UInt64, _ reason: String, by holder: Holder
    ) async throws -> Bool {
        let subscription = try subscription(name)
        let definition = subscription.definition
        _ = try subscription.state(of: partition, for: holder)
        guard let event = try await event(at: position, definition, partition) else {
            throw Problem(
                .unprocessableContent, "not-of-the-partition",
                "position \(position) is no event of partition \(partition)")
        }
        let stream = event.stream
        return try await store.change { kept in
            try holder.check(&kept, name, partition)
            guard let state = try kept[name]?.state(of: partition, for: holder) else {
                return false
            }
            let behind = Problem(
                .preconditionFailed, "checkpoint-behind", "position \(position) is done already")
            var lane = Lane(stream: stream, next: position, through: position, reason: reason)
            if let former = state.lanes[stream] {
                switch former.status {
                case .parked:
                    if position < former.next { throw behind }
                    return false
                case .retrying:
                    if position < former.next { throw behind }
                    if position > state.bound(former) { return false }
                case .done: if position <= former.through { throw behind }
                }
                lane.through = max(former.through, position)
                lane.times = former.times + 1
            } else if position <= state.checkpoint {
                throw behind
            }
            let parked = lane
            try kept.change(name, partition) { state in
                state.lanes[stream] = parked
                state.move(to: position > state.checkpoint ? position : state.checkpoint)
            }
            return true
        }
    }

    func retry(_ name: String, _ partition: Int, _ position: UInt64) async throws {
        try await store.change { kept in
            guard
                let lane = try kept[name]?.state(of: partition).lanes.values.first(where: {
                    $0.next == position && $0.status != .done
                })
            else { throw Problem.notFound("a parked event at \(position)") }
            if lane.status == .retrying { return }
            try kept.change(name, partition) { state in
                state.lanes[lane.stream]?.status = .retrying
            }
        }
    }

    /// Passes over a parked event; those behind it in its stream are offered.
    func drop(_ name: String, _ partition: Int, _ position: UInt64) async throws {
        while true {
            let subscription = try subscription(name)
            let state = try subscription.state(of: partition)
            guard
                let lane = state.lanes.values.first(where: {
                    $0.next == position && $0.status != .done
                })
            else { throw Problem.notFound("a parked event at \(position)") }
            if try await settle(
                name, partition, lane, state, subscription.definition, through: position, by: nil)
            {
                return
            }
        }
    }
}
