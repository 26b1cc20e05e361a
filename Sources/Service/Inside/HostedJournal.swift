import Core
import Engine
import EngineObservability
import Foundation
import Logging
import Products
import Synchronization

/// A journal that the service serves: its engine, and what stands between that and the clients.
final class HostedJournal: Sendable {
    /// Empty for the default one.
    let name: String
    let engine: EventEngine
    let cache: AnswerCache
    let reads: Admission
    let submissions: Admission
    /// Questions about the past, which may fold much: they do not keep those about the present waiting.
    let past: BlockingWork
    /// The log's tiles and proofs, which many ask for one after another.
    let proving: BlockingWork
    let ring: EventRing
    let jobs = Jobs()
    /// Nil where no traces are wanted.
    let commits: CommitTimes?
    private let directory: String
    private let options: EventEngine.Options
    /// Answers without personal values; opened when somebody first asks who is kept from them.
    private let sealed = Mutex<EventEngine?>(nil)
    private let kept = Mutex<Subscriptions?>(nil)
    private let filling = Mutex<Task<Void, any Error>?>(nil)

    init(
        _ name: String, at directory: String, _ configuration: ServiceConfiguration,
        _ logger: Logger
    ) throws {
        self.name = name
        self.directory = directory
        var options = EventEngine.Options(products: .all)
        let telemetry = EngineTelemetry(logger: logger)
        commits = configuration.traceEndpoint.map { _ in CommitTimes(telemetry) }
        options.observer = commits ?? telemetry
        if configuration.readers > 0 { options.readers = configuration.readers }
        self.options = options
        engine = try EventEngine(at: directory, options: options)
        cache = AnswerCache(mostBytes: configuration.limits.cacheBytes)
        reads = Admission(atMost: configuration.limits.waitingReads, "questions")
        submissions = Admission(atMost: configuration.limits.waitingLines, "commands")
        past = BlockingWork("past", threads: 1, atMost: 64)
        proving = BlockingWork("proving", threads: 1, atMost: 256)
        ring = EventRing(engine, from: try engine.head())
    }

    /// The engine for an identity: one that opens no personal value, for who may see none.
    func engine(for identity: Identity) throws -> EventEngine {
        guard identity.isKeptFromPersonal else { return engine }
        return try sealed.withLock { sealed in
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
    var subscriptions: Subscriptions {
        get throws {
            try kept.withLock { kept in
                if let kept { return kept }
                let opened = try Subscriptions(at: directory, engine)
                kept = opened
                return opened
            }
        }
    }

    /// The ring, which begins to fill when somebody first listens.
    var live: EventRing {
        filling.withLock { filling in
            if filling == nil { filling = Task { try await ring.fill() } }
        }
        return ring
    }

    /// The read models were made again: nothing goes on with what was stored before.
    func didRebuild() {
        cache.clear()
        // Its questions under way keep it until they are answered.
        sealed.withLock { $0 = nil }
    }

    /// Ends who listens and waits, and jobs; what else runs is finished.
    func drain() {
        ring.end()
        jobs.drain()
    }

    func close() async {
        await jobs.finish()
        filling.withLock { $0?.cancel() }
        await sealed.withLock { $0 }?.close()
        await engine.close()
    }
}

/// The journals of the service: the default one, and those in a directory, each opened when it is first asked for.
actor HostedJournals {
    nonisolated let standard: HostedJournal
    private let configuration: ServiceConfiguration
    private let logger: Logger
    private var others: [String: HostedJournal] = [:]
    private var isDraining = false

    init(_ configuration: ServiceConfiguration, _ logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        standard = try HostedJournal("", at: configuration.journal, configuration, logger)
    }

    /// The journal of a name; nil where there is none.
    func journal(named name: String) throws -> HostedJournal? {
        if isDraining { throw Problem.unavailable("draining", "the service is shutting down") }
        if let open = others[name] { return open }
        guard let directory = configuration.journals, Self.isName(name) else { return nil }
        let path = directory + "/" + name
        guard FileManager.default.fileExists(atPath: path + "/FORMAT") else { return nil }
        let opened = try HostedJournal(name, at: path, configuration, logger)
        others[name] = opened
        return opened
    }

    /// The names of those that are there, in order.
    func names() -> [String] {
        guard let directory = configuration.journals else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
            Self.isName($0) && FileManager.default.fileExists(atPath: "\(directory)/\($0)/FORMAT")
        }.sorted()
    }

    /// Whether a directory of a client's choosing may be called so.
    static func isName(_ text: String) -> Bool {
        text.count <= 64 && !text.isEmpty && text.first != "."
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
            }
    }

    var open: [HostedJournal] { [standard] + others.values }

    func drain() {
        isDraining = true
        for journal in open { journal.drain() }
    }

    func close() async {
        for journal in open { await journal.close() }
    }
}
