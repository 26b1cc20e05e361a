import Glibc

extension Journal {
    /// What is no damage and ought to be mended: one line each, with what to do.
    package func warnings() -> [String] {
        permissionWarnings()
            + [PlainFiles.copyingWarning(path), environment.oldestReader()?.warning]
            .compactMap { $0 }
    }

    /// What the next commit mends, or `repair`; nil if there is no such thing.
    package func failedWriteWarning() -> String? {
        let meta = try? MetaPages.read(environment.path, .journal)
        guard meta?.hasFailedWrite == true else { return nil }
        return "\(environment.path) holds what a failed write left on its spare first page"
    }

    /// What of the journal's directory others than its owner can reach.
    private func permissionWarnings() -> [String] {
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

extension PlainFiles {
    /// What is to be said of a directory where a key that is written over stays on the disk; nil elsewhere.
    package static func copyingWarning(_ path: String) -> String? {
        guard let type = (try? FileSystem.fileSystemType(of: path)) ?? nil,
            FileSystem.isCopying(type)
        else { return nil }
        return "\(path) lies on \(type), where a key that is written over may stay on the disk "
            + "for long; keep it on ext4 or xfs, or on an encrypted volume"
    }
}
