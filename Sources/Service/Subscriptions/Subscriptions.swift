import Core
import Engine
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
}

/// The subscriptions of a journal: who works off what, and how far they are (docs/service/subscriptions.md).
final class Subscriptions: Sendable {
    private struct Scan: Hashable {
        let name: String
        let partition: Int
        let definition: SubscriptionDefinition
    }

    let store: SubscriptionStore
    private let engine: EventEngine
    /// Up to where no event of a partition lies behind its checkpoint: not looked through again.
    private let empty = Mutex<[Scan: UInt64]>([:])

    init(at directory: String, _ engine: EventEngine) throws {
        self.engine = engine
        store = try SubscriptionStore(at: directory)
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
            let state = subscription.partitions[partition]
            let retried = state.lanes.values.filter { $0.status == .retrying }
            if let lane = retried.min(by: { $0.next < $1.next }) {
                let events = try await events(
                    of: lane, to: state.bound(lane), subscription.definition, partition,
                    atMost: most, in: source)
                return Offer(events: events, checkpoint: state.checkpoint, isRetry: true)
            }
            let (offer, passed) = try await scan(
                name, subscription.definition, partition, state, atMost: most, from: source)
            guard let last = offer.events.last?.position.number else { return offer }
            let behind = passed.filter { (state.lanes[$0]?.through ?? 0) < last }
            if behind.isEmpty { return offer }
            let isKept = try await store.change { kept in
                guard kept[name]?.partitions[partition].version == state.version else {
                    return false
                }
                try kept.change(name, partition) { state in
                    for stream in behind { state.lanes[stream]?.through = last }
                }
                return true
            }
            if isKept { return offer }
        }
    }

    private func scan(
        _ name: String, _ definition: SubscriptionDefinition, _ partition: Int,
        _ state: PartitionState, atMost most: Int, from source: EventEngine
    ) async throws -> (Offer, passed: Set<String>) {
        let key = Scan(name: name, partition: partition, definition: definition)
        var after = max(state.checkpoint, empty.withLock { $0[key] ?? 0 })
        var offer = Offer(checkpoint: state.checkpoint)
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
            if isEmpty {
                let through = after
                empty.withLock { $0[key] = max($0[key] ?? 0, through) }
            }
            offer.isAtHead = page.isAtHead
            if page.isAtHead { break }
        }
        return (offer, passed)
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

    /// In whose name something is said: that of a lease.
    enum Holder: Sendable {
        case lease(UInt64)

        func check(_ state: inout SubscriptionState, _ name: String, _ partition: Int) throws {
            try state.update(name) { subscription in
                switch self {
                case .lease(let number): try subscription.check(number, holds: partition, at: .now)
                }
            }
        }
    }

    /// The partition's events up to a position are done, or those of the stream that is tried again.
    func move(
        _ name: String, _ partition: Int, to position: UInt64, by holder: Holder
    ) async throws {
        guard position <= (try engine.head().number) else {
            throw Problem.badRequest("position \(position) is behind the end of the journal")
        }
        while true {
            let subscription = try subscription(name)
            let state = subscription.partitions[partition]
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
                guard let now = kept[name]?.partitions[partition] else { return false }
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
            guard kept[name]?.partitions[partition].version == state.version else { return false }
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
        let definition = try subscription(name).definition
        guard let event = try await event(at: position, definition, partition) else {
            throw Problem(
                .unprocessableContent, "not-of-the-partition",
                "position \(position) is no event of partition \(partition)")
        }
        let stream = event.stream
        return try await store.change { kept in
            try holder.check(&kept, name, partition)
            guard let state = kept[name]?.partitions[partition] else { return false }
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
                let lane = kept[name]?.partitions[partition].lanes.values.first(where: {
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
            let state = subscription.partitions[partition]
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

    // MARK: Leases

    /// A lease for a consumer, who has one at a time.
    func lease(_ name: String, to consumer: String) async throws -> Lease {
        try await store.change { state in
            let number = state.lastLease + 1
            state.lastLease = number
            let lease = try state.update(name) { subscription in
                let now = ContinuousClock.now
                _ = subscription.endLeases(before: now)
                subscription.leases.removeAll { $0.consumer == consumer }
                guard subscription.leases.count < 1_024 else {
                    throw Problem.unavailable("too-busy", "1024 consumers have leases already")
                }
                var lease = Lease(
                    number: number, consumer: consumer, partitions: [],
                    deadline: now + subscription.leaseTime)
                subscription.leases.append(lease)
                let share = subscription.share()[number] ?? 0
                lease.partitions = Array(subscription.unheld.prefix(share))
                subscription.leases[subscription.leases.count - 1] = lease
                return lease
            }
            state.touched.insert(.whole(name))
            return lease
        }
    }

    /// The lease for a while longer. Who gets more partitions has a new number with it: for each partition the number
    /// grows whenever it changes hands.
    func renew(_ name: String, _ number: UInt64) async throws -> Lease {
        try await store.change { state in
            let next = state.lastLease + 1
            let (lease, isChanged) = try state.update(name) { subscription -> (Lease, Bool) in
                let now = ContinuousClock.now
                var isChanged = subscription.endLeases(before: now)
                let index = try subscription.index(ofLease: number)
                let held = subscription.leases.map(\.partitions)
                let share = subscription.share()[number] ?? 0
                isChanged = isChanged || held != subscription.leases.map(\.partitions)
                var lease = subscription.leases[index]
                let more = subscription.unheld.prefix(max(0, share - lease.partitions.count))
                if !more.isEmpty {
                    lease = Lease(
                        number: next, consumer: lease.consumer,
                        partitions: (lease.partitions + more).sorted(), deadline: now)
                    isChanged = true
                }
                lease.deadline = now + subscription.leaseTime
                subscription.leases[index] = lease
                return (lease, isChanged)
            }
            if lease.number == next { state.lastLease = next }
            if isChanged { state.touched.insert(.whole(name)) }
            return lease
        }
    }

    func giveBack(_ name: String, _ number: UInt64) async throws {
        try await store.change { state in
            try state.update(name) { subscription in
                _ = subscription.leases.remove(at: try subscription.index(ofLease: number))
            }
            state.touched.insert(.whole(name))
        }
    }

    func check(_ name: String, _ partition: Int, _ holder: Holder) async throws {
        try await store.change { try holder.check(&$0, name, partition) }
    }
}
