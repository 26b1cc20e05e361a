package import CoreMetrics
import Synchronization

/// Keeps what swift-metrics is told, and writes it in the text form of Prometheus (version 0.0.4).
///
/// Counters end in `_total`; timers are histograms in seconds; meters and recorders without aggregation are gauges.
package final class PrometheusRegistry: MetricsFactory {
    /// Upper bounds of a histogram's buckets, in seconds.
    static let buckets: [Double] = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
        2.5, 5, 10,
    ]

    fileprivate enum Kind: String {
        case counter, gauge, histogram
    }

    private struct Key: Hashable {
        let name: String
        let labels: String
    }

    private let series = Mutex<[Key: Series]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(.counter, label + "_total", dimensions)
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(aggregate ? .histogram : .gauge, label, dimensions)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(.gauge, label, dimensions)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(.histogram, label + "_seconds", dimensions)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Takes away all series of a name: what they were about may be gone.
    func forget(_ name: String) {
        series.withLock { series in series = series.filter { $0.key.name != name } }
    }

    private func find(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
        let name = Self.name(label)
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.sorted()
        let key = Key(name: name, labels: labels.joined(separator: ","))
        return series.withLock { series in
            if let known = series[key] { return known }
            let made = Series(kind)
            series[key] = made
            return made
        }
    }

    /// What the series are, where their names do not say all.
    private static let help = [
        "http_server_request_duration_seconds":
            "From the head of a request to the head of its answer.",
        "process_cpu_seconds": "Processor time, of the user and of the system.",
        "process_open_fds": "Open files and sockets.",
        "process_resident_memory_bytes":
            "Memory that is resident, mapped pages of journals with it.",
        "sijill_bytes_total": "Bytes that commits wrote.",
        "sijill_cache_bytes": "Answers that are kept.",
        "sijill_cache_hits": "Questions that were answered with a kept answer.",
        "sijill_cache_misses": "Questions whose answer was made.",
        "sijill_commits_total": "Commits of this process.",
        "sijill_commit_duration_seconds": "From the decision to the flush.",
        "sijill_disk_free_bytes": "Free on the file system of the default journal.",
        "sijill_events_total": "Events that this process recorded.",
        "sijill_failures_total": "What failed beside what was asked.",
        "sijill_fold_duration_seconds": "A fold of new events into a state.",
        "sijill_subscription_lag_events":
            "Events behind the partition that is furthest back, others' among them.",
        "sijill_subscription_parked": "Streams that wait behind an event that was parked.",
        "sijill_webhook_deliveries_total": "Events that were posted, by what came of it.",
        "sijill_folded_events_total": "Events that were folded into states.",
        "sijill_journal_position": "Of the journal's last event.",
        "sijill_job_duration_seconds": "Jobs that ended, by kind and state.",
        "sijill_jobs_running": "Jobs that run, by kind.",
        "sijill_position": "Of the last event that this process recorded.",
        "sijill_queue_lines": "Commands that wait for their commit.",
        "sijill_queue_questions": "Questions that wait for a reader, or are being answered.",
        "sijill_queue_scans": "Pages of events that wait to be looked for, or are being.",
        "sijill_seal_duration_seconds": "The sealing of a journal's tail into blocks.",
        "sijill_sealed_events_total": "Events that were sealed into blocks.",
        "sijill_spans_total": "Spans that were sent, and those that were not.",
        "sijill_store_duration_seconds": "The storing of a state.",
        "sijill_stored_views_total": "States that were stored.",
        "sijill_submit_total": "Outcomes, by status and code.",
        "sijill_subscribers": "Clients that listen live.",
        "sijill_unsigned_events": "Events of the default journal that no checkpoint covers.",
        "sijill_witness_requests_total": "Signatures that witnesses were asked for.",
    ]

    /// All series, by name and labels.
    package var text: String {
        let all = series.withLock { $0 }.sorted { left, right in
            (left.key.name, left.key.labels) < (right.key.name, right.key.labels)
        }
        var text = ""
        var last = ""
        for (key, series) in all {
            if key.name != last {
                let help = Self.help[key.name] ?? "As its name says."
                text += "# HELP \(key.name) \(help)\n"
                text += "# TYPE \(key.name) \(series.kind.rawValue)\n"
            }
            last = key.name
            series.write(key.name, key.labels, to: &text)
        }
        return text
    }

    /// Letters, digits, `_` and `:`.
    private static func name(_ label: String) -> String {
        String(
            label.unicodeScalars.map { scalar -> Character in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            })
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\n", with: "\\n")
    }
}

/// One line of measurements, or those of a histogram.
private final class Series: CounterHandler, RecorderHandler, MeterHandler, TimerHandler {
    private struct State {
        var value = 0.0
        var count = 0
        var buckets = [Int](repeating: 0, count: PrometheusRegistry.buckets.count)
    }

    let kind: PrometheusRegistry.Kind
    private let state = Mutex(State())

    init(_ kind: PrometheusRegistry.Kind) { self.kind = kind }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
    func reset() { state.withLock { $0 = State() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        state.withLock { state in
            guard kind == .histogram else {
                state.value = value
                return
            }
            state.value += value
            state.count += 1
            if let bucket = PrometheusRegistry.buckets.firstIndex(where: { value <= $0 }) {
                state.buckets[bucket] += 1
            }
        }
    }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let state = state.withLock { $0 }
        let braced = labels.isEmpty ? "" : "{\(labels)}"
        guard kind == .histogram else {
            text += "\(name)\(braced) \(Self.number(state.value))\n"
            return
        }
        let comma = labels.isEmpty ? "" : ","
        var sum = 0
        for (bound, count) in zip(PrometheusRegistry.buckets, state.buckets) {
            sum += count
            text += "\(name)_bucket{\(labels)\(comma)le=\"\(bound)\"} \(sum)\n"
        }
        text += "\(name)_bucket{\(labels)\(comma)le=\"+Inf\"} \(state.count)\n"
        text +=
            "\(name)_sum\(braced) \(Self.number(state.value))\n\(name)_count\(braced) \(state.count)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
