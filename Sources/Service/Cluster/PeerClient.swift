import AsyncHTTPClient
import Core
import Dispatch
import EventLog
import NIOCore
import NIOHTTP1
import NIOSSL
import ReplicatedLog
import Synchronization

/// Asks other nodes, over TLS in which both sides show a certificate that the cluster's authority has signed. A node is who
/// its certificate says, wherever it is reached.
final class PeerClient: ClusterPeers {
    private struct Route: Hashable {
        let name: String
        let address: String
    }

    private static let answerBytes = 64 << 20
    private static let keySeconds: Int64 = 3
    private static let healthMilliseconds: Int64 = 1_000
    /// How long the end of a connection is waited for, of either side's: a connection that rests does not see that the other
    /// one says goodbye.
    static let farewell = TimeAmount.milliseconds(250)

    private let tls: TLSConfiguration
    /// Nil when it was shut down: nobody would end a client that is made later.
    private let clients = Mutex<[Route: HTTPClient]?>([:])

    init(_ configuration: ServiceConfiguration.Cluster) throws {
        guard let chain = configuration.certificate, let key = configuration.privateKey,
            let authority = configuration.authority
        else { throw ConfigurationError("cluster.certificate: it is missing") }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv13
        tls.shutdownTimeout = Self.farewell
        tls.trustRoots = .file(authority)
        tls.certificateChain = try NIOSSLCertificate.fromPEMFile(chain).map { .certificate($0) }
        tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        self.tls = tls
    }

    /// For requests to one node: the name in their URL is the node's. Nil where its address is none, and after ``shutdown()``.
    func client(for member: ClusterMember) -> HTTPClient? {
        guard let place = ServiceConfiguration.Place(member.address) else { return nil }
        let route = Route(name: member.name, address: member.address)
        return clients.withLock { clients in
            guard let all = clients else { return nil }
            if let known = all[route] { return known }
            var settings = HTTPClient.Configuration(
                redirectConfiguration: .disallow, timeout: .init(connect: .seconds(1)))
            settings.tlsConfiguration = tls
            settings.httpVersion = .http1Only
            settings.dnsOverride = [member.name: place.host]
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
            // Whoever asks tries again. The client itself would wait for up to a minute when a node has been away, though
            // that is back meanwhile and decides.
            settings.connectionPool.retryConnectionEstablishment = false
            let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
            clients?[route] = made
            return made
        }
    }

    static func url(of member: ClusterMember, _ path: String) -> String? {
        ServiceConfiguration.Place(member.address).map {
            "https://\(member.name):\($0.port)\(path)"
        }
    }

    func shutdown() async {
        let all = clients.withLock { clients in
            defer { clients = nil }
            return clients
        }
        for client in (all ?? [:]).values { try? await client.shutdown() }
    }

    // MARK: Asking

    private enum Answer: Sendable {
        case good(JSON)
        case other(status: UInt, reason: String)
        case none
    }

    private func ask(
        _ member: ClusterMember, _ path: String, _ body: JSON?, _ limit: TimeAmount
    ) async -> Answer {
        guard let client = client(for: member), let url = Self.url(of: member, path) else {
            return .none
        }
        var request = HTTPClientRequest(url: url)
        if let body {
            request.method = .POST
            request.headers = ["Content-Type": "application/json"]
            request.body = .bytes(ByteBuffer(bytes: body.canonical))
        }
        do {
            let response = try await client.execute(request, timeout: limit)
            let bytes = try await response.body.collect(upTo: Self.answerBytes)
            guard response.status == .ok else {
                return .other(status: response.status.code, reason: String(buffer: bytes))
            }
            return .good(try JSON(parsing: Array(bytes.readableBytesView)))
        } catch {
            return .none
        }
    }

    /// Waits for what a task finds out: for threads that have nothing else to do.
    private static func wait<R: Sendable>(_ body: @escaping @Sendable () async -> R) -> R? {
        let found = Found<R>()
        Task { found.tell(await body()) }
        return found.wait()
    }

    private final class Found<R: Sendable>: Sendable {
        private let result = Mutex<R?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func tell(_ found: R) {
            result.withLock { $0 = found }
            isThere.signal()
        }

        func wait() -> R? {
            isThere.wait()
            return result.withLock { $0 }
        }
    }

    // MARK: ClusterPeers

    func give(
        _ keys: [CarriedKey], term: UInt32, to members: [ClusterMember], wanted: Int
    ) -> Int {
        let message = PeerMessages.keys(keys, [("term", .integer(Int64(term)))])
        return Self.wait {
            // Whoever is slow is not waited for, and gets them all the same.
            let answers = AsyncStream<Bool> { answers in
                let countdown = Countdown(members.count)
                for member in members {
                    Task {
                        let answer = await self.ask(
                            member, "/cluster/keys", message, .seconds(Self.keySeconds))
                        if case .good = answer { answers.yield(true) }
                        if countdown.isLast() { answers.finish() }
                    }
                }
            }
            var count = 0
            for await _ in answers {
                count += 1
                if count >= wanted { break }
            }
            return count
        } ?? 0
    }

    private final class Countdown: Sendable {
        private let left: Atomic<Int>

        init(_ count: Int) { left = Atomic(count) }

        func isLast() -> Bool {
            left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
        }
    }

    func keys(in slots: [UInt32], of member: ClusterMember) -> GivenKeys? {
        let message = JSON.object(of: [PeerMessages.slots(slots, named: "slots")])
        let answer = Self.wait {
            await self.ask(member, "/cluster/keys/wanted", message, .seconds(Self.keySeconds))
        }
        guard case .good(let json)? = answer, let keys = PeerMessages.keys(in: json),
            let destroyed = PeerMessages.slots(in: json, named: "destroyed")
        else { return nil }
        return GivenKeys(keys: keys, destroyed: destroyed)
    }

    func holdsLog(_ member: ClusterMember) -> Bool? {
        let answer = Self.wait {
            await self.ask(
                member, "/cluster/node", nil, .milliseconds(Self.healthMilliseconds))
        }
        guard case .good(let json)? = answer else { return nil }
        return json["holdsLog"]?.bool
    }
}
