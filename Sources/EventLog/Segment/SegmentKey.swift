/// What the lists of a segment are of.
enum SegmentKind: UInt8, CaseIterable {
    /// Symbol of a stream → positions of its events.
    case stream = 1
    /// Number of a type → positions.
    case type = 2
    /// Symbol of a tag → positions.
    case tag = 3
    /// Hash of an accepted command's id → position of its first event, or of the next one to come.
    case command = 4
    /// Hash of a symbol's bytes → the symbol's number.
    case name = 5
    /// Symbol of an actor → positions of the events that bear no tag of the same text.
    case actor = 6

    /// Under what the lists of commands and names are found: 32 bits of their hash.
    func number(of bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: XXH64.hash(bytes.span, seed: UInt64(rawValue)))
    }
}

extension PostingKind {
    var segmentKind: SegmentKind {
        switch self {
        case .stream: .stream
        case .type: .type
        case .tag: .tag
        case .actor: .actor
        }
    }
}

/// One entry of a segment: a value in a list.
struct SegmentEntry: Hashable, Comparable {
    var number: UInt32
    var value: UInt64

    /// Behind every entry.
    static let end = SegmentEntry(number: .max, value: .max)

    static func < (left: SegmentEntry, right: SegmentEntry) -> Bool {
        left.number == right.number ? left.value < right.value : left.number < right.number
    }
}

/// The key of a page in `segments`: kind (1 byte), segment (4), and its first entry: number (4),
/// value (8).
struct SegmentKey: Hashable {
    static let byteCount = 17

    var kind: SegmentKind
    var segment: UInt32
    var first: SegmentEntry

    var bytes: [17 of UInt8] {
        var bytes = [17 of UInt8](repeating: 0)
        bytes[0] = kind.rawValue
        for index in 0..<4 {
            bytes[1 + index] = UInt8(truncatingIfNeeded: segment >> UInt32(24 - 8 * index))
            bytes[5 + index] = UInt8(truncatingIfNeeded: first.number >> UInt32(24 - 8 * index))
        }
        for index in 0..<8 {
            bytes[9 + index] = UInt8(truncatingIfNeeded: first.value >> UInt64(56 - 8 * index))
        }
        return bytes
    }

    init(_ kind: SegmentKind, _ segment: UInt32, _ first: SegmentEntry) {
        self.kind = kind
        self.segment = segment
        self.first = first
    }

    init(_ bytes: Span<UInt8>) throws(Malformed) {
        guard bytes.count == Self.byteCount, let kind = SegmentKind(rawValue: bytes[0]) else {
            throw Malformed("a key that is no index page's")
        }
        var offset = 1
        self.kind = kind
        segment = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        first = SegmentEntry(
            number: UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset)),
            value: try bytes.fixed(8, &offset))
    }
}
