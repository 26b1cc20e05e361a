extension String {
    /// The text between quotes, in the shortest form that JSON (RFC 8259) and JSONPath (RFC 9535) take: only what must be
    /// escaped is.
    package func quoted(by quote: Unicode.Scalar) -> String {
        var text = String.UnicodeScalarView([quote])
        for scalar in unicodeScalars {
            switch scalar {
            case quote, "\\": text += ["\\", scalar]
            case "\u{8}": text += ["\\", "b"]
            case "\u{C}": text += ["\\", "f"]
            case "\n": text += ["\\", "n"]
            case "\r": text += ["\\", "r"]
            case "\t": text += ["\\", "t"]
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text +=
                    "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
            default: text.append(scalar)
            }
        }
        text.append(quote)
        return String(text)
    }
}
