extension [UInt8] {
    private static let digits: [64 of UInt8] = {
        let text = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return [64 of UInt8] { text[$0] }
    }()

    /// Appends bytes in base 64 with padding (RFC 4648, section 4).
    mutating func append(base64 content: ArraySlice<UInt8>) {
        let digits = Self.digits
        let content = content.span
        append(addingCapacity: (content.count + 2) / 3 * 4) { output in
            for start in stride(from: 0, to: content.count, by: 3) {
                let count = Swift.min(content.count - start, 3)
                var bits = 0
                for place in 0..<3 {
                    bits = bits << 8 | (place < count ? Int(content[start + place]) : 0)
                }
                for place in 0..<4 {
                    let digit = digits[bits >> (18 - 6 * place) & 63]
                    output.append(place <= count ? digit : UInt8(ascii: "="))
                }
            }
        }
    }
}
