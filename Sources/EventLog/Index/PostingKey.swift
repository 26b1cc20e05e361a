/// The key of a chunk in `index`: kind (1 byte), symbol or type number (4), chunk number (4).
struct PostingKey: Hashable {
    static let byteCount = 9
    /// The number under which a list's last, still growing chunk stands.
    static let tail: UInt32 = .max

    var kind: PostingKind
    var number: UInt32
    var chunk: UInt32

    var bytes: [9 of UInt8] {
        var bytes = [9 of UInt8](repeating: 0)
        bytes[0] = kind.rawValue
        for index in 0..<4 {
            bytes[1 + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index))
            bytes[5 + index] = UInt8(truncatingIfNeeded: chunk >> UInt32(24 - 8 * index))
        }
        return bytes
    }

    init(_ kind: PostingKind, _ number: UInt32, chunk: UInt32) {
        self.kind = kind
        self.number = number
        self.chunk = chunk
    }

    init(_ bytes: Span<UInt8>) throws(Malformed) {
        guard bytes.count == Self.byteCount, let kind = PostingKind(rawValue: bytes[0]) else {
            throw Malformed("a key that is no posting list's")
        }
        var offset = 1
        self.kind = kind
        number = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        chunk = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
    }
}
