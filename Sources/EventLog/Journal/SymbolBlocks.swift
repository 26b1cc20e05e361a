import CLMDB
import Core
import Synchronization

/// The texts of sealed symbols: a record of `symbols` holds up to 256 of them, compressed.
///
/// Key: number of the first (4 bytes). Content: how many (varint), bytes when inflated (varint), then
/// a block each, as they are if that many bytes are left, else one zstd frame; then 8 bytes of hash.
enum SymbolBlocks {
    static let size = 256

    static func put(
        _ symbols: ArraySlice<[UInt8]>, first: UInt32, _ compressor: Compressor,
        _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) {
        var raw: [UInt8] = []
        for symbol in symbols { raw.appendBlock(symbol) }
        var content: [UInt8] = []
        content.appendVarint(symbols.count)
        content.appendVarint(raw.count)
        if !compressor.compress(raw, appendingTo: &content) { content += raw }
        let key = JournalKeys.symbol(first)
        content.appendFixed(hash(key.span, content.span))
        guard try access.put(database, key.span, content.span, flags: MDB_APPEND) else {
            throw .damaged("there are symbols beyond those that are sealed")
        }
    }

    private static func hash(_ key: Span<UInt8>, _ content: Span<UInt8>) -> UInt64 {
        XXH64.of(.symbol, key: key, content: content)
    }

    /// The block here.
    static func read(
        at cursor: borrowing Cursor, _ decompressor: Decompressor
    ) throws(JournalError) -> SymbolBlock {
        try unsafe Span.over(cursor.key) { key throws(JournalError) in
            try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                do throws(Malformed) {
                    return try read(key, stored, decompressor)
                } catch {
                    throw .damaged("\(error.what), in symbols, key \(Hex.text(key.copy()))")
                }
            }
        }
    }

    private static func read(
        _ key: Span<UInt8>, _ stored: Span<UInt8>, _ decompressor: Decompressor
    ) throws(Malformed) -> SymbolBlock {
        guard let first = JournalKeys.symbol(in: key), stored.count >= 8 else {
            throw Malformed("a record that holds no symbols")
        }
        var offset = stored.count - 8
        let content = stored.extracting(0..<offset)
        guard try stored.fixed(8, &offset) == hash(key, content) else {
            throw Malformed("a wrong hash")
        }
        offset = 0
        let count = try content.varint(&offset)
        let rawBytes = try content.varint(&offset)
        guard count >= 1, count <= UInt64(size), rawBytes <= UInt64(size * (Limits.symbolBytes + 8))
        else { throw Malformed("symbols beyond their limits") }
        let packed = content.extracting(offset..<content.count)
        var raw: [UInt8]
        if packed.count == Int(rawBytes) {
            raw = packed.copy()
        } else {
            raw = [UInt8](repeating: 0, count: Int(rawBytes))
            try decompressor.inflate(packed, to: 0..<raw.count, of: &raw)
        }
        let bytes = raw.span
        var places: [Range<Int>] = []
        places.reserveCapacity(Int(count))
        offset = 0
        for _ in 0..<count { places.append(try bytes.block(&offset)) }
        guard offset == bytes.count else { throw Malformed("symbols of another length") }
        return SymbolBlock(first: first, raw: raw, places: places)
    }
}

/// The symbols of one record, inflated.
struct SymbolBlock {
    /// The number of the first.
    let first: UInt32
    fileprivate let raw: [UInt8]
    fileprivate let places: [Range<Int>]

    var count: Int { places.count }

    /// The text of the symbol with this index.
    subscript(index: Int) -> [UInt8] { Array(raw[places[index]]) }
}

/// Sealed symbols that were read lately. What is sealed never changes.
final class SymbolCache: Sendable {
    private struct State {
        var blocks: [SymbolBlock] = []
        /// The numbers that each block holds, apart: what most of them are looked at for.
        var numbers: [Range<UInt32>] = []
        var next = 0
    }

    private static let size = 64
    private let state = Mutex(State())

    func symbol(
        _ number: UInt32, _ access: TransactionAccess, _ database: Database,
        _ decompressor: () throws(JournalError) -> Decompressor
    ) throws(JournalError) -> [UInt8] {
        let found = state.withLock { state -> [UInt8]? in
            guard let index = state.numbers.firstIndex(where: { $0.contains(number) }) else {
                return nil
            }
            return state.blocks[index][Int(number - state.numbers[index].lowerBound)]
        }
        if let found { return found }
        var cursor = try Cursor(access, database)
        let key = JournalKeys.symbol(number)
        guard try cursor.seekBack(key.span) else { throw .damaged("symbol \(number) is missing") }
        let block = try SymbolBlocks.read(at: cursor, decompressor())
        guard number >= block.first, Int(number - block.first) < block.count else {
            throw .damaged("symbol \(number) is missing")
        }
        state.withLock { state in
            let numbers = block.first..<block.first + UInt32(block.count)
            if state.blocks.count < Self.size {
                state.blocks.append(block)
                state.numbers.append(numbers)
            } else {
                state.blocks[state.next] = block
                state.numbers[state.next] = numbers
                state.next = (state.next + 1) % Self.size
            }
        }
        return block[Int(number - block.first)]
    }
}
