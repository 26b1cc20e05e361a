/// What a JSON string may not hold as it is: `"`, `\` and control characters (RFC 8259 §7).
enum JSONEscapes {
    /// Where the first byte at or after `start` lies that needs an escape; the count if none does.
    @inline(__always)
    static func prefixWithoutEscapes(of text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // Eight bytes at a time: most texts have nothing to escape. Safe, since the load is
        // bounds-checked and any bit pattern is a number.
        let raw = unsafe text.bytes
        while index &+ 8 <= text.count {
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !needsEscape(anywhereIn: word) else { break }
            index &+= 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            index &+= 1
        }
        return index
    }

    /// Whether one of the eight bytes is below 0x20, `"` or `\`. A byte in question has its
    /// highest bit set by the subtraction that borrows only where it is too small, and had it
    /// clear before (Hacker's Delight §6-1). May also say yes when an earlier byte is one, no more.
    @inline(__always)
    static func needsEscape(anywhereIn word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let small = (word &- ones &* 0x20) & ~word
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        return (small | isQuote | isBackslash) & (ones &* 0x80) != 0
    }

    /// Appends a text whose first `clean` bytes need no escape, escaped.
    static func append(_ text: Span<UInt8>, cleanUpTo clean: Int, to bytes: inout [UInt8]) {
        var start = 0
        var end = clean
        while true {
            bytes.append(text.extracting(start..<end))
            guard end < text.count else { return }
            append(escaped: text[end], to: &bytes)
            start = end + 1
            end = prefixWithoutEscapes(of: text, from: start)
        }
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 15))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }

    /// The byte at `index` of a text escaped by `append`, and where the next one begins.
    static func unescaped(in text: Span<UInt8>, at index: Int) -> (byte: UInt8, next: Int) {
        guard text[index] == UInt8(ascii: "\\") else { return (text[index], index + 1) }
        switch text[index + 1] {
        case UInt8(ascii: "b"): return (0x08, index + 2)
        case UInt8(ascii: "t"): return (0x09, index + 2)
        case UInt8(ascii: "n"): return (0x0A, index + 2)
        case UInt8(ascii: "f"): return (0x0C, index + 2)
        case UInt8(ascii: "r"): return (0x0D, index + 2)
        case UInt8(ascii: "u"):
            let low = text[index + 5]
            let digit = low <= UInt8(ascii: "9") ? low & 15 : low & 15 &+ 9
            return ((text[index + 4] & 15) << 4 | digit, index + 6)
        default: return (text[index + 1], index + 2)
        }
    }
}
