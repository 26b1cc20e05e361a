import Engine
import Foundation
import Logging

/// The journals of the service: the default one, and those in a directory, each opened when it is asked for and let go
/// of when nobody has asked for a while.
actor HostedJournals {
    nonisolated let standard: HostedJournal
    private let configuration: ServiceConfiguration
    nonisolated let sender: WebhookSender
    private let logger: Logger
    private var others: [String: Entry] = [:]
    private var isDraining = false
    /// Nil where all journals are here.
    private var placement: Placement?
    /// Those that went elsewhere, and are still being closed here.
    private var closing: Set<String> = []

    private struct Entry {
        /// Nil when it is idle: who still uses it keeps it.
        var held: HostedJournal?
        weak var known: HostedJournal?
        var used: ContinuousClock.Instant
    }

    /// Each maps 128 GiB of addresses or more, of the 128 TiB that a process has.
    private static let mostAlive = 500

    init(_ configuration: ServiceConfiguration, _ sender: WebhookSender, _ logger: Logger) throws {
        self.configuration = configuration
        self.sender = sender
        self.logger = logger
        placement = try configuration.readPlacement()
        standard = try HostedJournal("", at: configuration.journal, configuration, sender, logger)
    }

    /// The journal of a name; nil where there is none. Who uses it holds it.
    func journal(named name: String) throws -> HostedJournal? {
        if isDraining { throw Problem.unavailable("draining", "the service is shutting down") }
        guard try isHere(name) else { return nil }
        if let open = others[name]?.known {
            others[name] = Entry(held: open, known: open, used: .now)
            return open
        }
        guard let directory = configuration.journals, Self.isName(name) else { return nil }
        let path = directory + "/" + name
        guard FileManager.default.fileExists(atPath: path + "/FORMAT") else { return nil }
        try makeRoom()
        let opened = try HostedJournal(name, at: path, configuration, sender, logger)
        others[name] = Entry(held: opened, known: opened, used: .now)
        return opened
    }

    /// Whether it is this node that has the journal.
    private func isHere(_ name: String) throws -> Bool {
        switch placement?.place(of: name) ?? .here {
        case .here where closing.contains(name), .moving:
            throw Problem.unavailable("moving", "the journal is on its way to another node")
        case .here: return true
        case .elsewhere(let address): throw Elsewhere(address: address)
        case .nowhere: return false
        }
    }

    /// Another node has the journal.
    struct Elsewhere: Error {
        let address: String
    }

    /// Goes by the file of placement as it is now. What is no longer here is closed: when that is done, nothing that
    /// this node answers for it is recorded any more.
    func replace() async throws {
        guard let read = try configuration.readPlacement() else { return }
        placement = read
        for (name, entry) in others where read.place(of: name) != .here {
            others[name] = nil
            guard let journal = entry.known else { continue }
            closing.insert(name)
            journal.drain()
            await journal.close()
            closing.remove(name)
        }
    }

    /// The table, for who looks after it; nil where all journals are here.
    var placed: (table: Placement, open: Set<String>)? {
        placement.map { ($0, closing.union(others.filter { $0.value.known != nil }.keys)) }
    }

    private func makeRoom() throws {
        others = others.filter { $0.value.known != nil }
        let held = others.filter { $0.value.held?.isIdle ?? false }.sorted {
            $0.value.used < $1.value.used
        }
        let most = configuration.limits.openJournals
        for (name, _) in held.prefix(max(0, held.count - most + 1)) { others[name]?.held = nil }
        others = others.filter { $0.value.known != nil }
        guard others.count < Self.mostAlive else {
            throw Problem.unavailable(
                "too-busy", "\(others.count) journals are in use: come again in a moment")
        }
    }

    /// Lets go of those that nobody asked for since an instant.
    private func letGo(before instant: ContinuousClock.Instant) {
        for (name, entry) in others where entry.used < instant && entry.known?.isIdle ?? true {
            others[name]?.held = nil
        }
        others = others.filter { $0.value.known != nil }
    }

    /// Lets go of idle journals until the task is cancelled.
    func sweep() async {
        let idle = Duration.seconds(configuration.limits.journalIdleSeconds)
        while !Task.isCancelled {
            do { try await Task.sleep(for: min(idle / 2, .seconds(15))) } catch { return }
            letGo(before: .now - idle)
        }
    }

    /// Begins to post what subscriptions of any journal are to post.
    func openWebhooks() {
        for name in [""] + names() where !isDraining && !closing.contains(name) {
            do {
                if name.isEmpty {
                    try standard.openWebhooks()
                } else if let directory = configuration.journals,
                    try SubscriptionStore.hasWebhooks(at: directory + "/" + name)
                {
                    try journal(named: name)?.openWebhooks()
                }
            } catch {
                let why = (error as? Problem)?.detail ?? "\(error)"
                logger.error(
                    "events of a journal are not posted",
                    metadata: ["journal": "\(name)", "error": "\(why)"])
            }
        }
    }

    /// The names of those that are there, in order.
    func names() -> [String] {
        guard let directory = configuration.journals else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
            Self.isName($0) && placement?.place(of: $0) ?? .here == .here
                && FileManager.default.fileExists(atPath: "\(directory)/\($0)/FORMAT")
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

    var open: [HostedJournal] { [standard] + others.values.compactMap(\.known) }

    func drain() {
        isDraining = true
        for journal in open { journal.drain() }
    }

    func close() async {
        for journal in open { await journal.close() }
    }
}
