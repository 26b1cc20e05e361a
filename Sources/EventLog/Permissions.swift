import Glibc

extension Journal {
    /// What of the journal's directory others than its owner can reach: one line each, with what to do.
    package func permissionWarnings() -> [String] {
        let directory = JournalDirectory(path: path)
        let paths = [
            path, directory.formatPath, directory.journalPath, directory.viewsPath,
            directory.keysPath, path + "/master.key", path + "/checkpoints",
            path + "/erasures.jsonl",
        ]
        return paths.compactMap { path in
            var information = stat()
            guard unsafe lstat(path, &information) == 0 else { return nil }
            let mode = information.st_mode & 0o777
            if information.st_mode & S_IFMT == S_IFLNK {
                return "\(path) is a symbolic link; put the file itself there"
            }
            if information.st_uid != geteuid() && geteuid() != 0 {
                return "\(path) belongs to another user; run chown on it"
            }
            if mode & 0o077 == 0 { return nil }
            let isDirectory = information.st_mode & S_IFMT == S_IFDIR
            return "\(path) can be reached by others (mode \(String(mode, radix: 8))); "
                + "run chmod \(isDirectory ? "700" : "600") on it"
        }
    }
}
