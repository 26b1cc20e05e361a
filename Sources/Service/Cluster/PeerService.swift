import Core
import Engine
import EventLog
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ReplicatedLog
import ServiceLifecycle

/// What a node answers other nodes: how it is, persons' keys, and requests that they hand on.
struct PeerService: Sendable {
    private let cluster: HostedCluster
    private let engine: EventEngine
    private let responder: Responder
    private let logger: Logger

    private static let mostBytes = 64 << 20

    init(
        _ cluster: HostedCluster, _ engine: EventEngine, _ responder: Responder, _ logger: Logger
    ) {
        self.cluster = cluster
        self.engine = engine
        self.responder = responder
        self.logger = logger
    }

    /// The server that other nodes reach.
    func server(_ configuration: ServiceConfiguration) throws -> any Service {
        let settings = configuration.cluster
        guard let chain = settings.certificate, let key = settings.privateKey,
            let authority = settings.authority,
            let place = ServiceConfiguration.Place(
                settings.listen.isEmpty ? settings.address : settings.listen)
        else { throw ConfigurationError("cluster.address: host:port is wanted") }
        var tls = try ServerCertificate(chain: chain, key: key).configuration
        tls.minimumTLSVersion = .tlsv13
        tls.shutdownTimeout = PeerClient.farewell
        tls.trustRoots = .file(authority)
        tls.certificateVerification = .noHostnameVerification
        let one = HTTP1Channel.Configuration(idleTimeout: .seconds(60))
        return try HTTPServerBuilder.tls(.http1(configuration: one), tlsConfiguration: tls)
            .buildServer(
                configuration: ServerConfiguration(
                    address: .hostname(place.host, port: place.port)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            ) { request, writer, channel in
                try await answer(request, writer, channel)
            } onServerRunning: { channel in
                await AcceptPause.add(to: channel)
            }
    }

    private func answer(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        guard let peer = await peer(on: channel) else {
            var response = Self.plain(.forbidden, "no node of this cluster\n")
            // It may have come just now.
            response.headers[.handedBack] = cluster.node.name
            return try await writer.write(response: response.head, body: response.body)
        }
        if request.uri.path.hasPrefix("/v1/") {
            return try await responder.respond(
                to: request, with: writer, on: channel, handedOnBy: peer)
        }
        let response: Response
        do {
            switch (request.method, request.uri.path) {
            case (.get, "/cluster/node"): response = tell()
            case (.post, "/cluster/keys"): response = try await keep(try await json(of: request))
            case (.post, "/cluster/keys/wanted"):
                response = try await give(try await json(of: request), to: peer)
            default: response = Self.plain(.notFound, "not found\n")
            }
        } catch let error as EngineError {
            response = Self.plain(.serviceUnavailable, "\(error.message)\n")
        } catch {
            response = Self.plain(.badRequest, "not what one node asks another\n")
        }
        try await writer.write(response: response.head, body: response.body)
    }

    /// The node whose certificate the connection has shown; nil if it is none of the cluster.
    private func peer(on channel: any Channel) async -> String? {
        guard let certificate = await ClientCertificate.shown(on: channel) else { return nil }
        return cluster.status.members.first {
            certificate.names.contains("DNS:\($0.name.lowercased())")
        }?.name
    }

    private func json(of request: Request) async throws -> JSON {
        let bytes = try await request.body.collect(upTo: Self.mostBytes)
        return try JSON(parsing: Array(bytes.readableBytesView))
    }

    private static func plain(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: Answers

    private func tell() -> Response {
        let status = cluster.status
        return Response(
            json: JSON.object(of: [
                ("frames", .integer(Int64(status.frames))),
                ("holdsLog", .bool(cluster.node.holdsLog)),
                ("node", .string(cluster.node.name)),
                ("role", .string(status.role.rawValue)),
                ("term", .integer(Int64(status.log?.term ?? 0))),
            ]).canonical)
    }

    private func keep(_ json: JSON) async throws -> Response {
        guard let keys = PeerMessages.keys(in: json),
            let term = json["term"]?.wholeNumber.flatMap({ UInt32(exactly: $0) })
        else { throw ConfigurationError("keys and term are wanted") }
        let node = cluster.node
        try await work.run(within: .seconds(5)) { try node.keep(keys, term: term) }
        return Response(json: JSON.object(of: []).canonical)
    }

    private func give(_ json: JSON, to peer: String) async throws -> Response {
        guard let slots = PeerMessages.slots(in: json, named: "slots") else {
            throw ConfigurationError("slots are wanted")
        }
        let engine = engine
        let given = try await work.run(within: .seconds(5)) { try engine.keys(in: slots) }
        logger.info("keys given", metadata: ["node": "\(peer)", "keys": "\(given.keys.count)"])
        return Response(
            json: PeerMessages.keys(
                given.keys, [PeerMessages.slots(given.destroyed, named: "destroyed")]
            ).canonical)
    }

    private let work = BlockingWork("peers", threads: 1, atMost: 1_024)
}
