import Core
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// Answers requests by the routes; turns errors into problems, counts and logs, and says in each head what it has to say.
///
/// Hummingbird's own router and application do the same for any service; what they cost a small answer is in
/// docs/benchmarks.md.
struct Responder: Sendable {
    private let routes: Routes
    private let tree: RouteTree<Routes.Way>
    private let logger: Logger
    private let ids = RequestIDs()
    private let date = DateLine()
    private let isSecure: Bool
    /// Nil where the settings want none.
    private let console: ConsoleSite?

    init(_ routes: Routes, _ heads: RecentHeads, _ logger: Logger) {
        self.routes = routes
        tree = routes.tree()
        console = routes.configuration.console ? ConsoleSite(routes, tree, heads) : nil
        self.logger = logger
        isSecure = routes.configuration.certificate != nil
    }

    /// - Parameter node: the node of the cluster that hands the request on, where it is one.
    func respond(
        to request: Request, with writer: consuming ResponseWriter, on channel: any Channel,
        handedOnBy node: String? = nil
    ) async throws {
        let response = try await answer(request, channel, node)
        do {
            try await writer.write(
                response: response.head, body: response.body.paced(on: channel))
        } catch is HTTPParserError {
            // It would be answered once more.
            throw CancellationError()
        }
    }

    private func answer(
        _ request: Request, _ channel: any Channel, _ node: String?
    ) async throws -> Response {
        let start = ContinuousClock.now
        let given = TraceContext(request.headers)
        let trace = routes.tracer?.begin(given, at: start)
        let context = CallContext(
            trace?.trace ?? given?.trace ?? ids.next(), channel, trace, logger,
            handedOnBy: node, certificate: request.headers[.clientCertificate])
        let path = request.uri.path
        if let console, ConsoleSite.serves(path) {
            return await page(request, context, console, trace, start)
        }
        let found = tree.find(path[...])
        let isHead = request.method == .head && found?[.head] == nil
        let way = found?[isHead ? .get : request.method]
        var response: Response
        do {
            guard let found else { throw Problem.notFound(path) }
            guard let way else { throw Self.notAllowed(request.method, found.methods) }
            response = try await routes.answer(request, context, way, found.names)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Self.problem(error, context).response(from: request, id: context.id)
        }
        if isHead { response = response.createHeadResponse() }
        finish(&response, request, context, way?.route, trace, start)
        return response
    }

    /// A page of the console: it is none of the API's routes.
    private func page(
        _ request: Request, _ context: CallContext, _ console: ConsoleSite, _ trace: RequestTrace?,
        _ start: ContinuousClock.Instant
    ) async -> Response {
        var response: Response
        do {
            response = try await console.answer(request, context)
        } catch {
            response = Self.problem(error, context).response(from: request, id: context.id)
        }
        finish(&response, request, context, "/ui", trace, start)
        return response
    }

    /// What stands in every head, and what is counted and told of every request.
    private func finish(
        _ response: inout Response, _ request: Request, _ context: CallContext, _ path: String?,
        _ trace: RequestTrace?, _ start: ContinuousClock.Instant
    ) {
        response.headers.append(Self.nosniff)
        response.headers.append(HTTPField(name: .requestID, value: context.id))
        response.headers.append(date.now)
        response.headers.append(Self.server)
        let end = ContinuousClock.now
        let duration = start.duration(to: end)
        let route = path ?? "none"
        routes.metrics.count(request.method, route, response.status, duration)
        if let trace {
            routes.tracer?.record(
                trace, request.method, path, response.status.code, isSecure: isSecure,
                until: end)
        }
        if logger.logLevel <= .debug {
            context.logger.debug(
                "answered",
                metadata: [
                    "method": "\(request.method.rawValue)", "route": "\(route)",
                    "status": "\(response.status.code)",
                    "microseconds": "\(duration.components.attoseconds / 1_000_000_000_000)",
                ])
        }
    }

    /// Made once: a field's value is checked when it is made.
    private static let nosniff = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    private static let server = HTTPField(name: .server, value: "sijilld")

    static func problem(_ error: any Error, _ context: CallContext) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as HTTPError:
            return Problem(
                error.status, "\(error.status.code)", error.body ?? error.status.reasonPhrase)
        case is CancellationError:
            return .unavailable("draining", "the service is shutting down")
        default:
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            return Problem(
                .internalServerError, "internal",
                "the service failed; its operator finds why in the log")
        }
    }

    private static func notAllowed(
        _ method: HTTPRequest.Method, _ known: [HTTPRequest.Method]
    ) -> Problem {
        let allowed = Set(known.map(\.rawValue) + (known.contains(.get) ? ["HEAD"] : []))
            .sorted().joined(separator: ", ")
        var problem = Problem(
            .methodNotAllowed, "method-not-allowed",
            "\(method.rawValue) is not for this path: \(allowed)")
        problem.headers[.allow] = allowed
        return problem
    }
}

/// Names for requests: 32 hexadecimal digits, of which half are this process's.
private final class RequestIDs: Sendable {
    private let process = UInt64.random(in: 0...UInt64.max)
    private let last = Atomic<UInt64>(UInt64.random(in: 0...UInt64.max))

    func next() -> String {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        return unsafe String(unsafeUninitializedCapacity: 32) { digits in
            for place in 0..<16 {
                unsafe digits[place] = Self.digit(process, place)
                unsafe digits[place + 16] = Self.digit(number, place)
            }
            return 32
        }
    }

    private static func digit(_ number: UInt64, _ place: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: number >> ((15 - place) * 4)) & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// The `Date` of answers (RFC 9110, 6.6.1), written once a second.
private final class DateLine: Sendable {
    private let line = Mutex<(second: Int64, field: HTTPField)>((0, DateLine.field(0)))

    var now: HTTPField {
        let second = Instant.now.milliseconds / 1_000
        return line.withLock { line in
            if line.second != second { line = (second, Self.field(second)) }
            return line.field
        }
    }

    private static func field(_ second: Int64) -> HTTPField {
        HTTPField(name: .date, value: text(second))
    }

    private static func text(_ second: Int64) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        // 2026-11-24T05:07:50Z
        let parts = "\(Instant(milliseconds: second * 1_000))".split { "-T:Z.".contains($0) }
        guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else {
            return ""
        }
        let day = days[Int((second / 86_400) % 7)]
        return
            "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
