/// Reads the inside of JSON strings (RFC 8259 §7).
enum JSONStringScanner {
    /// The text of bytes without escapes; throws where they are no UTF-8 (overlong forms and
    /// surrogates are none).
    @inline(__always)
    static func text(
        in bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: bytes.extracting(range)))
        } catch {
            throw JSONError(
                offset: range.lowerBound + error.byteOffsets.lowerBound, reason: "invalid UTF-8")
        }
    }

    /// Reads a string with escapes whose contents begin at `start` and need no decoding up to
    /// `index`, which then lies behind the closing quote.
    static func string(
        in bytes: Span<UInt8>, from start: Int, cleanUpTo index: inout Int
    ) throws(JSONError) -> String {
        var decoded: [UInt8] = []
        var cleanStart = start
        while true {
            guard index < bytes.count else { throw endsTooEarly(index) }
            try check(bytes, cleanStart..<index)
            decoded.append(bytes.extracting(cleanStart..<index))
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(in: bytes, at: &index, to: &decoded)
            default:
                throw JSONError(offset: index, reason: "control character in a string")
            }
            cleanStart = index
            index = JSONEscapes.prefixWithoutEscapes(of: bytes, from: index)
        }
    }

    private static func check(
        _ bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(JSONError) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.extracting(range))
        } catch {
            throw JSONError(
                offset: range.lowerBound + error.byteOffsets.lowerBound, reason: "invalid UTF-8")
        }
    }

    private static func endsTooEarly(_ index: Int) -> JSONError {
        JSONError(offset: index, reason: "the document ends too early")
    }

    /// Reads one escape (two for a surrogate pair) from its backslash on.
    private static func escape(
        in bytes: Span<UInt8>, at index: inout Int, to decoded: inout [UInt8]
    ) throws(JSONError) {
        guard index + 1 < bytes.count else { throw endsTooEarly(bytes.count) }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            decoded.append(bytes[index + 1])
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try scalar(in: bytes, at: &index)
            decoded.append(contentsOf: String(scalar).utf8)
            return
        default: throw JSONError(offset: index, reason: "unknown escape")
        }
        index += 2
    }

    /// Reads `\uXXXX`, or the two of them that make a surrogate pair.
    private static func scalar(
        in bytes: Span<UInt8>, at index: inout Int
    ) throws(JSONError) -> Unicode.Scalar {
        let start = index
        let first = try codeUnit(in: bytes, at: &index)
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Half of a pair: only a high one may come first, and only a low one may follow.
        let lone = JSONError(offset: start, reason: "lone surrogate")
        guard first < 0xDC00 else { throw lone }
        guard index < bytes.count else { throw endsTooEarly(index) }
        guard bytes[index] == UInt8(ascii: "\\") else { throw lone }
        guard index + 1 < bytes.count else { throw endsTooEarly(bytes.count) }
        guard bytes[index + 1] == UInt8(ascii: "u") else { throw lone }
        let second = try codeUnit(in: bytes, at: &index)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw lone }
        return scalar
    }

    /// Reads `\uXXXX` from its backslash on.
    private static func codeUnit(
        in bytes: Span<UInt8>, at index: inout Int
    ) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for place in (index + 2)..<(index + 6) {
            guard place < bytes.count else { throw endsTooEarly(bytes.count) }
            let byte = bytes[place]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONError(offset: place, reason: "four hexadecimal digits expected")
            }
            unit = unit << 4 | UInt16(digit)
        }
        index += 6
        return unit
    }
}
