import Engine
import HTTPTypes
import Metrics
import Synchronization

/// What the service counts. Labels come from closed sets: routes, codes, statuses; never an id.
struct ServiceMetrics: Sendable {
    let registry: PrometheusRegistry

    var text: String { registry.text }

    func count(_ outcome: Outcome) {
        Counter(
            label: "sijill_submit",
            dimensions: [("status", outcome.status.rawValue), ("code", outcome.code ?? "")],
            factory: registry
        ).increment()
    }

    func count(
        _ method: HTTPRequest.Method, _ route: String, _ status: HTTPResponse.Status,
        _ duration: Duration
    ) {
        let (seconds, attoseconds) = duration.components
        Timer(
            label: "http_server_request_duration",
            dimensions: [
                ("method", method.rawValue), ("route", route), ("status", "\(status.code)"),
            ], factory: registry
        ).recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Gauges that are read when somebody asks.
    func observe(_ journal: HostedJournal) {
        let name = [("journal", journal.name)]
        func set(_ label: String, _ value: Int) {
            Meter(label: label, dimensions: name, factory: registry).set(Double(value))
        }
        if let head = try? journal.engine.head() {
            set("sijill_journal_position", Int(head.number))
        }
        set("sijill_queue_lines", journal.submissions.count)
        set("sijill_queue_questions", journal.reads.count)
        set("sijill_subscribers", journal.ring.listenerCount)
        set("sijill_cache_bytes", journal.cache.bytes)
        set("sijill_cache_hits", journal.cache.hits.load(ordering: .relaxed))
        set("sijill_cache_misses", journal.cache.misses.load(ordering: .relaxed))
    }
}
