import Dispatch
import Glibc
import Synchronization

/// `writer.lock`: held while appending, across all threads and processes (flock).
///
/// Re-entrant in the thread that holds it. LMDB has a write lock of its own, but waits for it without a timeout; this
/// one has a timeout.
final class WriterLock: Sendable {
    private struct State {
        var owner: UInt?
        var depth = 0
        var descriptor: CInt = -1
        /// When the threads of this process that wait too long began to, by their number.
        var impatient: [UInt: Int] = [:]
        /// Signalled when the thread of this process that holds it lets it go.
        var waiting: [DispatchSemaphore] = []

        /// Whether another thread has waited longer and goes first.
        func mustYield(_ me: UInt) -> Bool {
            guard !impatient.isEmpty else { return false }
            let mine = impatient[me] ?? .max
            return impatient.contains { $0.key != me && $0.value < mine }
        }
    }

    /// A thread that has waited this long goes before newcomers, so that repeated locking in this process cannot starve
    /// the sealer.
    private static let patienceMilliseconds = 20

    private let path: String
    private let state = Mutex(State())

    init(at path: String) {
        self.path = path
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether this thread holds it.
    var isMine: Bool {
        let me = UInt(pthread_self())
        return state.withLock { $0.owner == me }
    }

    /// Whether others would wait for it: its file has its name still.
    var isInPlace: Bool {
        let descriptor = state.withLock { $0.descriptor }
        return descriptor >= 0 && FileSystem.hasName(descriptor)
    }

    /// Takes the lock, or throws `busy` if it is not free in time. `unlock` follows in the same thread:
    /// `defer` it at once.
    func lock(waitMilliseconds: Int) throws(JournalError) {
        let start = Monotonic.milliseconds()
        let me = UInt(pthread_self())
        var pause = 200
        var isImpatient = false
        var wakes: DispatchSemaphore?
        defer {
            if isImpatient || wakes != nil {
                state.withLock { state in
                    state.impatient.removeValue(forKey: me)
                    state.waiting.removeAll { $0 === wakes }
                }
            }
        }
        while try !tryLock(&wakes) {
            let waited = Monotonic.milliseconds() - start
            guard waited < waitMilliseconds else {
                let holder = LockHolder(of: path)?.sentence ?? "another program or thread"
                throw JournalError(
                    .busy, "\(path): \(holder) is writing to the journal",
                    advice: "try again later")
            }
            if !isImpatient, waited >= Self.patienceMilliseconds {
                isImpatient = true
                state.withLock { $0.impatient[me] = start }
            }
            if let wakes {
                _ = wakes.wait(timeout: .now() + .microseconds(pause))
            } else {
                usleep(UInt32(pause))
            }
            pause = min(pause * 2, isImpatient ? 2_000 : 10_000)
        }
    }

    /// `wakes`: what tells the caller that it may try again, where a thread of this process is in its way.
    private func tryLock(_ wakes: inout DispatchSemaphore?) throws(JournalError) -> Bool {
        let me = UInt(pthread_self())
        let former = wakes
        wakes = nil
        return try state.withLock { state throws(JournalError) -> Bool in
            state.waiting.removeAll { $0 === former }
            if let owner = state.owner, owner == me {
                state.depth += 1
                return true
            }
            if state.owner != nil || state.mustYield(me) {
                let semaphore = former ?? DispatchSemaphore(value: 0)
                state.waiting.append(semaphore)
                wakes = semaphore
                return false
            }
            if state.descriptor < 0 {
                state.descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                guard state.descriptor >= 0 else {
                    throw .failed("opening", at: path, errno: errno)
                }
            }
            while flock(state.descriptor, LOCK_EX | LOCK_NB) != 0 {
                switch errno {
                case EINTR: continue
                case EWOULDBLOCK: return false
                default: throw .failed("locking", at: path, errno: errno)
                }
            }
            state.owner = me
            state.depth = 1
            return true
        }
    }

    func unlock() {
        state.withLock { state in
            state.depth -= 1
            guard state.depth == 0 else { return }
            state.owner = nil
            _ = flock(state.descriptor, LOCK_UN)
            for waiting in state.waiting { waiting.signal() }
            state.waiting.removeAll(keepingCapacity: true)
        }
    }
}

/// The program that holds a lock on a file (man proc: locks).
struct LockHolder {
    private let process: Int
    private let isStopped: Bool

    /// Nil if nobody does, or the system does not say.
    init?(of path: String) {
        guard let identity = try? FileSystem.identity(of: path),
            let process = Self.process(inode: identity.inode)
        else { return nil }
        self.process = process
        let status = try? FileSystem.read("/proc/\(process)/stat", atMost: 4096)
        // The name in brackets may hold anything.
        let rest = String(decoding: status ?? [], as: UTF8.self).split(separator: ")").last ?? ""
        isStopped = rest.hasPrefix(" T") || rest.hasPrefix(" t")
    }

    private static func process(inode: UInt) -> Int? {
        // The system says its table a page at a time: a lock that somebody drops between two pages hides another.
        for _ in 0..<3 {
            guard let table = try? FileSystem.read("/proc/locks", atMost: 1 << 20) else {
                return nil
            }
            let process = process(in: String(decoding: table, as: UTF8.self), inode: inode)
            if let process { return process }
        }
        return nil
    }

    static func process(in table: String, inode: UInt) -> Int? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE",
                words[5].hasSuffix(":\(inode)"), let process = Int(words[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    var sentence: String { "process \(process)\(isStopped ? ", which is stopped," : "")" }
}

/// A clock for waiting only; its readings never reach the journal.
enum Monotonic {
    static func milliseconds() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
