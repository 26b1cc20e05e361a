import Core
import Cryptography

/// The first 16 bytes of a SHA-256: what a frame is known by.
package struct Checksum: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16

    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Stands before the first frame.
    package static let zero = Checksum(high: 0, low: 0)

    /// 32 hexadecimal digits.
    package var description: String { Hex.text(high) + Hex.text(low) }
}

/// Which database a record belongs to; part of what is hashed, so that a record moved into
/// another database is found.
enum Domain: UInt8 {
    case frame = 1
    case symbol = 2
    case type = 4
    case index = 6
    case dictionary = 5
    case meta = 7
    case view = 8
    case viewMeta = 9
    case tree = 10
    /// A row that is stored compressed (`RowPacker`).
    case packedView = 13
}

extension Checksum {
    /// The first 16 bytes of SHA-256 over domain (1 byte) ‖ table (2, 0 in the journal) ‖ length
    /// of the key (2) ‖ key ‖ content; numbers big-endian.
    static func of(
        _ domain: Domain, table: UInt16 = 0, key: Span<UInt8>, content: Span<UInt8>
    ) -> Checksum {
        let length = UInt16(truncatingIfNeeded: key.count)  // LMDB's keys end at 511 bytes
        let prefix: [5 of UInt8] = [
            domain.rawValue, UInt8(table >> 8), UInt8(table & 0xFF), UInt8(length >> 8),
            UInt8(length & 0xFF),
        ]
        var hash = SHA256()
        hash.update(prefix.span)
        hash.update(key)
        hash.update(content)
        let digest = hash.digest
        return unsafe digest.span.withUnsafeBytes { digest in
            let high = unsafe digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            let low = unsafe digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return Checksum(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        }
    }
}
