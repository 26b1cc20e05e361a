import Core
import HTTPTypes

/// A stream of which an event was set aside: its later events wait behind that one.
struct Lane: Sendable, Hashable {
    enum Status: String, Sendable {
        /// Waits for somebody's decision.
        case parked
        /// Its events are offered again, from ``next`` on.
        case retrying
        /// All up to ``through`` are done, and the checkpoint is not there yet.
        case done
    }

    let stream: String
    /// The first of its events that is not done.
    var next: UInt64
    /// Its events up to here are the lane's own business, whatever the checkpoint: others behind them were offered.
    var through: UInt64
    var reason: String
    /// How often it was set aside.
    var times = 1
    var status = Status.parked
}

/// How far a partition's events are done.
struct PartitionState: Sendable {
    /// All its events up to here are done, but for those of ``lanes``.
    var checkpoint: UInt64
    var lanes: [String: Lane] = [:]
    /// Goes up with each change; not kept.
    var version = 0

    /// Up to where a lane's events are its own business.
    func bound(_ lane: Lane) -> UInt64 { max(checkpoint, lane.through) }

    mutating func move(to position: UInt64) {
        checkpoint = max(checkpoint, position)
        lanes = lanes.filter { $0.value.status != .done || $0.value.through > checkpoint }
    }

    /// The events of a lane up to `next` are done; nil: all of them are.
    mutating func advance(_ stream: String, to next: UInt64?) {
        guard var lane = lanes[stream] else { return }
        lane.status = next == nil ? .done : .retrying
        lane.next = next ?? bound(lane) + 1
        lanes[stream] = lane.status == .done && lane.through <= checkpoint ? nil : lane
    }
}

/// The right to work off some partitions, for a while.
struct Lease: Sendable {
    let number: UInt64
    let consumer: String
    var partitions: [Int]
    /// Not kept: who held one when the service ended has the whole time again.
    var deadline: ContinuousClock.Instant
}

struct Subscription: Sendable {
    var definition: SubscriptionDefinition
    var leases: [Lease] = []
    var partitions: [PartitionState]
    /// Who the events are posted to; nobody has a lease then.
    var webhook: Webhook?

    init(_ definition: SubscriptionDefinition) {
        self.definition = definition
        partitions = Array(
            repeating: PartitionState(checkpoint: definition.from - 1),
            count: definition.partitions)
    }

    var isUntouched: Bool {
        partitions.allSatisfy { $0.checkpoint == definition.from - 1 && $0.lanes.isEmpty }
    }

    /// A partition as it is. The definition may be another than when somebody looked for the
    /// partition: there may be none of that number any more.
    ///
    /// - Parameter holder: who holds it, as they say: their lease ended with the former definition.
    func state(
        of partition: Int, for holder: Subscriptions.Holder? = nil
    ) throws -> PartitionState {
        guard partitions.indices.contains(partition) else {
            throw holder.map { Problem.leaseLost($0.number) } ?? Problem.noPartition(partition)
        }
        return partitions[partition]
    }

    /// That of a partition; nil where it has none of that number.
    func version(of partition: Int) -> Int? {
        partitions.indices.contains(partition) ? partitions[partition].version : nil
    }

    var leaseTime: Duration { .seconds(definition.leaseSeconds) }

    // MARK: Leases

    /// Whether one was over.
    mutating func endLeases(before now: ContinuousClock.Instant) -> Bool {
        let count = leases.count
        leases.removeAll { $0.deadline <= now }
        return leases.count != count
    }

    /// Who holds more than their share loses the rest.
    ///
    /// - Returns: the share of each lease, by its number.
    mutating func share() -> [UInt64: Int] {
        guard !leases.isEmpty else { return [:] }
        let (all, left) = definition.partitions.quotientAndRemainder(dividingBy: leases.count)
        // Those with the most keep one more, so that the fewest change hands.
        let order = leases.indices.sorted {
            (-leases[$0].partitions.count, leases[$0].number)
                < (-leases[$1].partitions.count, leases[$1].number)
        }
        var shares: [UInt64: Int] = [:]
        for (rank, index) in order.enumerated() {
            let share = all + (rank < left ? 1 : 0)
            shares[leases[index].number] = share
            leases[index].partitions = Array(leases[index].partitions.prefix(share))
        }
        return shares
    }

    var unheld: [Int] {
        let held = Set(leases.flatMap(\.partitions))
        return (0..<definition.partitions).filter { !held.contains($0) }
    }

    func index(ofLease number: UInt64) throws -> Int {
        guard let index = leases.firstIndex(where: { $0.number == number }) else {
            throw Problem.leaseLost(number)
        }
        return index
    }

    /// Refuses who does not hold a partition now; who does, has it for a while longer.
    mutating func check(
        _ number: UInt64, holds partition: Int, at now: ContinuousClock.Instant
    ) throws {
        let index = try index(ofLease: number)
        guard leases[index].partitions.contains(partition), leases[index].deadline > now else {
            throw Problem.leaseLost(number)
        }
        leases[index].deadline = now + leaseTime
    }
}

extension Subscription {
    /// Refuses a webhook that is not in force.
    func check(webhook number: UInt64) throws {
        guard let webhook, webhook.number == number, webhook.stopped == nil else {
            throw Problem.leaseLost(number)
        }
    }
}

extension Problem {
    static func noPartition(_ number: Int) -> Problem { notFound("the partition \(number)") }

    static func leaseLost(_ number: UInt64) -> Problem {
        Problem(
            .conflict, "lease-lost",
            "lease \(number) does not hold this any more: renew it, or ask for another")
    }
}

/// All that is kept of a journal's subscriptions.
struct SubscriptionState: Sendable {
    /// What a record is about.
    enum Part: Hashable, Sendable {
        /// The definition and the leases.
        case whole(String)
        case partition(String, Int)
    }

    /// Grows for ever, also over subscriptions that are deleted.
    var lastLease: UInt64 = 0
    private(set) var subscriptions: [String: Subscription] = [:]
    /// What is to be recorded.
    var touched: Set<Part> = []
    /// Whether nothing may stay of what was recorded before: of a secret.
    var isToForget = false

    subscript(name: String) -> Subscription? { subscriptions[name] }

    /// Puts it down, or takes it away.
    mutating func set(_ name: String, _ subscription: Subscription?) {
        if subscriptions[name]?.webhook != nil, subscription?.webhook == nil { isToForget = true }
        subscriptions[name] = subscription
        touched.insert(.whole(name))
        // One that was deleted and put again at once has nothing of the former.
        for partition in 0..<(subscription?.partitions.count ?? 0) {
            touched.insert(.partition(name, partition))
        }
    }

    /// Sets who the events are posted to. Leases end with it, and former secrets are forgotten.
    mutating func set(_ name: String, webhook: Webhook?) throws {
        var webhook = webhook
        if webhook != nil {
            lastLease += 1
            webhook?.number = lastLease
        }
        let wanted = webhook
        try update(name) { subscription in
            subscription.webhook = wanted
            subscription.leases = []
        }
        touched.insert(.whole(name))
        isToForget = true
    }

    /// Changes leases' times, which are not recorded.
    mutating func update<R>(
        _ name: String, _ body: (inout Subscription) throws -> R
    ) throws -> R {
        guard var subscription = subscriptions[name] else {
            throw Problem.notFound("the subscription \(name)")
        }
        let result = try body(&subscription)
        subscriptions[name] = subscription
        return result
    }

    mutating func change(
        _ name: String, _ partition: Int, _ body: (inout PartitionState) throws -> Void
    ) throws {
        try update(name) { subscription in
            _ = try subscription.state(of: partition)
            try body(&subscription.partitions[partition])
            subscription.partitions[partition].version += 1
        }
        touched.insert(.partition(name, partition))
    }

    // MARK: Records

    /// The records of what was touched, or of everything.
    func records(all: Bool = false) -> [JSON] {
        var parts = touched
        if all {
            parts = []
            for (name, subscription) in subscriptions {
                parts.insert(.whole(name))
                for partition in subscription.partitions.indices {
                    parts.insert(.partition(name, partition))
                }
            }
        }
        // A whole one first: what it replaces is gone with its partitions.
        var wholes: [JSON] = [.object(of: [("lastLease", .integer(Int64(lastLease)))])]
        var rest: [JSON] = []
        for part in parts {
            switch part {
            case .whole(let name): wholes.append(wholeRecord(name))
            case .partition(let name, let partition):
                // What was changed first and then defined otherwise is recorded together, and may
                // be gone by now.
                if let subscription = subscriptions[name],
                    subscription.partitions.indices.contains(partition)
                {
                    rest.append(Self.record(name, partition, subscription.partitions[partition]))
                }
            }
        }
        return wholes + rest
    }

    private func wholeRecord(_ name: String) -> JSON {
        guard let subscription = subscriptions[name] else {
            return .object(of: [("name", .string(name)), ("definition", .null)])
        }
        let leases = subscription.leases.map { lease in
            JSON.object(of: [
                ("number", .integer(Int64(lease.number))), ("consumer", .string(lease.consumer)),
                ("partitions", .array(lease.partitions.map { .integer(Int64($0)) })),
            ])
        }
        return .object(of: [
            ("name", .string(name)), ("definition", subscription.definition.json),
            ("leases", .array(leases)),
            ("webhook", subscription.webhook?.record ?? .null),
        ])
    }

    private static func record(_ name: String, _ partition: Int, _ state: PartitionState) -> JSON {
        let lanes = state.lanes.values.map { lane in
            JSON.object(of: [
                ("stream", .string(lane.stream)), ("next", .integer(Int64(lane.next))),
                ("through", .integer(Int64(lane.through))), ("reason", .string(lane.reason)),
                ("times", .integer(Int64(lane.times))), ("status", .string(lane.status.rawValue)),
            ])
        }
        return .object(of: [
            ("name", .string(name)), ("partition", .integer(Int64(partition))),
            ("checkpoint", .integer(Int64(state.checkpoint))), ("lanes", .array(lanes)),
        ])
    }

    /// Takes a record in; false where it is none.
    mutating func apply(_ record: JSON) -> Bool {
        if let number = record["lastLease"]?.unsigned {
            lastLease = number
            return true
        }
        guard let name = record["name"]?.string else { return false }
        if let partition = record["partition"]?.unsigned {
            guard let state = Self.partition(record),
                subscriptions[name]?.partitions.indices.contains(Int(partition)) == true
            else { return false }
            subscriptions[name]?.partitions[Int(partition)] = state
            return true
        }
        guard let json = record["definition"] else { return false }
        if json.isNull {
            subscriptions[name] = nil
            return true
        }
        guard let definition = try? SubscriptionDefinition(json),
            let leases = record["leases"]?.array
        else { return false }
        var subscription = Subscription(definition)
        if let former = subscriptions[name], former.definition.agrees(with: definition) {
            subscription.partitions = former.partitions
        }
        if let record = record["webhook"], !record.isNull {
            guard let webhook = Webhook(record: record) else { return false }
            subscription.webhook = webhook
        }
        for lease in leases {
            guard let number = lease["number"]?.unsigned, let consumer = lease["consumer"]?.string,
                let partitions = lease["partitions"]?.array
            else { return false }
            subscription.leases.append(
                Lease(
                    number: number, consumer: consumer,
                    partitions: partitions.compactMap { $0.unsigned.map { Int($0) } },
                    deadline: .now + subscription.leaseTime))
        }
        subscriptions[name] = subscription
        return true
    }

    private static func partition(_ record: JSON) -> PartitionState? {
        guard let checkpoint = record["checkpoint"]?.unsigned, let lanes = record["lanes"]?.array
        else { return nil }
        var state = PartitionState(checkpoint: checkpoint)
        for lane in lanes {
            guard let stream = lane["stream"]?.string, let next = lane["next"]?.unsigned,
                let through = lane["through"]?.unsigned, let reason = lane["reason"]?.string,
                let times = lane["times"]?.unsigned,
                let status = lane["status"]?.string.flatMap(Lane.Status.init(rawValue:))
            else { return nil }
            state.lanes[stream] = Lane(
                stream: stream, next: next, through: through, reason: reason, times: Int(times),
                status: status)
        }
        return state
    }
}

extension JSON {
    /// A whole number from 0.
    var unsigned: UInt64? { wholeNumber.flatMap { UInt64(exactly: $0) } }
}
