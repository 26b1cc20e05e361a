import Core
import Engine
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import UnixSignals

/// The network service over journals (docs/service.md).
package struct SijillService: Sendable {
    private let configuration: ServiceConfiguration
    private let logger: Logger
    private let registry: PrometheusRegistry

    package init(
        _ configuration: ServiceConfiguration, logger: Logger, metrics registry: PrometheusRegistry
    ) {
        self.configuration = configuration
        self.logger = logger
        self.registry = registry
    }

    /// Serves until SIGTERM or SIGINT, and then until what runs is answered.
    ///
    /// - Parameter started: is told the address when requests can come.
    package func run(_ started: @escaping @Sendable (String) -> Void) async throws {
        OpenFiles.raise(for: configuration.limits.connections, logger)
        let policy = try await accessPolicy()
        let certificate = try serverCertificate()
        let sender = try WebhookSender(configuration)
        let journals = try HostedJournals(configuration, sender, logger)
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve(journals, policy, certificate, started))
        } catch {
            result = .failure(error)
        }
        await journals.close()
        await sender.shutdown()
        try result.get()
    }

    private func serve(
        _ journals: HostedJournals, _ policy: AccessPolicy, _ certificate: ServerCertificate?,
        _ started: @escaping @Sendable (String) -> Void
    ) async throws {
        let authenticator = Authenticator(policy, logger)
        let drain = Drain()
        let signer = try CheckpointSigner(journals.standard, configuration, logger)
        let tracer = configuration.traceEndpoint.map { _ in
            Tracer(ratio: configuration.traceRatio, registry)
        }
        let routes = Routes(
            configuration: configuration, journals: journals, authenticator: authenticator,
            metrics: ServiceMetrics(registry: registry), drain: drain, signer: signer,
            tracer: tracer,
            sinks: HostedSinks(configuration.sinkAddresses, journals.standard.engine))
        let scheme = configuration.certificate == nil ? "http" : "https"
        let host = configuration.host
        let heads = RecentHeads()
        let responder = Responder(routes, heads, logger)
        let server = try server(certificate).buildServer(
            configuration: ServerConfiguration(
                address: .hostname(host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.limits.connections)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
        ) { request, writer, channel in
            try await responder.respond(to: request, with: writer, on: channel)
        } onServerRunning: { channel in
            await AcceptPause.add(to: channel)
            started("\(scheme)://\(host):\(channel.localAddress?.port ?? 0)")
            ServiceManager.notify("READY=1")
        }
        // The last one is ended first: whatever answers a request is there until the server has answered it.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        let cluster = journals.standard.cluster
        if let cluster {
            let peers = PeerService(cluster, journals.standard.engine, responder, logger)
            services.append(.init(service: cluster))
            services.append(.init(service: try peers.server(configuration)))
        }
        if let signer { services.append(.init(service: signer)) }
        services += [
            .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
            .init(
                service: Reloading(
                    configuration: configuration, authenticator: authenticator,
                    journals: journals, certificate: certificate, logger: logger)),
        ]
        if let cluster {
            services.append(.init(service: HostedCluster.Resigning(node: cluster.node)))
        }
        services.append(.init(service: Draining(journals: journals, drain: drain, heads: heads)))
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(configuration.limits.drainSeconds)
        let all = ServiceGroup(configuration: group)
        if let tracer, let endpoint = configuration.traceEndpoint {
            try await SpanSender(endpoint, tracer, logger).whileSending { try await all.run() }
        } else {
            try await all.run()
        }
    }

    private func accessPolicy() async throws(ConfigurationError) -> AccessPolicy {
        guard let file = configuration.access else { return .local }
        return try await AccessPolicy(file: file)
    }

    private func serverCertificate() throws -> ServerCertificate? {
        guard let chain = configuration.certificate, let key = configuration.privateKey else {
            return nil
        }
        return try ServerCertificate(chain: chain, key: key)
    }

    private func server(_ certificate: ServerCertificate?) throws -> HTTPServerBuilder {
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16 << 10
        decoder.maxHeaderListSize = 16 << 10
        decoder.maxHeaderFieldCount = 100
        let one = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ContinueHandler(), DepartureHandler()],
            idleTimeout: .seconds(Int64(configuration.limits.idleSeconds)),
            httpDecoderConfiguration: decoder)
        guard let certificate else { return .http1(configuration: one) }
        var tls = certificate.configuration
        if let authority = configuration.clientAuthority {
            tls.trustRoots = .file(authority)
            tls.certificateVerification =
                configuration.clientsNeedCertificate
                ? .noHostnameVerification : .optionalVerification
        }
        return try .http2Upgrade(
            tlsConfiguration: tls,
            configuration: HTTP2ChannelConfiguration(
                idleTimeout: .seconds(configuration.limits.idleSeconds), streamConfiguration: one))
    }
}

/// Looks after what goes on without requests, and ends it when the service is to stop; streams, too, which never end by
/// themselves.
private struct Draining: Service {
    let journals: HostedJournals
    let drain: Drain
    let heads: RecentHeads

    func run() async throws {
        let watcher = Task { await heads.watch(journals.standard.engine) }
        let watchdog = Task {
            guard let interval = ServiceManager.watchdogInterval else { return }
            while !Task.isCancelled {
                // The journal can be read: the process does more than run.
                if (try? journals.standard.engine.head()) != nil {
                    ServiceManager.notify("WATCHDOG=1")
                }
                try await Task.sleep(for: interval)
            }
        }
        let sweeper = Task { await journals.sweep() }
        let opener = Task {
            while true {
                await journals.openWebhooks()
                // Another program may have had the subscriptions of one.
                try await Task.sleep(for: .seconds(30))
            }
        }
        defer {
            watchdog.cancel()
            sweeper.cancel()
            opener.cancel()
            watcher.cancel()
        }
        // Where it is cancelled, what it looks after ends as well.
        try? await gracefulShutdown()
        ServiceManager.notify("STOPPING=1")
        drain.begin()
        await journals.drain()
    }
}
