import Engine
import EventLog
import Glibc

/// What becomes of a node whose disk takes no write: whoever can decides instead.
extension Course {
    /// How long others may write meanwhile.
    private static let lockMilliseconds = 500

    /// Throws while this machine's disk takes no write.
    mutating func tryDisk() throws {
        let journal = node.engine.journal
        isDiskFailing = true
        do throws(JournalError) {
            try journal.lockWriter(waitMilliseconds: Self.lockMilliseconds)
        } catch {
            throw EngineError.wrapping(error)
        }
        defer { journal.unlockWriter() }
        // What the log has already is the first that has to be written.
        if case .decides(let log) = node.log.role, log.isAhead {
            try journal.follow(try log.frames(after: try journal.head().frameCount))
        }
        try DiskTrial.run(in: node.directory)
        isDiskFailing = false
    }

    /// Gives up deciding where the disk is to blame for what was not recorded, and another node may go on.
    mutating func handOnIfDiskFails() throws {
        do {
            try tryDisk()
        } catch {
            isDiskFailing = false
            guard ClusterNode.Trouble(error) == .disk,
                EngineError.wrapping(error).kind == .inputOutput, node.hasSuccessor
            else { return }
            isDiskFailing = true
            resign()
            throw error
        }
    }
}

/// Tries whether a disk takes what a commit writes.
private enum DiskTrial {
    /// The journal refuses to append where there is less room.
    private static let bytes = 1 << 19

    /// Writes and flushes a file in a directory, which nobody sees; throws what the system says against it.
    static func run(in directory: String) throws(JournalError) {
        let path = directory + "/trial"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failed(path) }
        defer { close(descriptor) }
        _ = unsafe unlink(path)
        let zeros = [UInt8](repeating: 0, count: bytes)
        errno = ENOSPC  // a write that is cut short sets none
        guard unsafe write(descriptor, zeros, zeros.count) == zeros.count, fsync(descriptor) == 0
        else { throw failed(path) }
    }

    private static func failed(_ path: String) -> JournalError {
        let code = errno
        return JournalError(
            .inputOutput, "\(path): \(unsafe String(cString: strerror(code)))",
            advice: "see the disk", code: code)
    }
}
