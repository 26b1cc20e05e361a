import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import ReplicatedLog

/// Hands requests on to the node that decides, in the name of whoever sent them.
struct Forwarding: Sendable {
    let cluster: HostedCluster

    /// How long a request waits for a node that decides.
    private static let patience = Duration.seconds(10)
    private static let pause = Duration.milliseconds(50)
    private static let oneSeconds: Int64 = 30
    private static let manySeconds: Int64 = 3_600

    /// What the node that decides must know of a request; the connection is another one there.
    private static let asked: [HTTPField.Name] = [
        .authorization, .contentType, .accept, .acceptLanguage, .idempotencyKey, .traceparent,
        .tracestate,
    ]
    /// What its answer says to the client.
    private static let answered: [HTTPField.Name] = [
        .contentType, .contentLanguage, .cacheControl, .position, .idempotencyReplayed, .location,
        .retryAfter, .wwwAuthenticate,
    ]

    /// Answers a command by the node that decides, be it this one or another, and waits while there is none.
    ///
    /// An answer that is lost with a node is asked for again: a command's id says whether it is recorded already.
    ///
    /// - Parameter here: what this node answers.
    func answerOne(
        _ request: Request, _ body: ByteBuffer, _ context: CallContext,
        here: (Request) async throws -> Response
    ) async throws -> Response {
        var request = request
        request.body = RequestBody(buffer: body)
        let end = ContinuousClock.now + Self.patience
        var problem = Self.nobody
        repeat {
            do {
                if cluster.decides { return try await here(request) }
                return try await handOn(
                    request, .bytes(body), context, within: .seconds(Self.oneSeconds))
            } catch let failure as NodeLost {
                problem = failure.problem
            } catch {
                // It was this node's until just now.
                if cluster.decides { throw error }
                problem = Self.unknown
            }
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < end
        throw problem
    }

    /// Answers a stream of commands: none of it is asked again.
    func answerMany(
        _ request: Request, _ context: CallContext, here: (Request) async throws -> Response
    ) async throws -> Response {
        let end = ContinuousClock.now + Self.patience
        while !cluster.decides, decider == nil, ContinuousClock.now < end {
            try await Task.sleep(for: Self.pause)
        }
        if cluster.decides { return try await here(request) }
        do {
            return try await handOn(
                request, .stream(request.body, length: .unknown), context,
                within: .seconds(Self.manySeconds))
        } catch let failure as NodeLost {
            throw failure.problem
        }
    }

    /// Why no answer came.
    private struct NodeLost: Error {
        let problem: Problem
    }

    static let nobody = Problem.unavailable(
        "no-decider", "no node decides just now: send it again in a moment")
    private static let unknown = Problem.unavailable(
        "outcome-unknown",
        "the node that decides was lost before it answered: send the same again, its id says whether it is recorded"
    )

    /// The node that decides, if it is another one and has been heard of.
    private var decider: ClusterMember? {
        let status = cluster.status
        guard let decider = status.decider, decider.name != cluster.node.name,
            !decider.hasResigned
        else { return nil }
        return decider
    }

    private func handOn(
        _ request: Request, _ body: HTTPClientRequest.Body, _ context: CallContext,
        within limit: TimeAmount
    ) async throws -> Response {
        guard let decider, let client = cluster.peers.client(for: decider),
            let url = PeerClient.url(of: decider, request.uri.description)
        else { throw NodeLost(problem: Self.nobody) }
        var sent = HTTPClientRequest(url: url)
        sent.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        for name in Self.asked {
            for value in request.headers[values: name] {
                sent.headers.add(name: name.canonicalName, value: value)
            }
        }
        if let certificate = await context.clientCertificate() {
            sent.headers.add(
                name: HTTPField.Name.clientCertificate.canonicalName, value: certificate.field)
        }
        sent.body = body
        let response = try await answer(to: sent, client, decider, limit)
        // It was asked as the one that decides, and is that no more.
        if response.headers.first(name: HTTPField.Name.handedBack.canonicalName) != nil {
            throw NodeLost(problem: Self.nobody)
        }
        var headers = HTTPFields()
        for name in Self.answered {
            for value in response.headers[name.canonicalName] {
                headers.append(HTTPField(name: name, value: value))
            }
        }
        return Response(
            status: .init(code: Int(response.status.code)), headers: headers,
            body: ResponseBody { writer in
                for try await buffer in response.body { try await writer.write(buffer) }
                try await writer.finish(nil)
            })
    }

    /// The head of the answer. A node that is paused acknowledges what it gets, and answers nothing: whoever takes over from
    /// it ends the wait.
    private func answer(
        to request: HTTPClientRequest, _ client: HTTPClient, _ decider: ClusterMember,
        _ limit: TimeAmount
    ) async throws -> HTTPClientResponse {
        try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { group in
            group.addTask {
                do {
                    return try await client.execute(request, timeout: limit)
                } catch {
                    throw NodeLost(problem: Self.unknown)
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.pause)
                    if self.decider?.name != decider.name { return nil }
                }
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let response = first else {
                throw NodeLost(problem: Self.unknown)
            }
            return response
        }
    }
}
