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
        // Of the very file that was looked at, whatever stands at the path by now.
        return try FileSystem.read(descriptor, atMost: 4096, path)
    }

    /// Makes a new file for its owner only; durable on return. Whatever is there stays. A crash leaves the whole file or
    /// none at the path, and perhaps PATH`.new`, which the next one to make it takes away.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let newPath = path + ".new"
        // Renaming fails where something is; but the caller must not learn it only after writing all of it.
        guard unsafe faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw alreadyThere(path)
        }
        let descriptor = try FileSystem.createAnew(newPath)
        defer { close(descriptor) }
        do throws(JournalError) {
            try FileSystem.write(bytes, to: descriptor, at: 0, newPath)
            guard fsync(descriptor) == 0 else {
                throw .failed("flushing", at: newPath, errno: errno)
            }
            try move(newPath, to: path)
        } catch {
            _ = unsafe unlink(newPath)
            throw error
        }
        // Another program that makes the same file may have put its own in the place of ours.
        guard try FileSystem.identity(of: path) == FileSystem.identity(of: descriptor, path) else {
            throw alreadyThere(path)
        }
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    /// Renames a file unless something is at the new path.
    private static func move(_ old: String, to new: String) throws(JournalError) {
        if unsafe link(old, new) == 0 { return try FileSystem.remove(old) }
        switch errno {
        case EEXIST: throw alreadyThere(new)
        case EPERM, EOPNOTSUPP, ENOSYS:
            // A file system on which no file has two names: the new name is taken first, by an empty file.
            let taken = unsafe Glibc.open(
                new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard taken >= 0 else {
                if errno == EEXIST { throw alreadyThere(new) }
                throw .failed("creating", at: new, errno: errno)
            }
            close(taken)
            try FileSystem.rename(old, to: new)
        default: throw .failed("creating", at: new, errno: errno)
        }
    }

    private static func alreadyThere(_ path: String) -> JournalError {
        JournalError(
            .alreadyThere, "\(path): something is already there",
            advice: "name another file; nothing was touched")
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

    /// Writes zeros over a file and removes it; it need not be there. Where it is a second name of `kept`, as a crash
    /// between linking and unlinking leaves it, only the name goes: written over, the other would be gone, too.
    static func destroy(_ path: String, keeping kept: String? = nil) throws(JournalError) {
        guard case .file(let size) = try FileSystem.entry(at: path) else { return }
        var isSecondName = false
        if let kept, try FileSystem.exists(kept) {
            isSecondName = try FileSystem.identity(of: path) == FileSystem.identity(of: kept)
        }
        if !isSecondName { try overwrite(path, [UInt8](repeating: 0, count: size)) }
        try FileSystem.remove(path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }

    private static func refused(
        _ path: String, _ what: String, _ reason: String, _ advice: String
    ) -> JournalError {
        JournalError(.permission, "\(path): \(what) \(reason)", advice: advice)
    }
}
