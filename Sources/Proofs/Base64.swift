/// Base 64 in its one form: the standard alphabet, padded, no white space, unused bits zero
/// (RFC 4648 §4, §3.5). So no bit of a text can change without changing what it says.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= 8 * UInt32(3 - group.count)
            for digit in 0..<4 {
                let value = Int(bits >> (18 - 6 * UInt32(digit)) & 63)
                text.append(digit <= group.count ? alphabet[value] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil unless the text is in its one form.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let utf8 = Array(text.utf8)
        guard utf8.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 4 * 3)
        for start in stride(from: 0, to: utf8.count, by: 4) {
            let isLast = start + 4 == utf8.count
            let pads = isLast ? utf8[start...].reversed().prefix { $0 == padding }.count : 0
            guard pads <= 2 else { return nil }
            var bits: UInt32 = 0
            for digit in utf8[start..<start + 4 - pads] {
                guard let value = value(digit) else { return nil }
                bits = bits << 6 | value
            }
            bits <<= 6 * UInt32(pads)
            guard bits & ((1 << (8 * UInt32(pads))) - 1) == 0 else { return nil }
            for index in 0..<3 - pads {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index))))
            }
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
