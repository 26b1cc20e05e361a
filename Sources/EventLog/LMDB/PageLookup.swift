import Glibc

/// Finds records of one commit of an LMDB file, reading the file and not the map: whatever its pages say, there is an answer.
///
/// For commits whose meta page is at hand, whether the file goes by it or not. Nobody may write meanwhile.
struct PageLookup: ~Copyable {
    /// A tree is never so deep (LMDB's `CURSOR_STACK`).
    private static let mostLevels = 32
    /// Of a value that is an `MDB_db`.
    private static let treeFlag: UInt64 = 0x02

    private let descriptor: CInt
    private let path: String
    private let pageBytes: Int
    /// Of the list of databases.
    private let root: UInt64

    init(_ path: String, _ meta: MetaPages.Copy) throws(JournalError) {
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        self.path = path
        pageBytes = meta.pageBytes
        root = MetaPages.little(meta.bytes.span, 128, 8)
    }

    deinit { close(descriptor) }

    /// Where the journal stood behind that commit; nil where its pages do not lead there.
    func head() -> Head? {
        guard let meta = value([UInt8]("meta".utf8), from: root, flags: Self.treeFlag),
            meta.count == 48,
            let record = value(HeadRecord.key, from: MetaPages.little(meta.span, 40, 8), flags: 0)
        else { return nil }
        return HeadRecord.head(stored: record.span)
    }

    private func value(_ key: [UInt8], from root: UInt64, flags: UInt64) -> [UInt8]? {
        var number = root
        for _ in 0..<Self.mostLevels {
            guard let page = page(number) else { return nil }
            let bytes = page.span
            let kind = MetaPages.little(bytes, 10, 2)
            let end = Int(MetaPages.little(bytes, 12, 2))
            guard end >= PageCheck.headerBytes, end <= pageBytes else { return nil }
            var child: UInt64?
            for index in 0..<(end - PageCheck.headerBytes) / 2 {
                let node = Int(MetaPages.little(bytes, PageCheck.headerBytes + 2 * index, 2))
                let keyEnd = node + 8 + Int(MetaPages.little(bytes, node + 6, 2))
                guard node >= end, keyEnd <= pageBytes else { return nil }
                let here = bytes.extracting(node + 8..<keyEnd).copy()
                let low = MetaPages.little(bytes, node, 4)
                let nodeFlags = MetaPages.little(bytes, node + 4, 2)
                switch kind {
                case PageCheck.leafFlag where here == key:
                    let valueEnd = keyEnd + Int(low)
                    guard nodeFlags == flags, valueEnd <= pageBytes else { return nil }
                    return bytes.extracting(keyEnd..<valueEnd).copy()
                case PageCheck.leafFlag: continue
                case PageCheck.branchFlag:
                    // The first key of a branch stands for all that are less.
                    if index == 0 || !key.lexicographicallyPrecedes(here) {
                        child = low | nodeFlags << 32
                    }
                default: return nil
                }
            }
            guard let child else { return nil }
            number = child
        }
        return nil
    }

    private func page(_ number: UInt64) -> [UInt8]? {
        guard number >= 2, number < UInt64(Int.max / pageBytes),
            let bytes = try? FileSystem.read(
                pageBytes, from: descriptor, at: Int(number) * pageBytes, path),
            bytes.count == pageBytes, MetaPages.little(bytes.span, 0, 8) == number
        else { return nil }
        return bytes
    }
}
