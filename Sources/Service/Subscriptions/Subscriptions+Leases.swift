import Core
import HTTPTypes

extension Subscriptions {
    /// In whose name something is said.
    enum Holder: Sendable {
        case lease(UInt64)
        /// That of a webhook, by its number.
        case webhook(UInt64)

        var number: UInt64 {
            switch self {
            case .lease(let number), .webhook(let number): number
            }
        }

        /// Refuses who does not hold a partition now; a lease is renewed by it.
        func check(_ state: inout SubscriptionState, _ name: String, _ partition: Int) throws {
            try state.update(name) { subscription in
                switch self {
                case .lease(let number): try subscription.check(number, holds: partition, at: .now)
                case .webhook(let number): try subscription.check(webhook: number)
                }
            }
        }
    }

    /// A lease for a consumer, who has one at a time.
    func lease(_ name: String, to consumer: String) async throws -> Lease {
        try await store.change { state in
            let number = state.lastLease + 1
            state.lastLease = number
            let lease = try state.update(name) { subscription in
                let now = ContinuousClock.now
                _ = subscription.endLeases(before: now)
                guard subscription.webhook == nil else {
                    throw Problem(
                        .conflict, "delivered",
                        "events of \(name) are posted to its webhook: nobody else works them off")
                }
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

    /// The same without renewing it.
    func checkHeld(_ name: String, _ partition: Int, _ holder: Holder) throws {
        var state = store.now
        try holder.check(&state, name, partition)
    }
}
