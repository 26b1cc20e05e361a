import Glibc
import Synchronization

/// `writer.lock`: held by whoever appends, over all threads and processes (flock).
///
/// Re-entrant in the thread that holds it. LMDB has a write lock of its own, but waits for it
/// without end and without a word; this one gives up after a while.
final class WriterLock: Sendable {
    private struct State {
        var owner: UInt?
        var depth = 0
        var descriptor: CInt = -1
    }

    private let path: String
    private let state = Mutex(State())

    init(at path: String) {
        self.path = path
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Runs `body` with the lock held, or throws `busy` if it does not come free in time.
    func withLock<R, Failure: Error>(
        waitMilliseconds: Int, _ body: () throws(Failure) -> R
    ) throws(WriterLockFailure<Failure>) -> R {
        do throws(JournalError) {
            try acquire(waitMilliseconds: waitMilliseconds)
        } catch {
            throw .lock(error)
        }
        defer { release() }
        do throws(Failure) {
            return try body()
        } catch {
            throw .body(error)
        }
    }

    /// Whether this thread holds it.
    var isMine: Bool {
        let me = UInt(pthread_self())
        return state.withLock { $0.owner == me }
    }

    private func acquire(waitMilliseconds: Int) throws(JournalError) {
        let start = Monotonic.milliseconds()
        var pause: UInt32 = 200
        while try !tryAcquire() {
            guard Monotonic.milliseconds() - start < waitMilliseconds else {
                throw JournalError(
                    .busy, "\(path): another program or thread is writing to the journal",
                    advice: "try again later")
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
    }

    private func tryAcquire() throws(JournalError) -> Bool {
        let me = UInt(pthread_self())
        return try state.withLock { state throws(JournalError) -> Bool in
            if let owner = state.owner {
                guard owner == me else { return false }
                state.depth += 1
                return true
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

    private func release() {
        state.withLock { state in
            state.depth -= 1
            guard state.depth == 0 else { return }
            state.owner = nil
            _ = flock(state.descriptor, LOCK_UN)
        }
    }
}

/// Either the lock could not be had, or the work under it failed.
enum WriterLockFailure<Failure: Error>: Error {
    case lock(JournalError)
    case body(Failure)
}

/// A clock for waiting only; its readings never reach the journal.
enum Monotonic {
    static func milliseconds() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
