import Core
import Dispatch
import EventLog
import Glibc
import Synchronization

/// Keeps the state of subscriptions in a file beside the journal: what is answered is on the disk (ADR 0049).
///
/// A line is what was changed together, behind the first 16 digits of its SHA-256: it counts whole or not at all.
final class SubscriptionStore: Sendable {
    private typealias Change = @Sendable (inout SubscriptionState) -> @Sendable (Problem?) -> Void

    private struct Log {
        var lines: Int
        /// A write failed: nobody knows what the file's end is, so that it is written anew.
        var isDoubtful = false
    }

    /// So many lines are kept before the file is written anew.
    private static let mostLines = 20_000

    private let path: String
    /// Held as long as the store is: one program at a time.
    private let lock: CInt
    private let queue = DispatchQueue(label: "sijill.subscriptions")
    private let waiting = Mutex<[Change]>([])
    private let state: Mutex<SubscriptionState>
    private let log: Mutex<Log>

    /// Is told what was changed, once it is durable.
    private let changed: @Sendable (Set<SubscriptionState.Part>) -> Void

    init(
        at directory: String, changed: @escaping @Sendable (Set<SubscriptionState.Part>) -> Void
    ) throws {
        self.changed = changed
        path = Self.path(in: directory)
        let lockPath = directory + "/subscriptions.lock"
        lock = unsafe Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else {
            throw JournalError(
                .inputOutput, "\(lockPath) cannot be opened", advice: "see who may write there")
        }
        do {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                throw Problem.unavailable(
                    "busy", "another program serves the subscriptions of this journal")
            }
            let (loaded, lines, isWhole) = try Self.load(path)
            state = Mutex(loaded)
            log = Mutex(Log(lines: lines, isDoubtful: !isWhole))
        } catch {
            close(lock)
            throw error
        }
    }

    deinit { close(lock) }

    private static func path(in directory: String) -> String { directory + "/subscriptions.log" }

    /// Whether events of the journal are posted to somebody, as the file says now.
    static func hasWebhooks(at directory: String) throws -> Bool {
        try load(path(in: directory)).state.subscriptions.values.contains {
            $0.webhook.map { $0.stopped == nil } ?? false
        }
    }

    var now: SubscriptionState { state.withLock { $0 } }

    /// Changes the state; on return it is durable. What throws changes nothing.
    ///
    /// Those who come meanwhile are written together.
    func change<R: Sendable>(
        _ body: @escaping @Sendable (inout SubscriptionState) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let change: Change = { state in
                var changed = state
                let result = Result { try body(&changed) }
                if case .success = result { state = changed }
                return { failure in
                    if let failure, case .success = result {
                        continuation.resume(throwing: failure)
                    } else {
                        continuation.resume(with: result)
                    }
                }
            }
            waiting.withLock { $0.append(change) }
            queue.async { self.work() }
        }
    }

    private func work() {
        let changes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        if changes.isEmpty { return }
        var changed = now
        let answers = changes.map { $0(&changed) }
        var failure: Problem?
        let touched = changed.touched
        if !touched.isEmpty {
            do {
                try write(changed)
                changed.touched = []
                changed.isToForget = false
            } catch {
                failure = Problem.unavailable(
                    "storage", "the subscriptions' file cannot be written; nothing was changed")
            }
        }
        if failure == nil { state.withLock { $0 = changed } }
        if failure == nil, !touched.isEmpty { self.changed(touched) }
        for answer in answers { answer(failure) }
    }

    private func write(_ changed: SubscriptionState) throws {
        try log.withLock { log in
            do {
                if log.isDoubtful || changed.isToForget || log.lines >= Self.mostLines {
                    try PlainFiles.replace(path, Self.line(changed.records(all: true)))
                    log = Log(lines: 1)
                } else {
                    try PlainFiles.append(path, Self.line(changed.records()))
                    log.lines += 1
                }
            } catch {
                log.isDoubtful = true
                throw error
            }
        }
    }

    private static func line(_ records: [JSON]) -> [UInt8] {
        let content = JSON.array(records).canonical
        return Array("\(SHA256Digest.hex(of: content).prefix(16)) ".utf8) + content
            + [UInt8(ascii: "\n")]
    }

    private static func load(
        _ path: String
    ) throws -> (state: SubscriptionState, lines: Int, isWhole: Bool) {
        var state = SubscriptionState()
        guard let bytes = try PlainFiles.read(path, atMost: 1 << 30) else {
            return (state, 0, true)
        }
        var lines = 0
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            guard apply(line, to: &state) else {
                // The last one may have been on its way when the machine stopped; nobody was told of it.
                if rest.isEmpty { return (state, lines, false) }
                throw JournalError(
                    .inputOutput, "\(path): line \(lines + 1) is damaged",
                    advice: "put a copy of the file back, or take it away to begin anew")
            }
            lines += 1
        }
        return (state, lines, rest.isEmpty)
    }

    private static func apply(_ line: ArraySlice<UInt8>, to state: inout SubscriptionState) -> Bool
    {
        guard line.count > 17 else { return false }
        let content = Array(line.dropFirst(17))
        guard Array(line.prefix(16)) == Array(SHA256Digest.hex(of: content).utf8.prefix(16)),
            let records = (try? JSON(parsing: content))?.array
        else { return false }
        return records.allSatisfy { state.apply($0) }
    }
}
