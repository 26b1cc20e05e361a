import Console
import HTTPTypes
import Hummingbird
import NIOCore

/// The API as the console asks it: the same routes in the name of the same person, without a socket between.
struct InProcessAPI: ConsoleAPI {
    let routes: Routes
    let tree: RouteTree<Routes.Way>
    /// The request for the page: whose connection it is, and in which language problems are told.
    let page: Request
    let language: PageLanguage
    let token: String?
    let context: CallContext

    private let began = ContinuousClock.now

    /// A page waits so long in all for what it shows; it waits for nothing behind that, and says so.
    private static let patience = Duration.milliseconds(200)
    /// What is at hand is answered within this.
    private static let leastPatience = Duration.milliseconds(10)

    /// The longest document that becomes part of a page.
    private static let mostBytes = 32 << 20

    func ask(
        _ method: String, _ path: String, _ query: [(name: String, value: String)], _ body: [UInt8]?
    ) async -> APIAnswer {
        let pairs = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        let target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
        guard let method = HTTPRequest.Method(method) else {
            return APIAnswer(status: 405, body: [])
        }
        var request = asked(method, target, accept: nil)
        request.body = RequestBody(buffer: ByteBuffer(bytes: body ?? []))
        var patient = context
        patient.patience = max(Self.leastPatience, Self.patience - began.duration(to: .now))
        do {
            return try await Self.collected(answer(to: request, path, patient))
        } catch {
            let response = Responder.problem(error, context).response(from: request, id: context.id)
            return (try? await Self.collected(response))
                ?? APIAnswer(status: Int(response.status.code), body: [])
        }
    }

    /// A request in the name of who looks; the connection's own body stays, so that a stream can be told when it ends.
    func asked(_ method: HTTPRequest.Method, _ target: String, accept: String?) -> Request {
        var head = HTTPRequest(
            method: method, scheme: page.head.scheme, authority: page.head.authority, path: target)
        if let token { head.headerFields[.authorization] = "Bearer \(token)" }
        head.headerFields[.acceptLanguage] = language.rawValue
        if let accept { head.headerFields[.accept] = accept }
        head.headerFields[.contentType] = "application/json"
        for name in [HTTPField.Name.lastEventID, .ifNoneMatch] {
            if accept != nil, let value = page.headers[name] { head.headerFields[name] = value }
        }
        return Request(head: head, body: page.body)
    }

    func answer(
        to request: Request, _ path: String, _ context: CallContext
    ) async throws -> Response {
        guard let found = tree.find(path[...]), let way = found[request.method] else {
            throw Problem.notFound(path)
        }
        return try await routes.answer(request, context, way, found.names)
    }

    private static func collected(_ response: Response) async throws -> APIAnswer {
        let collector = Collector(mostBytes: mostBytes)
        try await response.body.write(BodyCollector(collector))
        return APIAnswer(
            status: Int(response.status.code), body: collector.bytes,
            position: response.headers[.position].flatMap { UInt64($0) },
            hasMore: response.headers[.nextPage] != nil)
    }

    /// Belongs to the one task that writes the body.
    private final class Collector {
        private(set) var bytes: [UInt8] = []
        private let mostBytes: Int

        init(mostBytes: Int) { self.mostBytes = mostBytes }

        func take(_ buffer: ByteBuffer) throws {
            guard bytes.count + buffer.readableBytes <= mostBytes else {
                throw Problem(
                    .contentTooLarge, "too-large",
                    "the answer is too long for a page: ask the API for it")
            }
            bytes += buffer.readableBytesView
        }
    }

    private struct BodyCollector: ResponseBodyWriter {
        let collector: Collector

        init(_ collector: Collector) { self.collector = collector }

        mutating func write(_ buffer: ByteBuffer) async throws { try collector.take(buffer) }

        consuming func finish(_ trailers: HTTPFields?) async throws {}
    }
}
