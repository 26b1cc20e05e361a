import Glibc

/// Small text files beside the journal: checkpoints, receipts, manifests.
package enum PlainFiles {
    /// The names in a directory, sorted; none if it is not there.
    package static func names(in path: String) throws(JournalError) -> [String] {
        guard case .directory = try FileSystem.entry(at: path) else { return [] }
        return try FileSystem.names(in: path)
    }

    /// The whole of a file; nil if there is none.
    ///
    /// A pipe is read where somebody named it; one that lies in a directory would be waited for without end.
    package static func read(
        _ path: String, atMost limit: Int, allowsPipes: Bool = false
    ) throws(JournalError) -> [UInt8]? {
        switch try FileSystem.entry(at: path) {
        case .nothing: return nil
        case .file(let size) where size <= limit:
            return try FileSystem.read(path, atMost: size)
        case .file:
            throw JournalError(
                .invalid, "\(path) is longer than \(limit) bytes", advice: "name the right file")
        case .other where allowsPipes:
            return try FileSystem.read(path, atMost: min(limit, 1 << 24))
        case .other:
            throw JournalError(.invalid, "\(path) is not a file", advice: "see who put it there")
        case .directory:
            throw JournalError(.invalid, "\(path) is a directory", advice: "name a file")
        }
    }

    /// Makes a directory for its owner only, unless it is there.
    package static func makeDirectory(_ path: String) throws(JournalError) {
        if try FileSystem.makeDirectory(path) {
            try FileSystem.flush(FileSystem.parent(of: path))
        }
    }

    /// Whether a directory is another one, or lies below it; both are there.
    package static func isWithin(_ path: String, _ other: String) throws(JournalError) -> Bool {
        let target = try FileSystem.identity(of: other)
        var place = try FileSystem.wholePath(of: path)
        while try FileSystem.identity(of: place) != target {
            let parent = FileSystem.parent(of: place)
            if parent == place { return false }
            place = parent
        }
        return true
    }

    /// Refuses a directory in which others than its owner can put files in the place of ours.
    package static func refuseShared(_ path: String) throws(JournalError) {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        let mode = information.st_mode & 0o777
        guard mode & 0o022 != 0 else { return }
        throw JournalError(
            .permission, "\(path): others can put files there (mode \(String(mode, radix: 8)))",
            advice: "run chmod 700 on it")
    }

    /// Runs `body` while no other program does so with the same file, which is there and is never replaced.
    package static func withLock<R>(on path: String, _ body: () throws -> R) throws -> R {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw JournalError.failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let start = Monotonic.milliseconds()
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where Monotonic.milliseconds() - start < 10_000: usleep(1000)
            case EWOULDBLOCK:
                throw JournalError(
                    .busy, "\(path): another program is using it", advice: "try again later")
            default: throw JournalError.failed("locking", at: path, errno: errno)
            }
        }
        return try body()
    }

    /// Appends to a file, which is made if it is not there. Durable on return. A pipe in its place is not waited for.
    package static func append(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let isNew = try !FileSystem.exists(path)
        let descriptor = unsafe Glibc.open(
            path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let end = try FileSystem.size(of: descriptor, path)
        try FileSystem.write(bytes, to: descriptor, at: end, path)
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
        if isNew { try FileSystem.flush(FileSystem.parent(of: path)) }
    }

    /// Removes a file; it need not be there.
    package static func remove(_ path: String) throws(JournalError) {
        try FileSystem.remove(path)
    }

    /// Makes what a file or a directory holds, and its name, durable.
    package static func flush(_ path: String) throws(JournalError) {
        try FileSystem.flush(path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    /// Writes over a file in place, or makes it: nothing of what it held stays on the disk. For a copy that
    /// can be made again: who reads it meanwhile may find half of it. Durable on return. A pipe in its place is not waited for.
    package static func overwrite(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let descriptor = unsafe Glibc.open(
            path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        try FileSystem.write(bytes, to: descriptor, at: 0, path)
        guard ftruncate(descriptor, bytes.count) == 0, fsync(descriptor) == 0 else {
            throw .failed("flushing", at: path, errno: errno)
        }
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    /// Writes a file atomically: readers find the old bytes or the new. Durable on return. What a crash left
    /// at PATH`.new` is taken away.
    package static func replace(
        _ path: String, _ bytes: [UInt8], pieceBytes: Int = .max
    ) throws(JournalError) {
        let newPath = path + ".new"
        try FileSystem.write(bytes, to: newPath, pieceBytes: pieceBytes)
        try FileSystem.rename(newPath, to: path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }
}
