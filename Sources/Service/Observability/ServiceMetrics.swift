import Engine
import HTTPTypes
import Metrics
import Synchronization

/// What the service counts. Labels come from closed sets, such as routes, codes and the names that
/// operators give; never an id.
final class ServiceMetrics: Sendable {
    private struct Answered: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Submitted: Hashable {
        let status: Outcome.Status
        let code: String
    }

    let registry: PrometheusRegistry
    /// Made once each: looking one up by its labels costs more than a request.
    private let counters = Mutex<[Submitted: Counter]>([:])
    private let timers = Mutex<[Answered: Timer]>([:])

    init(registry: PrometheusRegistry) { self.registry = registry }

    var text: String { registry.text }

    func count(_ outcome: Outcome) {
        let label = Submitted(status: outcome.status, code: outcome.code ?? "")
        let counter = counters.withLock { counters in
            if let known = counters[label] { return known }
            let made = Counter(
                label: "sijill_submit",
                dimensions: [("status", label.status.rawValue), ("code", label.code)],
                factory: registry)
            counters[label] = made
            return made
        }
        counter.increment()
    }

    func count(
        _ method: HTTPRequest.Method, _ route: String, _ status: HTTPResponse.Status,
        _ duration: Duration
    ) {
        let answered = Answered(method: method.knownName, route: route, status: status.code)
        let timer = timers.withLock { timers in
            if let known = timers[answered] { return known }
            let made = Timer(
                label: "http_server_request_duration",
                dimensions: [
                    ("method", answered.method), ("route", route), ("status", "\(status.code)"),
                ], factory: registry)
            timers[answered] = made
            return made
        }
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func count(_ job: Job, _ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        Timer(
            label: "sijill_job_duration",
            dimensions: [("kind", job.work.kind.rawValue), ("state", job.state.rawValue)],
            factory: registry
        ).recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// How many events of the default journal no checkpoint covers.
    func observe(unsigned events: Int) {
        Meter(label: "sijill_unsigned_events", factory: registry).set(Double(events))
    }

    /// Gauges of subscriptions that may be there no more.
    private static let ofSubscriptions = [
        "sijill_subscription_lag_events", "sijill_subscription_parked",
    ]

    /// Gauges that are read when somebody asks.
    func observe(_ journals: [HostedJournal]) {
        for name in Self.ofSubscriptions { registry.forget(name) }
        for journal in journals {
            observe(journal)
            observeSubscriptions(of: journal)
        }
    }

    private func observeSubscriptions(of journal: HostedJournal) {
        guard let kept = journal.openSubscriptions, let head = try? journal.engine.head() else {
            return
        }
        for (name, subscription) in kept.store.now.subscriptions {
            let parked = subscription.partitions.reduce(0) { count, partition in
                count + partition.lanes.values.count { $0.status == .parked }
            }
            let lag = Int(kept.lag(of: name, subscription, at: head.number))
            for (label, value) in zip(Self.ofSubscriptions, [lag, parked]) {
                Meter(
                    label: label, dimensions: [("journal", journal.name), ("subscription", name)],
                    factory: registry
                ).set(Double(value))
            }
        }
    }

    private func observe(_ journal: HostedJournal) {
        let name = [("journal", journal.name)]
        func set(_ label: String, _ value: Int) {
            Meter(label: label, dimensions: name, factory: registry).set(Double(value))
        }
        if let head = try? journal.engine.head() {
            set("sijill_journal_position", Int(head.number))
        }
        set("sijill_queue_lines", journal.submissions.count)
        set("sijill_queue_questions", journal.reads.count)
        set("sijill_queue_scans", journal.scans.count)
        set("sijill_subscribers", journal.ring.listenerCount)
        set("sijill_cache_bytes", journal.cache.bytes)
        set("sijill_cache_hits", journal.cache.hits.load(ordering: .relaxed))
        set("sijill_cache_misses", journal.cache.misses.load(ordering: .relaxed))
        let jobs = journal.jobs.all
        for kind in Job.Kind.allCases {
            let running = jobs.count { $0.work.kind == kind && $0.state == .running }
            Meter(
                label: "sijill_jobs_running", dimensions: name + [("kind", kind.rawValue)],
                factory: registry
            ).set(Double(running))
        }
    }
}
