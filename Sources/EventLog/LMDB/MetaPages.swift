import Glibc

/// The first two pages of an LMDB file, looked at before LMDB maps it.
///
/// LMDB trusts what they say; a file cut short or overwritten would make it read beyond the end,
/// which ends the process.
enum MetaPages {
    static func check(
        _ path: String, _ file: StoreFile, isReadOnly: Bool
    ) throws(JournalError) {
        var reason: StaticString = "it is too short"
        // A page that another process is just writing may look torn: look again.
        for attempt in 0..<5 {
            if attempt > 0 { usleep(2000) }
            guard case .file(let length) = try FileSystem.entry(at: path) else {
                throw file.damaged("\(path) is not a file")
            }
            guard let bytes = try FileSystem.read(path, atMost: 4 * 65536) else { continue }
            let used: Int
            do throws(Malformed) {
                used = try usedBytes(bytes.span, fileBytes: UInt64(length))
            } catch {
                reason = error.what
                continue
            }
            if used > length && !isReadOnly {
                try FileSystem.lengthen(path, from: length, to: used)
            }
            return
        }
        throw file.damaged("\(path) is no LMDB file: \(reason)")
    }

    /// How long the file should be.
    ///
    /// LMDB does not write pages that a transaction took at the end of the file and gave back, so
    /// an intact file may be a little shorter. Offsets as in LMDB 0.9's `MDB_page` and `MDB_meta`
    /// on a 64-bit little-endian machine.
    private static func usedBytes(
        _ bytes: Span<UInt8>, fileBytes: UInt64
    ) throws(Malformed) -> Int {
        var used: UInt64 = 0
        var commits: [UInt64] = []
        guard bytes.count >= 152 else { throw Malformed("it is too short") }
        let page = UInt64(little(bytes, 40, 4))
        guard page.nonzeroBitCount == 1, page >= 512, page <= 65536,
            2 * page <= UInt64(bytes.count)
        else { throw Malformed("its page size makes no sense") }
        for start in [0, Int(page)] {
            guard little(bytes, start + 10, 2) == 0x08 else {
                throw Malformed("a meta page is missing")
            }
            guard little(bytes, start + 16, 4) == 0xBEEF_C0DE, little(bytes, start + 20, 4) == 1,
                little(bytes, start + 40, 4) == page
            else { throw Malformed("a meta page is not LMDB's") }
            // MDB_INTEGERKEY of the tree of free pages, and MDB_NOSUBDIR.
            guard little(bytes, start + 44, 2) | 0x4000 == 0x4008 else {
                throw Malformed("it has unknown flags")
            }
            let last = little(bytes, start + 136, 8)
            guard last >= 1, last < fileBytes / page + 256 else {
                throw Malformed("it was cut short")
            }
            used = max(used, (last + 1) * page)
            commits.append(little(bytes, start + 144, 8))
            for root in [little(bytes, start + 80, 8), little(bytes, start + 128, 8)]
            where root != .max && (root > last || root < 2 || root >= fileBytes / page) {
                throw Malformed("a root page lies outside the file")
            }
        }
        // Commits alternate between the two pages; another number would bring back an old state.
        guard
            commits[0] == commits[1] &+ 1 && commits[0].isMultiple(of: 2)
                || commits[1] == commits[0] &+ 1 && commits[0].isMultiple(of: 2)
                || commits == [0, 0]
        else { throw Malformed("its two meta pages do not fit together") }
        guard let used = Int(exactly: used) else { throw Malformed("its length makes no sense") }
        return used
    }

    /// A little-endian number of LMDB's; bytes that are not there count as zero.
    static func little(_ bytes: Span<UInt8>, _ offset: Int, _ width: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<width where offset + index < bytes.count {
            value |= UInt64(bytes[offset + index]) << UInt64(8 * index)
        }
        return value
    }
}
