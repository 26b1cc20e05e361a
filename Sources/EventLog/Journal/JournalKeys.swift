import Crypto
import Events

/// Keys of the small databases.
enum JournalKeys {
    /// The key of a name or a command id: the bytes themselves, or for long, empty and ambiguous
    /// ones 0xFF and their SHA-256 (LMDB's keys end at 511 bytes).
    static func name(_ bytes: [UInt8]) -> [UInt8] {
        if let first = bytes.first, first != 0xFF, bytes.count <= 64 { return bytes }
        return [0xFF] + SHA256.hash(data: bytes)
    }

    static func symbol(_ number: UInt32) -> [4 of UInt8] {
        [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ]
    }

    /// The symbol number that a record of `names` holds.
    static func symbol(in content: Span<UInt8>) -> UInt32? {
        var offset = 0
        guard content.count == 4, let number = try? content.fixed(4, &offset) else { return nil }
        return UInt32(truncatingIfNeeded: number)
    }

    static func type(_ number: UInt16) -> [2 of UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}

/// The value of a command's record: digest, device, first position, event count.
extension AcceptedEntry {
    static let byteCount = 32

    func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: digest)
        bytes.appendFixed(device.number)
        bytes.appendFixed(first.number)
        bytes.appendFixed(count)
    }

    init(_ bytes: Span<UInt8>) throws(Malformed) {
        guard bytes.count == Self.byteCount else {
            throw Malformed("a command's record of another length")
        }
        var offset = 0
        digest = bytes.copy(try bytes.skip(Limits.digestBytes, &offset))
        device = Symbol(number: UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset)))
        first = Position(try bytes.fixed(8, &offset))
        count = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
    }
}
