/// Reading the lines of which notes and proofs consist.
enum PlainText {
    /// The text of these bytes; nil if they are not UTF-8.
    static func decoded(_ bytes: [UInt8]) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The lines of a text whose last one is ended like the others; nil if it is not, or if the
    /// text is empty. Works on bytes: `\r\n` would be one character of a `String`.
    static func lines(_ text: String) -> [String]? {
        let utf8 = Array(text.utf8)
        guard utf8.last == newline else { return nil }
        return utf8.dropLast().split(separator: newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number in ASCII digits without leading zeros; nil otherwise and beyond 63 bits.
    static func number(_ text: some StringProtocol) -> Int? {
        let digits = Array(text.utf8)
        guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0")
        else { return nil }
        var number = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (times, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = times.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }

    /// What follows `prefix`, compared byte by byte; nil if the text begins otherwise.
    static func dropping(_ prefix: String, from text: String) -> String? {
        let utf8 = Array(text.utf8)
        let head = Array(prefix.utf8)
        guard utf8.starts(with: head) else { return nil }
        return String(decoding: utf8.dropFirst(head.count), as: UTF8.self)
    }

    /// Whether both consist of the same bytes; `==` would also take canonically equivalent texts
    /// for equal.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// A text for a message: at most 60 characters, what is not printable ASCII replaced.
    static func quoted(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars
        var shown = ""
        for scalar in scalars.prefix(60) {
            shown.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
        }
        return "\"\(shown)\(scalars.count > 60 ? "…" : "")\""
    }

    static let newline = UInt8(ascii: "\n")
}
