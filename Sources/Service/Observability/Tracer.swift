import Core
import Engine
import HTTPTypes
import Metrics
import Synchronization

/// A request as it is traced; nothing of the kind is made where no traces are wanted.
struct RequestTrace: Sendable {
    /// 32 hexadecimal digits: also the request's id in the log and in its answer.
    let trace: String
    /// The request's own span.
    let span: String
    let context: TraceContext?
    let isSampled: Bool
    /// By the wall and by the clock that never jumps: spans are cut by the latter.
    let nanoseconds: UInt64
    let start: ContinuousClock.Instant

    func time(_ instant: ContinuousClock.Instant) -> UInt64 {
        let (seconds, attoseconds) = start.duration(to: instant).components
        return nanoseconds &+ UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}

/// A stretch of a request's time, with what OpenTelemetry's conventions say of it.
struct Span: Sendable {
    enum Kind: Int64, Sendable {
        case `internal` = 1
        case server = 2
    }

    enum Value: Sendable {
        case text(String)
        case number(Int)
    }

    let request: RequestTrace
    let id: String
    /// Nil where the trace begins.
    let parent: String?
    let name: String
    let kind: Kind
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant
    let attributes: [(String, Value)]
    var hasFailed = false
}

/// Decides which requests are traced, and keeps their spans until they are sent: so many, and no more.
final class Tracer: Sendable {
    /// Spans that wait; the next ones are dropped and counted.
    static let mostWaiting = 4_096

    private let ratio: Double
    private let waiting = Mutex<[Span]>([])
    private let sent: Counter
    private let dropped: Counter

    /// - Parameter ratio: the share of requests that are traced whose sender says nothing of it.
    init(ratio: Double, _ registry: PrometheusRegistry) {
        self.ratio = ratio
        func counter(_ result: String) -> Counter {
            Counter(
                label: "sijill_spans", dimensions: [("result", result)], factory: registry)
        }
        sent = counter("sent")
        dropped = counter("dropped")
    }

    /// A request begins: its sender decides whether it is traced, or else chance does.
    func begin(_ context: TraceContext?, at start: ContinuousClock.Instant) -> RequestTrace {
        let low = UInt64.random(in: 1...UInt64.max)
        return RequestTrace(
            trace: context?.trace ?? Self.hex(UInt64.random(in: 0...UInt64.max)) + Self.hex(low),
            span: Self.spanID(), context: context,
            isSampled: context?.isSampled ?? (Double(low >> 11) / 0x1p53 < ratio),
            nanoseconds: WallTime.nanoseconds, start: start)
    }

    static func spanID() -> String { hex(UInt64.random(in: 1...UInt64.max)) }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Spans

    /// A request was answered. Its path is told as its route: what stands for a key there may be a person's id.
    func record(
        _ request: RequestTrace, _ method: HTTPRequest.Method, _ route: String?, _ status: Int,
        isSecure: Bool, until end: ContinuousClock.Instant
    ) {
        guard request.isSampled else { return }
        let name = method.knownName
        var attributes: [(String, Span.Value)] = [
            ("http.request.method", .text(name)), ("http.response.status_code", .number(status)),
            ("url.scheme", .text(isSecure ? "https" : "http")),
        ]
        if let route {
            attributes += [("http.route", .text(route)), ("url.path", .text(route))]
        }
        if status >= 500 { attributes.append(("error.type", .text("\(status)"))) }
        add(
            Span(
                request: request, id: request.span, parent: request.context?.parent,
                name: route.map { "\(name) \($0)" } ?? name, kind: .server, start: request.start,
                end: end, attributes: attributes, hasFailed: status >= 500))
    }

    /// A command was recorded: how long it waited for its commit, and how long that took.
    func record(
        _ request: RequestTrace, _ commit: CommitTimes.Commit,
        askedAt asked: ContinuousClock.Instant
    ) {
        // Of a duplicate the commit may lie before.
        guard request.isSampled, commit.end >= asked else { return }
        func child(
            _ name: String, _ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant,
            _ attributes: [(String, Span.Value)] = []
        ) {
            add(
                Span(
                    request: request, id: Self.spanID(), parent: request.span, name: name,
                    kind: .internal, start: start, end: end, attributes: attributes))
        }
        let start = max(asked, commit.start)
        child("sijill.wait", asked, start)
        child(
            "sijill.commit", start, commit.end,
            [("sijill.commit.events", .number(commit.events))])
    }

    private func add(_ span: Span) {
        let isKept = waiting.withLock { waiting in
            guard waiting.count < Self.mostWaiting else { return false }
            waiting.append(span)
            return true
        }
        if !isKept { dropped.increment() }
    }

    // MARK: Sending

    var count: Int { waiting.withLock { $0.count } }

    /// The oldest ones, which are not here any more.
    func take(atMost most: Int) -> [Span] {
        waiting.withLock { waiting in
            let taken = Array(waiting.prefix(most))
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    func count(sent: Int, dropped: Int) {
        if sent > 0 { self.sent.increment(by: sent) }
        if dropped > 0 { self.dropped.increment(by: dropped) }
    }
}

/// When the last commits began and ended: the spans of a command are cut there.
final class CommitTimes: EngineObserver {
    struct Commit: Sendable {
        let last: UInt64
        let events: Int
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
    }

    /// As many as may come between a commit and its answers.
    private static let most = 64

    private let next: any EngineObserver
    private let commits = Mutex<[Commit]>([])

    /// - Parameter next: is told everything, too.
    init(_ next: any EngineObserver) { self.next = next }

    func engine(did activity: EngineActivity) {
        next.engine(did: activity)
        guard case .committed(let commit) = activity else { return }
        let end = ContinuousClock.now
        let times = Commit(
            last: commit.position.number, events: commit.events, start: end - commit.duration,
            end: end)
        commits.withLock { commits in
            if commits.count == Self.most { commits.removeFirst() }
            commits.append(times)
        }
    }

    /// The commit that an event was in; nil where others came since, or it was another process's.
    func commit(of position: Position) -> Commit? {
        commits.withLock { commits in
            commits.last {
                $0.last >= position.number && $0.last - position.number < UInt64($0.events)
            }
        }
    }
}
