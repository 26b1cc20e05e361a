internal import Engine
internal import Glibc

/// A file that a result is written to: there whole, or not at all.
struct NewFile {
    let path: String
    /// Whether a file that is there may be replaced.
    let replaces: Bool

    /// Says early what would stand in the way.
    func check() throws(EngineError) {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw EngineError(.wrongUse, "--output names no file; give it a name")
        }
        var information = stat()
        guard unsafe lstat(path, &information) == 0 else {
            if errno == ENOENT { return }
            throw failure("look at", errno)
        }
        switch information.st_mode & S_IFMT {
        case S_IFREG where replaces: return
        case S_IFREG:
            throw EngineError(
                .cannotCreate, "\(path) is there already; name another file, or add --force")
        case S_IFLNK:
            throw EngineError(
                .cannotCreate, "\(path) is a symbolic link; name the file that it leads to")
        default:
            throw EngineError(.cannotCreate, "\(path) is not a file; name a file")
        }
    }

    /// Writes beside the place first, so that nobody ever sees half of it.
    func write(_ bytes: [UInt8]) throws(EngineError) {
        try check()
        let temporary = "\(path).\(getpid()).part"
        let descriptor = unsafe open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("create", errno) }
        var code = StandardStreams.send(bytes, to: descriptor)
        if code == nil, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == nil { code = errno }
        if code == nil { code = place(temporary) }
        _ = unsafe unlink(temporary)
        guard let code else { return }
        if code == EEXIST {
            throw EngineError(
                .cannotCreate, "\(path) is there already; name another file, or add --force")
        }
        throw failure("write", code)
    }

    /// Takes the file's place; a link fails where something has come meanwhile, a renaming would not.
    private func place(_ temporary: String) -> Int32? {
        if replaces { return unsafe rename(temporary, path) == 0 ? nil : errno }
        if unsafe link(temporary, path) == 0 { return nil }
        // Some file systems have no links; that nothing was there has just been checked.
        guard errno == EPERM || errno == EOPNOTSUPP else { return errno }
        return unsafe rename(temporary, path) == 0 ? nil : errno
    }

    private func failure(_ verb: String, _ code: Int32) -> EngineError {
        EngineError(
            .cannotCreate,
            "cannot \(verb) \(path): \(StandardStreams.reason(code)); name a place that can be written"
        )
    }
}
