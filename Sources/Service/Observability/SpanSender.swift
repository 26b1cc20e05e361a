import AsyncHTTPClient
import Core
import Logging
import NIOCore
import NIOHTTP1

/// Sends spans to a collector: OTLP over HTTP, as JSON. Whatever becomes of that, requests go on.
final class SpanSender: Sendable {
    private static let batch = 512
    private static let pause = Duration.milliseconds(100)
    /// How often a batch is tried that the collector would rather have later.
    private static let tries = 5
    private static let longestDelay = 30
    /// How long the last spans are tried to be sent when the service ends.
    private static let farewell = Duration.seconds(3)

    private let endpoint: String
    private let tracer: Tracer
    private let logger: Logger
    private let isEnding = Flag()
    private let client: HTTPClient

    init(_ endpoint: String, _ tracer: Tracer, _ logger: Logger) {
        self.endpoint = endpoint
        self.tracer = tracer
        self.logger = logger
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Sends each second, or as soon as a batch is full, until the body is done; then what is left.
    func whileSending<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        let sending = Task { await send() }
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        isEnding.set()
        let deadline = Task {
            try await Task.sleep(for: Self.farewell)
            sending.cancel()
        }
        await sending.value
        deadline.cancel()
        tracer.count(sent: 0, dropped: tracer.count)
        try? await client.shutdown()
        return try result.get()
    }

    private func send() async {
        var last = ContinuousClock.now
        while !Task.isCancelled {
            let isLast = isEnding.isSet
            let isDue = last.duration(to: .now) >= .seconds(1)
            guard isLast || isDue || tracer.count >= Self.batch else {
                try? await Task.sleep(for: Self.pause)
                continue
            }
            last = .now
            while case let spans = tracer.take(atMost: Self.batch), !spans.isEmpty {
                await send(spans)
            }
            if isLast { return }
        }
    }

    /// Once, or a few times where the collector may take it later (OTLP, Failures).
    private func send(_ spans: [Span]) async {
        let body = OTLP.document(spans).canonical
        for attempt in 1...Self.tries {
            let outcome = await post(body)
            switch outcome {
            case .taken(let refused):
                tracer.count(
                    sent: max(0, spans.count - refused), dropped: min(refused, spans.count))
                return
            case .refused(let why):
                logger.warning("spans were refused", metadata: ["status": "\(why)"])
                tracer.count(sent: 0, dropped: spans.count)
                return
            case .later(let seconds):
                guard attempt < Self.tries, await wait(seconds ?? 1 << (attempt - 1)) else {
                    logger.warning(
                        "spans could not be sent", metadata: ["spans": "\(spans.count)"])
                    tracer.count(sent: 0, dropped: spans.count)
                    return
                }
            }
        }
    }

    private enum Outcome {
        /// All of them but so many.
        case taken(refused: Int)
        case refused(UInt)
        /// After so many seconds, where the collector says.
        case later(Int?)
    }

    private func post(_ body: [UInt8]) async -> Outcome {
        var request = HTTPClientRequest(url: endpoint)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: .seconds(10))
            let answer = try await response.body.collect(upTo: 64 << 10)
            switch response.status.code {
            case 200..<300: return .taken(refused: OTLP.refused(answer))
            case 429, 502, 503, 504:
                return .later(response.headers.first(name: "Retry-After").flatMap { Int($0) })
            default: return .refused(response.status.code)
            }
        } catch {
            return .later(nil)
        }
    }

    /// False where the service ends meanwhile. The time is stretched by chance, so that several senders do not come at once.
    private func wait(_ seconds: Int) async -> Bool {
        let whole = Duration.seconds(min(max(0, seconds), Self.longestDelay))
        let end = ContinuousClock.now + whole + .milliseconds(Int.random(in: 0..<500))
        while !isEnding.isSet, !Task.isCancelled, ContinuousClock.now < end {
            try? await Task.sleep(for: Self.pause)
        }
        return !isEnding.isSet && !Task.isCancelled
    }
}

/// Spans in the JSON form of OTLP 1.
enum OTLP {
    static func document(_ spans: [Span]) -> JSON {
        let name = JSON.string("sijilld")
        let resource = [attribute("service.name", .text("sijilld"))]
        let scope = JSON.object(of: [
            ("scope", .object(of: [("name", name)])), ("spans", .array(spans.map(span))),
        ])
        let all = JSON.object(of: [
            ("resource", .object(of: [("attributes", .array(resource))])),
            ("scopeSpans", .array([scope])),
        ])
        return .object(of: [("resourceSpans", .array([all]))])
    }

    private static func attribute(_ key: String, _ value: Span.Value) -> JSON {
        let typed: (String, JSON) =
            switch value {
            case .text(let text): ("stringValue", .string(text))
            // As texts, since JSON's numbers are not 64 bits everywhere.
            case .number(let number): ("intValue", .string("\(number)"))
            }
        return .object(of: [("key", .string(key)), ("value", .object(of: [typed]))])
    }

    /// How many spans the collector would not have, though it took the rest.
    static func refused(_ answer: ByteBuffer) -> Int {
        let json = try? JSON(parsing: Array(answer.readableBytesView))
        let rejected = json?["partialSuccess"]?["rejectedSpans"]
        return rejected?.string.flatMap { Int($0) } ?? rejected?.wholeNumber.map { Int($0) } ?? 0
    }

    private static func span(_ span: Span) -> JSON {
        let request = span.request
        var members: [(String, JSON)] = [
            ("traceId", .string(request.trace)), ("spanId", .string(span.id)),
            ("name", .string(span.name)), ("kind", .integer(span.kind.rawValue)),
            ("startTimeUnixNano", .string("\(request.time(span.start))")),
            ("endTimeUnixNano", .string("\(request.time(span.end))")),
            ("attributes", .array(span.attributes.map { attribute($0, $1) })),
            ("status", .object(of: span.hasFailed ? [("code", .integer(2))] : [])),
        ]
        if let parent = span.parent { members.append(("parentSpanId", .string(parent))) }
        if let state = request.context?.state { members.append(("traceState", .string(state))) }
        return .object(of: members)
    }
}
