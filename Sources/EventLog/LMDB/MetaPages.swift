import Glibc

/// The first two pages of an LMDB file, looked at before LMDB maps it.
///
/// LMDB trusts what they say; a file cut short or overwritten would make it read beyond the end,
/// which ends the process.
///
/// LMDB goes by the one with the greater transaction number, and so does this. The other one may say anything of its
/// trees: where the write of a meta page fails, LMDB writes the *old* transaction number and last page over the *new*
/// roots, so that it is never chosen. The next commit writes over it.
struct MetaPages {
    /// What one of the two says. Offsets as in LMDB 0.9's `MDB_page` and `MDB_meta` on a 64-bit
    /// little-endian machine.
    struct Page {
        /// Of the tree of free pages and of the list of databases; `UInt64.max` for an empty one.
        let roots: [UInt64]
        let lastPage: UInt64
        let commit: UInt64
        fileprivate let mapBytes: UInt64
        fileprivate let flags: UInt64

        fileprivate init(_ bytes: Span<UInt8>, at start: Int) {
            roots = [
                MetaPages.little(bytes, start + 80, 8), MetaPages.little(bytes, start + 128, 8),
            ]
            lastPage = MetaPages.little(bytes, start + 136, 8)
            commit = MetaPages.little(bytes, start + 144, 8)
            mapBytes = MetaPages.little(bytes, start + 32, 8)
            flags = MetaPages.little(bytes, start + 44, 2)
        }

        /// Whether its trees can begin where it says: below its own last page.
        fileprivate var isSound: Bool {
            lastPage >= 1 && roots.allSatisfy { $0 == .max || ($0 >= 2 && $0 <= lastPage) }
        }

        /// MDB_INTEGERKEY of the tree of free pages, and MDB_NOSUBDIR.
        fileprivate var hasKnownFlags: Bool { flags | 0x4000 == 0x4008 }
    }

    /// Up to here a meta page says something.
    static let usedBytes = 152
    /// LMDB's `MDB_IDL_UM_MAX`: pages that one transaction keeps unwritten at most, and so may take at the end of
    /// the file and give back without writing them.
    static let unwrittenPages: UInt64 = (1 << 17) - 1

    let pageBytes: Int
    let pages: [Page]

    /// Where the page stands that LMDB goes by: 0 or 1.
    var newest: Int { pages[0].commit < pages[1].commit ? 1 : 0 }

    /// Whether the page that LMDB does not go by is as a failed write leaves it.
    var hasFailedWrite: Bool {
        let other = pages[1 - newest]
        return !other.isSound || !other.hasKnownFlags
    }

    static func check(_ path: String, _ file: StoreFile) throws(JournalError) {
        _ = try read(path, file)
    }

    /// Reads both, or throws why LMDB must not open the file.
    static func read(_ path: String, _ file: StoreFile) throws(JournalError) -> MetaPages {
        var reason: StaticString = "it is too short"
        // A page that another process is just writing may look torn: look again.
        for attempt in 0..<5 {
            if attempt > 0 { usleep(2000) }
            guard case .file = try FileSystem.entry(at: path) else {
                throw file.damaged("\(path) is not a file")
            }
            guard let bytes = try FileSystem.read(path, atMost: 4 * 65536) else { continue }
            // Looked at behind them: what they speak of was written before they were.
            guard case .file(let length) = try FileSystem.entry(at: path) else { continue }
            do throws(Malformed) {
                return try MetaPages(bytes.span, fileBytes: UInt64(length))
            } catch {
                reason = error.what
            }
        }
        throw file.damaged("\(path) is no LMDB file: \(reason)")
    }

    private init(_ bytes: Span<UInt8>, fileBytes: UInt64) throws(Malformed) {
        guard bytes.count >= Self.usedBytes else { throw Malformed("it is too short") }
        let page = UInt64(Self.little(bytes, 40, 4))
        guard page.nonzeroBitCount == 1, page >= 512, page <= 65536,
            2 * page <= UInt64(bytes.count)
        else { throw Malformed("its page size makes no sense") }
        for start in [0, Int(page)] {
            guard Self.little(bytes, start + 10, 2) == 0x08 else {
                throw Malformed("a meta page is missing")
            }
            guard Self.little(bytes, start + 16, 4) == 0xBEEF_C0DE,
                Self.little(bytes, start + 20, 4) == 1, Self.little(bytes, start + 40, 4) == page
            else { throw Malformed("a meta page is not LMDB's") }
        }
        pageBytes = Int(page)
        pages = [Page(bytes, at: 0), Page(bytes, at: Int(page))]
        // Commits alternate between the two pages; another number would bring back an old state. A failed write
        // leaves the number that stood there.
        let commits = pages.map(\.commit)
        guard
            commits[0] == commits[1] &+ 1 && commits[0].isMultiple(of: 2)
                || commits[1] == commits[0] &+ 1 && commits[0].isMultiple(of: 2)
                || commits == [0, 0]
        else { throw Malformed("its two meta pages do not fit together") }
        let used = pages[newest]
        guard used.hasKnownFlags else { throw Malformed("it has unknown flags") }
        let filePages = fileBytes / page
        // Which pages may be missing at the end is looked at once it is open (`PageCheck`).
        guard used.lastPage < filePages + Self.unwrittenPages else {
            throw Malformed("it was cut short")
        }
        guard used.isSound, used.roots.allSatisfy({ $0 == .max || $0 < filePages }) else {
            throw Malformed("a root page lies outside the file")
        }
    }

    /// How much of the file whoever grew it last has mapped; 0 where it does not say.
    static func mapBytes(_ path: String) -> Int {
        let pages = (try? read(path, .journal))?.pages ?? []
        return Int(clamping: pages.map(\.mapBytes).max() ?? 0)
    }

    /// A little-endian number of LMDB's; bytes that are not there count as zero.
    static func little(_ bytes: Span<UInt8>, _ offset: Int, _ width: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<width where offset + index < bytes.count {
            value |= UInt64(bytes[offset + index]) << UInt64(8 * index)
        }
        return value
    }

    // MARK: Repair

    /// Writes what the sound page says over the one that a failed write left, with the transaction number that
    /// stands there; durable on return. False, with nothing written, if both are sound.
    ///
    /// Nobody may have the file open, this process included.
    static func repair(_ path: String, _ file: StoreFile) throws(JournalError) -> Bool {
        let found = try read(path, file)
        guard found.hasFailedWrite else { return false }
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let (good, bad) = (found.newest, 1 - found.newest)
        var bytes = try FileSystem.read(
            usedBytes, from: descriptor, at: good * found.pageBytes, path)
        guard bytes.count == usedBytes else { throw file.damaged("\(path) was cut short") }
        for index in 0..<8 {
            bytes[index] = index == 0 ? UInt8(bad) : 0  // a page holds its own number
            bytes[144 + index] = UInt8(
                truncatingIfNeeded: found.pages[bad].commit >> UInt64(8 * index))
        }
        try FileSystem.write(bytes, to: descriptor, at: bad * found.pageBytes, path)
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
        return true
    }

    // MARK: Going back

    /// A meta page as it stood in the file: what leads to the whole state of one commit.
    struct Copy: Hashable, Sendable {
        let pageBytes: Int
        /// The used part of the page.
        let bytes: [UInt8]

        var commit: UInt64 { MetaPages.little(bytes.span, 144, 8) }
        /// Of the list of databases.
        var root: UInt64 { MetaPages.little(bytes.span, 128, 8) }

        fileprivate var isMetaPage: Bool {
            MetaPages.little(bytes.span, 10, 2) == 0x08
                && MetaPages.little(bytes.span, 16, 4) == 0xBEEF_C0DE
        }

        /// Whether both lead to the same state of the same commit.
        func leads(as other: Copy) -> Bool { bytes[40...] == other.bytes[40...] }
    }

    /// The meta page of a commit, which is one of the last two. Called by whoever holds LMDB's lock of writers.
    static func copy(_ path: String, commit: UInt64) throws(JournalError) -> Copy {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let first = try FileSystem.read(usedBytes, from: descriptor, at: 0, path)
        let pageBytes = Int(little(first.span, 40, 4))
        guard pageBytes.nonzeroBitCount == 1, pageBytes >= 512, pageBytes <= 65536 else {
            throw .damaged("\(path) has no page size")
        }
        let offset = Int(commit % 2) * pageBytes
        let bytes = try FileSystem.read(usedBytes, from: descriptor, at: offset, path)
        let copy = Copy(pageBytes: pageBytes, bytes: bytes)
        guard bytes.count == usedBytes, copy.commit == commit else {
            throw .damaged("\(path) has no meta page of commit \(commit)")
        }
        return copy
    }

    /// The meta page with the greater number, as it stands there; nil if the file has none that is one.
    static func newestCopy(_ path: String, pageBytes: Int) throws(JournalError) -> Copy? {
        guard let bytes = try FileSystem.read(path, atMost: 2 * pageBytes) else { return nil }
        let copies = [0, pageBytes].compactMap { start -> Copy? in
            let page = Array(bytes.dropFirst(start).prefix(usedBytes))
            let copy = Copy(pageBytes: pageBytes, bytes: page)
            return page.count == usedBytes && copy.isMetaPage ? copy : nil
        }
        return copies.max { $0.commit < $1.commit }
    }

    /// Makes the state that a copy leads to the newest; durable on return. Nobody may have the file open, and no page of
    /// that state may have been written over.
    static func goBack(to copy: Copy, _ path: String) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        guard copy.commit > 0, copy.bytes.count == usedBytes else {
            throw .damaged("the log of \(path) says nothing of its state")
        }
        // The other one is made the same of the commit before: LMDB goes by the greater number.
        for commit in [copy.commit - 1, copy.commit] {
            var bytes = copy.bytes
            for index in 0..<8 {
                bytes[index] = index == 0 ? UInt8(commit % 2) : 0  // a page holds its own number
                bytes[144 + index] = UInt8(truncatingIfNeeded: commit >> UInt64(8 * index))
            }
            let offset = Int(commit % 2) * copy.pageBytes
            try FileSystem.write(bytes, to: descriptor, at: offset, path)
        }
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
    }
}
