/// Stored bytes that do not mean anything: cut short, too large, or not in their one form.
struct Malformed: Error {
    let what: StaticString

    init(_ what: StaticString) {
        self.what = what
    }
}

/// Reading from stored bytes. Every read checks that the bytes are there and that numbers fit.
extension Span where Element == UInt8 {
    /// An unsigned LEB128 number of at most 64 bits in its shortest form.
    @inline(__always)
    func varint(_ offset: inout Int) throws(Malformed) -> UInt64 {
        guard offset < count else { throw Malformed("cut short") }
        let first = self[offset]
        guard first >= 0x80 else {
            offset += 1
            return UInt64(first)
        }
        if offset + 1 < count {
            let second = self[offset + 1]
            if second < 0x80 && second != 0 {
                offset += 2
                return UInt64(first & 0x7F) | UInt64(second) &<< 7
            }
        }
        return try longVarint(&offset)
    }

    /// Eight numbers of a byte each, the first in the lowest byte; nil, and nothing is read, if one of the
    /// next eight is longer.
    @inline(__always)
    func eightShort(_ offset: inout Int) -> UInt64? {
        guard offset + 8 <= count else { return nil }
        let eight = unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        guard eight & 0x8080_8080_8080_8080 == 0 else { return nil }
        offset += 8
        return eight
    }

    @inline(never)
    private func longVarint(_ offset: inout Int) throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < count {
            let byte = self[offset]
            offset += 1
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || (shift == 63 && bits <= 1) else {
                throw Malformed("a number beyond 64 bits")
            }
            value |= bits &<< shift
            if byte < 0x80 {
                guard byte != 0 else { throw Malformed("a number not in its shortest form") }
                return value
            }
            shift += 7
        }
        throw Malformed("cut short")
    }

    @inline(__always)
    func varint32(_ offset: inout Int) throws(Malformed) -> UInt32 {
        let value = try varint(&offset)
        guard let number = UInt32(exactly: value) else {
            throw Malformed("a number beyond 32 bits")
        }
        return number
    }

    /// A signed number, folded so that small ones are short: 0, -1, 1, -2 … as 0, 1, 2, 3 …
    @inline(__always)
    func zigzag(_ offset: inout Int) throws(Malformed) -> Int64 {
        let value = try varint(&offset)
        return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A length, then that many bytes.
    @inline(__always)
    func block(_ offset: inout Int) throws(Malformed) -> Range<Int> {
        let length = try varint(&offset)
        guard length <= UInt64(count - offset) else { throw Malformed("cut short") }
        let start = offset
        offset += Int(length)
        return start..<offset
    }

    func skip(_ length: Int, _ offset: inout Int) throws(Malformed) -> Range<Int> {
        guard length >= 0, length <= count - offset else { throw Malformed("cut short") }
        let start = offset
        offset += length
        return start..<offset
    }

    /// An unsigned big-endian number of `width` bytes.
    func fixed(_ width: Int, _ offset: inout Int) throws(Malformed) -> UInt64 {
        guard width <= count - offset else { throw Malformed("cut short") }
        var value: UInt64 = 0
        for index in offset..<offset + width {
            value = value &<< 8 | UInt64(self[index])
        }
        offset += width
        return value
    }

    func checksum(_ offset: inout Int) throws(Malformed) -> Checksum {
        Checksum(high: try fixed(8, &offset), low: try fixed(8, &offset))
    }

    func copy(_ range: Range<Int>) -> [UInt8] {
        // All empty arrays share their storage, and this initializer writes into it.
        if range.isEmpty { return [] }
        let part = extracting(range)
        return unsafe [UInt8](unsafeUninitializedCapacity: part.count) { buffer, filled in
            unsafe part.withUnsafeBufferPointer { source in
                _ = unsafe buffer.initialize(from: source)
            }
            filled = part.count
        }
    }

    func copy() -> [UInt8] { copy(0..<count) }
}

extension Span where Element == UInt8 {
    /// Runs `body` on mapped bytes as a span.
    static func over<R, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, _ body: (Span<UInt8>) throws(Failure) -> R
    ) throws(Failure) -> R {
        let buffer = unsafe UnsafeBufferPointer(
            start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        return try body(unsafe Span(_unsafeElements: buffer))
    }
}
