import Core
import Dispatch
import Engine
import Logging
import Metrics
import ReplicatedLog
import ServiceLifecycle

/// The node that the default journal of the service is, among others that have the same journal.
final class HostedCluster: Sendable {
    let node: ClusterNode
    let peers: PeerClient
    private let thread = DispatchQueue(label: "sijill.cluster")

    /// What the engine is opened with, before there is a node.
    struct Draft {
        let settings: LogSettings
        let peers: PeerClient
        let log: ClusterLog

        /// Nil where the service stands alone.
        init?(_ configuration: ServiceConfiguration) throws {
            let cluster = configuration.cluster
            guard cluster.isOn else { return nil }
            guard let settings = try LogSettings.read(in: configuration.journal) else {
                throw ConfigurationError(
                    "cluster.address: the frames of \(configuration.journal) go to no log; make one with `replay log create`, or join one with `sijilld cluster join`"
                )
            }
            self.settings = settings
            peers = try PeerClient(cluster)
            log = ClusterLog(node: settings.node, peers: peers, keyCopies: cluster.keyCopies)
        }
    }

    init(
        _ draft: Draft, _ configuration: ServiceConfiguration, _ engine: EventEngine,
        _ logger: Logger, didFillKeys: @escaping @Sendable () -> Void
    ) throws(EngineError) {
        peers = draft.peers
        let cluster = configuration.cluster
        node = try ClusterNode(
            configuration.journal, draft.settings,
            ClusterNode.Options(
                address: cluster.address, decides: cluster.decides, losing: cluster.losing,
                takeOverMilliseconds: cluster.takeOverSeconds * 1_000), engine: engine,
            log: draft.log, peers: draft.peers
        ) { note in
            if case .keysFilled = note { didFillKeys() }
            Self.tell(note, logger)
        }
    }

    private static func tell(_ note: ClusterNode.Note, _ logger: Logger) {
        switch note {
        case .role(let role, let term):
            logger.notice(
                "the node's part in the cluster",
                metadata: ["role": "\(role.rawValue)", "term": "\(term)"])
        case .stopped(let why):
            logger.critical(
                "the log and the journal do not continue each other: nothing is written",
                metadata: ["error": "\(why)"])
        case .logLost(let why):
            logger.error("the log is not to be had", metadata: ["error": "\(why)"])
        case .logBack: logger.notice("the log is back")
        case .diskFailed(let why):
            logger.error("the journal cannot be written", metadata: ["error": "\(why)"])
        case .diskMended: logger.notice("the journal can be written again")
        case .keysMissing(let count):
            logger.error("keys of persons are missing", metadata: ["keys": "\(count)"])
        case .keysFilled(let count):
            logger.notice("keys of persons have come", metadata: ["keys": "\(count)"])
        }
    }

    var status: ClusterNode.Status { node.status }

    var decides: Bool { node.status.role == .decides }

    func observe(_ factory: any MetricsFactory) {
        let status = node.status
        func set(_ label: String, _ value: Double) {
            Meter(label: label, factory: factory).set(value)
        }
        set("sijill_cluster_decides", status.role == .decides ? 1 : 0)
        set("sijill_cluster_stopped", status.role == .stopped ? 1 : 0)
        set("sijill_cluster_term", Double(status.log?.term ?? 0))
        set("sijill_cluster_lag_frames", Double(status.lag))
        set("sijill_cluster_missing_keys", Double(status.missingKeys))
        set("sijill_cluster_silent_seconds", Double(node.silentMilliseconds) / 1_000)
    }
}

/// Follows, and takes over, as long as the service runs: while it ends, too, since what still comes is handed on.
extension HostedCluster: Service {
    func run() async throws {
        let node = node
        let thread = thread
        await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { continuation in
                thread.async {
                    node.run()
                    continuation.resume()
                }
            }
        } onCancelOrGracefulShutdown: {
            node.stop()
        }
    }

    /// Gives up deciding when the service is to end, before anything else does.
    struct Resigning: Service {
        let node: ClusterNode

        private static let patience = Duration.seconds(1)
        private static let pause = Duration.milliseconds(10)

        func run() async {
            try? await gracefulShutdown()
            node.resign()
            // Whoever takes over may want persons' keys of this node.
            let end = ContinuousClock.now + Self.patience
            while node.isHandingOver, ContinuousClock.now < end {
                do { try await Task.sleep(for: Self.pause) } catch { return }
            }
        }
    }
}
