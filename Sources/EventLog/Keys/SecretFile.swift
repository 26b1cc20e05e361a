import Glibc

/// A small file that only its owner may read: a master key, a signing key.
package enum SecretFile {
    /// What the file holds; nil if there is none.
    ///
    /// Refuses a link, a file of another owner, and one that others may read or write: whoever can
    /// change such a key, or saw it, can undo what it stands for. `what` names it in errors.
    package static func read(_ path: String, _ what: String) throws(JournalError) -> [UInt8]? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            if errno == ELOOP {
                throw refused(path, what, "is a symbolic link", "name the file itself")
            }
            throw .failed("opening", at: path, errno: errno)
        }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw refused(path, what, "is not a file", "name a file")
        }
        guard information.st_uid == geteuid() || geteuid() == 0 else {
            throw refused(path, what, "belongs to another user", "make it your own")
        }
        guard information.st_mode & 0o077 == 0 else {
            throw refused(
                path, what, "can be read or written by others", "run chmod 600 on it")
        }
        guard information.st_size <= 4096 else {
            throw refused(path, what, "is too long", "name the right file")
        }
        return try FileSystem.read(path, atMost: 4096)
    }

    /// Makes a new file for its owner only; durable on return. Whatever is there stays.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let descriptor = unsafe Glibc.open(
            path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw JournalError(
                    .alreadyThere, "\(path): something is already there",
                    advice: "name another file; nothing was touched")
            }
            throw .failed("creating", at: path, errno: errno)
        }
        defer { close(descriptor) }
        try FileSystem.write(bytes, to: descriptor, at: 0, path)
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    /// Writes over the bytes of a file that is about to go, so that they do not stay on the disk; it need
    /// not be there.
    static func overwrite(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .failed("opening", at: path, errno: errno)
        }
        defer { close(descriptor) }
        try FileSystem.write(bytes, to: descriptor, at: 0, path)
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
    }

    /// Writes zeros over a file and removes it; it need not be there.
    static func destroy(_ path: String) throws(JournalError) {
        guard case .file(let size) = try FileSystem.entry(at: path) else { return }
        try overwrite(path, [UInt8](repeating: 0, count: size))
        try FileSystem.remove(path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    private static func refused(
        _ path: String, _ what: String, _ reason: String, _ advice: String
    ) -> JournalError {
        JournalError(.permission, "\(path): \(what) \(reason)", advice: advice)
    }
}
