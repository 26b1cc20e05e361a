import Core
import Engine
import Logging
import Synchronization

/// Posts the events of a journal's subscriptions to those who have asked for that: each partition by a task of its own, in
/// order, at least once (docs/service/webhooks.md, ADR 0052).
final class Deliveries: Sendable {
    /// A partition whose next event was not taken.
    struct Trouble: Sendable {
        let position: UInt64
        let attempts: Int
        let reason: String
        let next: Instant
    }

    private struct State {
        var running: [String: (number: UInt64, task: Task<Void, Never>)] = [:]
        var troubles: [String: [Int: Trouble]] = [:]
        var isOver = false
    }

    /// Events that are read at once.
    private static let batch = 16
    private static let longestPause = 300
    /// How long what is under way may take when the service ends.
    private static let farewell = Duration.seconds(5)

    private let journal: String
    private let subscriptions: Subscriptions
    private let sender: WebhookSender
    private let logger: Logger
    /// The engine that opens no personal value.
    private let source: @Sendable () throws -> EventEngine
    private let state = Mutex(State())

    init(
        of journal: String, _ subscriptions: Subscriptions, _ sender: WebhookSender,
        _ logger: Logger, from source: @escaping @Sendable () throws -> EventEngine
    ) {
        self.journal = journal
        self.subscriptions = subscriptions
        self.sender = sender
        self.logger = logger
        self.source = source
    }

    // MARK: Which

    /// Begins what is to be delivered by now, and ends what is no more.
    func update() {
        let wanted = subscriptions.store.now.subscriptions.compactMapValues(\.webhook).filter {
            $0.value.stopped == nil
        }
        state.withLock { state in
            for (name, running) in state.running where wanted[name]?.number != running.number {
                running.task.cancel()
                state.running[name] = nil
                state.troubles[name] = nil
            }
            if state.isOver { return }
            for (name, webhook) in wanted where state.running[name] == nil {
                let task = Task { await deliver(name, webhook) }
                state.running[name] = (webhook.number, task)
            }
        }
    }

    /// Those of a subscription, by partition.
    func troubles(of name: String) -> [(partition: Int, trouble: Trouble)] {
        state.withLock { $0.troubles[name] ?? [:] }.sorted { $0.key < $1.key }
            .map { (partition: $0.key, trouble: $0.value) }
    }

    /// Begins nothing any more; what is under way may end.
    func end() {
        state.withLock { $0.isOver = true }
        subscriptions.bell.end()
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Waits for what is under way, not long.
    func finish() async {
        end()
        let tasks = state.withLock { $0.running.values.map(\.task) }
        let impatience = Task {
            try await Task.sleep(for: Self.farewell)
            for task in tasks { task.cancel() }
        }
        for task in tasks { await task.value }
        impatience.cancel()
    }

    // MARK: One of them

    private func deliver(_ name: String, _ webhook: Webhook) async {
        guard let count = try? subscriptions.subscription(name).partitions.count else { return }
        await withTaskGroup { group in
            for partition in 0..<count {
                group.addTask {
                    await Delivery(
                        name: name, partition: partition, webhook: webhook, of: self
                    ).run()
                }
            }
        }
    }

    /// The events of one partition.
    private struct Delivery {
        let name: String
        let partition: Int
        let webhook: Webhook
        let all: Deliveries
        private let labels: [(String, String)]
        private let subscriptions: Subscriptions
        private let holder: Subscriptions.Holder

        init(name: String, partition: Int, webhook: Webhook, of all: Deliveries) {
            self.name = name
            self.partition = partition
            self.webhook = webhook
            self.all = all
            subscriptions = all.subscriptions
            holder = .webhook(webhook.number)
            labels = [("journal", all.journal), ("subscription", name)]
        }

        private var isOver: Bool { Task.isCancelled || all.isOver }

        func run() async {
            while !isOver {
                do {
                    let offer = try await subscriptions.next(
                        name, partition, atMost: Deliveries.batch, from: all.source())
                    if offer.events.isEmpty, offer.isAtHead {
                        await subscriptions.wait(
                            name, partition, behind: offer, within: .seconds(60))
                    }
                    for event in offer.events {
                        guard !isOver, try await deliver(event) else { break }
                    }
                } catch let problem as Problem
                    where ["lease-lost", "not-found"].contains(problem.code)
                {
                    // It is another webhook's by now, or nobody's.
                    return
                } catch {
                    all.logger.error(
                        "events are not posted",
                        metadata: ["subscription": "\(name)", "error": "\(error)"])
                    await pause(.seconds(5))
                }
            }
        }

        /// Posts an event until it is taken or parked; false where others come next now.
        private func deliver(_ event: Event) async throws -> Bool {
            let id = WebhookMessage.id(of: event, name, all.journal)
            let path = all.journal.isEmpty ? "" : "/journals/\(all.journal)"
            var attempts = 0
            var refusals = 0
            while !isOver {
                let outcome = await all.sender.send(
                    event, id: id, source: "/v1\(path)/events", to: webhook, labels)
                if Task.isCancelled { return false }
                attempts += 1
                var delay = Self.backOff(attempts)
                let reason: String
                switch outcome {
                case .taken:
                    try await subscriptions.move(
                        name, partition, to: event.position.number, by: holder)
                    note(nil)
                    return true
                case .gone:
                    try await all.stop(name, webhook, "it answered 410")
                    return false
                case .refused(let why):
                    refusals += 1
                    if refusals >= webhook.maxDeliveries {
                        _ = try await subscriptions.park(
                            name, partition, event.position.number, why, by: holder)
                        note(nil)
                        all.logger.warning(
                            "an event is parked: its receiver does not take it",
                            metadata: metadata(event, why))
                        return false
                    }
                    reason = why
                case .unavailable(let why, let wanted):
                    delay = wanted ?? delay
                    reason = why
                }
                let next = Instant.now.milliseconds + delay.components.seconds * 1_000
                note(
                    Trouble(
                        position: event.position.number, attempts: attempts, reason: reason,
                        next: Instant(milliseconds: next)))
                if attempts == 1 {
                    all.logger.notice(
                        "an event was not taken; it is posted again",
                        metadata: metadata(event, reason))
                }
                await pause(delay)
            }
            return false
        }

        private func metadata(_ event: Event, _ reason: String) -> Logger.Metadata {
            [
                "subscription": "\(name)", "partition": "\(partition)",
                "position": "\(event.position)", "reason": "\(reason)",
            ]
        }

        private func note(_ trouble: Trouble?) {
            all.state.withLock { state in
                guard state.running[name]?.number == webhook.number else { return }
                state.troubles[name, default: [:]][partition] = trouble
            }
        }

        /// 1, 2, 4 … seconds, at most five minutes, stretched by chance: not all come back at once.
        private static func backOff(_ attempts: Int) -> Duration {
            let seconds = min(1 << min(attempts - 1, 16), Deliveries.longestPause)
            return .milliseconds(seconds * 1_000 + Int.random(in: 0...(seconds * 200)))
        }

        private func pause(_ duration: Duration) async {
            await subscriptions.bell.wait(
                for: [.changed(.whole(name))], within: duration, unless: { isOver })
        }
    }

    /// The receiver wants nothing any more: kept until an operator puts it again.
    private func stop(_ name: String, _ webhook: Webhook, _ reason: String) async throws {
        try await subscriptions.store.change { state in
            try state.update(name) { subscription in
                try subscription.check(webhook: webhook.number)
                subscription.webhook?.stopped = reason
            }
            state.touched.insert(.whole(name))
        }
        logger.warning(
            "a webhook has ended", metadata: ["subscription": "\(name)", "reason": "\(reason)"])
        update()
    }
}

enum WebhookMessage {
    /// The same for each attempt, and for nothing else: `evt_`, twelve digits of the journal's and the subscription's name, the
    /// position. It has no full stop, since these part what is signed.
    static func id(of event: Event, _ subscription: String, _ journal: String) -> String {
        let digest = Hex.text(SHA256Digest.of("\(journal)/\(subscription)")).prefix(12)
        return "evt_\(digest)_\(event.position)"
    }
}
