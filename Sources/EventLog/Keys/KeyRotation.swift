import Core

extension KeyFile {
    /// All of it; nil where there is none.
    mutating func copy() throws(JournalError) -> [UInt8]? {
        guard try open() else { return nil }
        _ = try reopen()
        let size = try FileSystem.size(of: descriptor, path)
        return try FileSystem.read(size, from: descriptor, at: 0, path)
    }
}

/// Exchanging the master key.
extension KeyFile {
    private var newPath: String { path + ".new" }
    private var oldPath: String { path + ".old" }

    /// Wraps every key with a new master key. Call `prepareToWrite` first.
    ///
    /// The new master key is durable beside the old one before a new file of keys takes the old one's
    /// place, and takes its own place after: whatever happens, the file of keys says which of the two
    /// it needs, and finds it. The old file keeps a name until it is written over.
    mutating func rotate() throws(JournalError) -> Int {
        let old = try masterKey()
        let new = try MasterKey.makeNext(masterPath)
        var bytes: [UInt8] = []
        var count = 0
        for number in 1..<max(known, 1) {
            guard var entry = try stored(number) else {
                // Lost already: its place is kept.
                bytes += [UInt8](repeating: 0, count: KeySlot.byteCount)
                continue
            }
            if entry.state == .key, let key = try entry.unwrapped(with: old) {
                entry = try KeySlot.Entry(of: entry.person, wrapping: key, with: new)
                count += 1
            }
            bytes += entry.bytes(number: number)
        }
        guard var header else { throw missing }
        header.fingerprint = new.fingerprint
        try SecretFile.destroy(newPath)
        try FileSystem.write(header.bytes + bytes, to: newPath)
        try FileSystem.link(path, to: oldPath)
        try FileSystem.flush(FileSystem.parent(of: path))
        try FileSystem.rename(newPath, to: path)
        try FileSystem.flush(FileSystem.parent(of: path))
        _ = try reopen()
        try clearUpAfterRotation()
        return count
    }

    /// What a rotation leaves behind, finished or not: nobody shall find its keys on the disk.
    mutating func clearUpAfterRotation() throws(JournalError) {
        guard let header else { return }
        let leftovers = [oldPath, newPath, MasterKey.nextPath(masterPath)]
        var isClear = true
        for path in leftovers where try FileSystem.exists(path) { isClear = false }
        // The file may have its name from a program that ended before it flushed that: nothing of what it replaced
        // may go before.
        if !isClear { try PlainFiles.flush(path) }
        // Linked, and perhaps not replaced yet.
        try SecretFile.destroy(oldPath, keeping: path)
        try SecretFile.destroy(newPath)
        // Of a creation that was interrupted.
        let directory = FileSystem.parent(of: path)
        if masterPath == directory + "/master.key" {
            try SecretFile.destroy(masterPath + ".new", keeping: masterPath)
        }
        try MasterKey.settle(masterPath, inUse: header.fingerprint)
        master = nil
        isClearedUp = true
    }

    /// Makes a new master key where the old one is lost for good: keys that it wrapped are lost with it.
    mutating func renew() throws(JournalError) {
        try SecretFile.destroy(path)
        try makeAgain()
        try clearUpAfterRotation()
    }
}
