import CLMDB
import Synchronization

/// Where the file lies in memory.
extension LMDBEnvironment {
    /// What a transaction of this commit sees; nil where the system does not say where the map is, or others have
    /// committed since it began. A transaction is open: the map cannot move.
    func pages(of commit: UInt64) -> MappedPages? {
        let file = mapped.withLock { $0 } ?? lookForMap()
        return MappedPages(in: file, pageBytes: Int(pageBytes), commit: commit)
    }

    /// LMDB's own, of the file that it has open, whatever has its name since.
    var descriptor: CInt {
        var descriptor: CInt = -1
        _ = unsafe mdb_env_get_fd(raw, &descriptor)
        return descriptor
    }

    private func lookForMap() -> MappedFile {
        let found = MappedFile(
            of: identity, at: path, open: descriptor, bytes: information().mapBytes,
            pageBytes: Int(pageBytes))
        return mapped.withLock { mapped in
            let file = mapped ?? found
            mapped = file
            return file
        }
    }

    /// Length of the file's used part, as of the last commit.
    func usedBytes() -> UInt { (information().lastPage &+ 1) &* pageBytes }

    /// Where mapped bytes end: no intact record lies beyond.
    ///
    /// LMDB does not tell where its map is; but a page of an intact file holds its own number,
    /// so the first record read tells it.
    func mappedRange(learningFrom address: UInt, usedBytes: UInt) -> Range<UInt>? {
        var start = mapStart.load(ordering: .relaxed)
        if start == 0 {
            let page = address & ~(pageBytes - 1)
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: page) else { return nil }
            let number = unsafe UInt(pointer.load(as: UInt64.self))
            let (offset, overflow) = number.multipliedReportingOverflow(by: pageBytes)
            guard !overflow, offset < usedBytes, page > offset else { return nil }
            start = page - offset
            mapStart.store(start, ordering: .relaxed)
        }
        let (end, overflow) = start.addingReportingOverflow(usedBytes)
        return overflow ? nil : start..<end
    }
}
