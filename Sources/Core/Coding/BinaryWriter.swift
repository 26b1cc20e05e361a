/// Writes the positional binary form of payloads and rows: varints, zigzag integers, counted bytes.
public struct BinaryWriter: Sendable {
    /// What was written so far.
    public var bytes: [UInt8]
    /// Seals what rows hold of persons; nil leaves it in clear.
    public private(set) var vault: (any RowVault)?

    public init(reservingCapacity capacity: Int = 128) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Goes on where the bytes end; they are the writer's until they are taken back from it.
    public init(appendingTo buffer: inout [UInt8], vault: (any RowVault)? = nil) {
        bytes = []
        self.vault = vault
        swap(&bytes, &buffer)
    }

    /// Appends one byte.
    @inlinable
    public mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    /// LEB128, least significant group first, at most ten bytes.
    @inlinable
    public mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small magnitudes of either sign become small varints.
    @inlinable
    public mutating func zigzag(_ value: Int64) {
        varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends a text as UTF-8 behind its count of bytes.
    public mutating func counted(_ text: String) {
        let utf8 = text.utf8
        varint(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    /// Appends bytes behind their count.
    public mutating func counted(_ content: [UInt8]) {
        varint(UInt64(content.count))
        bytes.append(contentsOf: content)
    }
}
