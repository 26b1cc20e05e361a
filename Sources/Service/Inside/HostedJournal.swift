import Core
import Engine
import EngineObservability
import EventLog
import Foundation
import Logging
import Products
import ReplicatedLog
import Synchronization

/// A journal that the service serves: its engine, and what stands between that and the clients.
final class HostedJournal: Sendable {
    /// Empty for the default one.
    let name: String
    /// Of its routes.
    var prefix: String { name.isEmpty ? "/v1" : "/v1/journals/\(name)" }
    let engine: EventEngine
    let cache: AnswerCache
    let reads: Admission
    /// Pages of events, which may be looked for through the whole journal: they do not keep models from being asked.
    let scans: Admission
    let submissions: Admission
    /// Questions about the past, which may fold much: they do not keep those about the present waiting.
    let past: BlockingWork
    /// What of them, and of the present, takes long and is come back for.
    let long = LongAnswers()
    /// Looking up of few events at known places, which does not wait for folds.
    let looks: BlockingWork
    /// The log's tiles and proofs, which many ask for one after another.
    let proving: BlockingWork
    private let striking: BlockingWork
    let ring: EventRing
    let jobs = Jobs()
    /// Nil where the journal has no other nodes.
    var cluster: HostedCluster? { hosted.withLock { $0 } }
    private let hosted = Mutex<HostedCluster?>(nil)
    /// Nil where no traces are wanted.
    let commits: CommitTimes?
    /// Where it lies: for the log, not for clients.
    let directory: String
    private let sender: WebhookSender
    private let logger: Logger
    private let options: EventEngine.Options
    /// Answers without personal values; opened when somebody first asks who is kept from them.
    private let sealed = Mutex<EventEngine?>(nil)
    private let kept = Mutex<Kept?>(nil)
    private let filling = Mutex<Task<Void, any Error>?>(nil)

    private struct Kept {
        let subscriptions: Subscriptions
        let deliveries: Deliveries
    }

    init(
        _ name: String, at directory: String, _ configuration: ServiceConfiguration,
        _ sender: WebhookSender, _ logger: Logger
    ) throws {
        self.name = name
        self.directory = directory
        self.sender = sender
        self.logger = logger
        var options = EventEngine.Options(products: .all)
        options.temporaryDirectory = FileManager.default.temporaryDirectory.path
        let telemetry = EngineTelemetry(logger: logger)
        commits = configuration.traceEndpoint.map { _ in CommitTimes(telemetry) }
        options.observer = commits ?? telemetry
        if configuration.readers > 0 { options.readers = configuration.readers }
        let draft = name.isEmpty ? try HostedCluster.Draft(configuration) : nil
        if let log: any FrameLog = try draft?.log ?? LogNode.log(of: directory) {
            options.log = log
        }
        self.options = options
        engine = try EventEngine(at: directory, options: options)
        let head = try engine.head()
        try engine.growTree()
        cache = AnswerCache(mostBytes: configuration.limits.cacheBytes, from: head)
        reads = Admission(atMost: configuration.limits.waitingReads, "questions")
        scans = Admission(atMost: configuration.limits.waitingScans, "pages of events")
        submissions = Admission(atMost: configuration.limits.waitingLines, "commands")
        past = BlockingWork("past", threads: 1, atMost: 64)
        looks = BlockingWork("looks", threads: 2, atMost: 256)
        proving = BlockingWork("proving", threads: 1, atMost: 256)
        striking = BlockingWork("striking", threads: 1, atMost: .max)
        ring = EventRing(engine, from: head)
        guard let draft else { return }
        let cluster = try HostedCluster(draft, configuration, engine, logger) { [weak self] in
            self?.didRebuild()
        }
        hosted.withLock { $0 = cluster }
    }

    /// More events at once than this take all answers with them.
    private static let mostStruck = 4_096

    /// Takes those answers out of the cache that the newest events may have changed.
    func strike() async throws {
        let (engine, cache, long) = (engine, cache, long)
        try await striking.run(within: .seconds(30)) {
            let from = cache.head
            guard try engine.head() > from else { return }
            if let found = try engine.places(after: from, atMost: Self.mostStruck) {
                cache.strike(found.places, after: from, through: found.through)
            } else {
                // Somebody may have been erased.
                long.forget()
                cache.strike(nil, after: from, through: try engine.head())
            }
        }
    }

    /// How many wait, or are being answered.
    var waitingQuestions: Int { reads.count + scans.count }

    /// Decides commands; where that failed, the cluster's node looks whether its disk is to blame.
    func submit(
        _ lines: [[UInt8]], firstLine: Int = 1, as viewer: Viewer?
    ) async throws(EngineError) -> EventEngine.Submitted {
        let submitted = try await engine.submitAll(lines, firstLine: firstLine, as: viewer)
        if submitted.failure?.kind == .inputOutput { cluster?.node.doubtDisk() }
        return submitted
    }

    /// The engine for an identity: one that opens no personal value, for who may see none.
    func engine(for identity: Identity) throws -> EventEngine {
        try identity.isKeptFromPersonal ? sealedEngine() : engine
    }

    private func sealedEngine() throws -> EventEngine {
        try sealed.withLock { sealed in
            if let sealed { return sealed }
            var options = options
            options.hidesPersonal = true
            options.observer = nil
            let opened = try EventEngine(at: directory, options: options)
            sealed = opened
            return opened
        }
    }

    /// What consumers work off; opened when somebody first asks for it.
    var subscriptions: Subscriptions { get throws { try open().subscriptions } }

    /// What of it is posted to somebody.
    var deliveries: Deliveries { get throws { try open().deliveries } }

    /// Nil while nobody has asked for it.
    var openSubscriptions: Subscriptions? { kept.withLock { $0?.subscriptions } }

    private func open() throws -> Kept {
        try kept.withLock { kept in
            if let kept { return kept }
            let subscriptions = try Subscriptions(at: directory, engine)
            let deliveries = Deliveries(of: name, subscriptions, sender, logger) { [weak self] in
                guard let self else { throw CancellationError() }
                return try sealedEngine()
            }
            kept = Kept(subscriptions: subscriptions, deliveries: deliveries)
            deliveries.update()
            return Kept(subscriptions: subscriptions, deliveries: deliveries)
        }
    }

    /// Begins to post what is to be posted, where the journal has such subscriptions.
    func openWebhooks() throws {
        if openSubscriptions == nil, try SubscriptionStore.hasWebhooks(at: directory) {
            _ = try open()
        }
    }

    /// The ring, which begins to fill when somebody first listens.
    var live: EventRing {
        filling.withLock { filling in
            if filling == nil { filling = Task { try await ring.fill() } }
        }
        return ring
    }

    deinit { filling.withLock { $0?.cancel() } }

    /// Whether nothing goes on that nobody waits for. Subscriptions that somebody looked at once
    /// keep no journal open: their checkpoints are in a file. A lease that is over runs once more when
    /// the file is read anew, as after a start.
    var isIdle: Bool { !jobs.isBusy && openSubscriptions?.isIdle ?? true }

    /// The read models were made again: nothing goes on with what was stored before.
    func didRebuild() {
        cache.clear()
        long.forget()
        // Its questions under way keep it until they are answered.
        sealed.withLock { $0 = nil }
    }

    /// Ends who listens and waits, and jobs; what else runs is finished.
    func drain() {
        ring.end()
        jobs.drain()
        kept.withLock { $0?.deliveries }?.end()
    }

    func close() async {
        await jobs.finish()
        await kept.withLock { $0?.deliveries }?.finish()
        filling.withLock { $0?.cancel() }
        await sealed.withLock { $0 }?.close()
        await cluster?.peers.shutdown()
        await engine.close()
    }
}
