extension [UInt8] {
    private static let digits: [64 of UInt8] = {
        let text = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return [64 of UInt8] { text[$0] }
    }()

    /// Appends bytes in base 64 with padding (RFC 4648, section 4).
    mutating func append(base64 content: ArraySlice<UInt8>) {
        let digits = Self.digits
        var rest = content
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits = 0
            for byte in group { bits = bits << 8 | Int(byte) }
            bits <<= 8 * (3 - group.count)
            for place in 0..<4 {
                let digit = digits[bits >> (18 - 6 * place) & 63]
                append(place <= group.count ? digit : UInt8(ascii: "="))
            }
        }
    }
}
