/// Reads what `BinaryWriter` wrote, from a range of a buffer.
///
/// Never traps: a read past the end or a malformed varint sets `failed`, after which every read
/// gives an empty value. Whoever decodes a record looks at `failed` once, at the end.
package struct BinaryReader: Sendable {
    package let bytes: [UInt8]
    private var place: Int
    package let end: Int
    private var hasFailed = false
    /// The person's key is gone: personal fields read as null.
    package let hidesPersonal: Bool

    package var offset: Int { place }
    package var failed: Bool { hasFailed }

    /// A range outside the buffer fails at once.
    package init(_ bytes: [UInt8], range: Range<Int>, hidesPersonal: Bool = false) {
        let isInside = range.lowerBound >= 0 && range.upperBound <= bytes.count
        self.bytes = bytes
        self.place = isInside ? range.lowerBound : 0
        self.end = isInside ? range.upperBound : 0
        self.hasFailed = !isInside
        self.hidesPersonal = hidesPersonal
    }

    package init(_ bytes: [UInt8]) {
        self.init(bytes, range: 0..<bytes.count)
    }

    /// The same bytes, personal fields read as null.
    package var hidingPersonal: BinaryReader {
        BinaryReader(bytes, range: offset..<end, hidesPersonal: true)
    }

    /// All bytes were consumed and none was missing.
    package var isComplete: Bool { !failed && offset == end }

    /// What was read makes no sense: everything from here on reads as empty.
    package mutating func fail() {
        hasFailed = true
        place = end
    }
}

extension BinaryReader {
    package mutating func byte() -> UInt8 {
        guard place < end else {
            fail()
            return 0
        }
        let value = bytes[place]
        place += 1
        return value
    }

    @inline(__always)
    package mutating func varint() -> UInt64 {
        if place < end, bytes[place] < 0x80 {
            place += 1
            return UInt64(bytes[place - 1])
        }
        return longVarint()
    }

    private mutating func longVarint() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < end, shift < 64 {
            let next = bytes[place]
            place += 1
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        fail()
        return 0
    }

    package mutating func zigzag() -> Int64 {
        let raw = varint()
        return Int64(bitPattern: (raw >> 1) ^ (0 &- (raw & 1)))
    }

    /// A count of elements that each take at least one byte: larger than what is left is damage.
    package mutating func count() -> Int {
        let raw = varint()
        guard raw <= UInt64(end - place) else {
            fail()
            return 0
        }
        return Int(raw)
    }

    package mutating func countedBytes() -> ArraySlice<UInt8> {
        let length = count()
        let start = place
        place += length
        return bytes[start..<place]
    }

    package mutating func countedText() -> String {
        let length = count()
        let start = place
        place += length
        guard let text = try? UTF8Span(validating: bytes.span.extracting(start..<place)) else {
            fail()
            return ""
        }
        return String(copying: text)
    }
}
