import CLMDB

/// Gives rows of the views their stored form: content and checksum.
///
/// A long row is compressed where that is worth it, which its checksum says: it is of another domain. Its content
/// is then its length when inflated, `u32`, and a zstd frame.
struct RowPacker {
    /// Shorter rows gain little: a row is compressed by itself.
    private static let leastBytes = 1024

    private var compressor: Compressor?
    private var packed: [UInt8] = []
    /// By the number of the table.
    private var tries: [UInt16: Tries] = [:]

    /// Which long rows of a table are tried: where none gained by it, as of sealed values, fewer and fewer.
    private struct Tries {
        private static let mostSkipped = 63

        private var skipped = 0
        private var left = 0

        mutating func isNext() -> Bool {
            guard left > 0 else { return true }
            left -= 1
            return false
        }

        mutating func count(gained: Bool) {
            skipped = gained ? 0 : min(skipped * 2 + 1, Self.mostSkipped)
            left = skipped
        }
    }

    /// Makes the stored form of `content`, in its place.
    mutating func pack(
        _ content: inout [UInt8], _ table: Database, _ key: Span<UInt8>
    ) throws(JournalError) {
        if (Self.leastBytes...Limits.frameBytes).contains(content.count),
            tries[table.table, default: Tries()].isNext()
        {
            packed.removeAll(keepingCapacity: true)
            packed.appendFixed(UInt32(content.count))
            let compressor = try usedCompressor()
            let isShorter =
                compressor.compress(content, appendingTo: &packed)
                && packed.count < content.count / 8 * 7
            tries[table.table]?.count(gained: isShorter)
            if isShorter {
                swap(&content, &packed)
                return content.appendFixed(table.packedSum(key, content.span))
            }
        }
        content.appendFixed(table.sum(key, content.span))
    }

    /// The row of which this is the compressed content; nil where it is none.
    static func unpacked(_ content: Span<UInt8>) -> [UInt8]? {
        var offset = 0
        guard let length = try? content.fixed(4, &offset), length <= UInt64(Limits.frameBytes),
            let decompressor = try? Decompressor()
        else { return nil }
        var row = [UInt8](repeating: 0, count: Int(length))
        let frame = content.extracting(offset..<content.count)
        guard (try? decompressor.inflate(frame, to: row.indices, of: &row)) != nil else {
            return nil
        }
        return row
    }

    private mutating func usedCompressor() throws(JournalError) -> Compressor {
        if let compressor { return compressor }
        let made = try Compressor(level: Compressor.fast)
        compressor = made
        return made
    }
}

extension Database {
    /// What a row that is stored compressed carries at its end.
    func packedSum(_ key: Span<UInt8>, _ content: Span<UInt8>) -> UInt64 {
        XXH64.of(.packedView, table: table, key: key, content: content)
    }
}
