import Core

/// Where a frame stands in `frames`: first position (8 bytes) and ordinal (4), big-endian.
struct FrameKey: Hashable, Comparable {
    static let byteCount = 12

    var first: Position
    var ordinal: UInt32

    var bytes: [12 of UInt8] {
        var bytes = [12 of UInt8](repeating: 0)
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: first.number >> UInt64(56 - 8 * index))
        }
        for index in 0..<4 {
            bytes[8 + index] = UInt8(truncatingIfNeeded: ordinal >> UInt32(24 - 8 * index))
        }
        return bytes
    }

    /// The same in memory of its own.
    var copied: [UInt8] {
        let bytes = bytes
        return bytes.indices.map { bytes[$0] }
    }

    init(first: Position, ordinal: UInt32) {
        self.first = first
        self.ordinal = ordinal
    }

    init(_ bytes: Span<UInt8>) throws(Malformed) {
        guard bytes.count == Self.byteCount else { throw Malformed("a key that is no frame's") }
        var offset = 0
        first = Position(try bytes.fixed(8, &offset))
        ordinal = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
    }

    static func < (left: FrameKey, right: FrameKey) -> Bool {
        left.first == right.first ? left.ordinal < right.ordinal : left.first < right.first
    }
}
