package import Core

/// Comma-separated values as RFC 4180 has them, with CRLF after every line (R34).
package struct CSVWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Fields are quoted only when they hold a comma, quote, CR or LF; null is empty.
    package mutating func line(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field ?? "")
        }
        bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    }

    private mutating func append(_ field: String) {
        let quote = UInt8(ascii: "\"")
        guard field.utf8.contains(where: Self.isSpecial) else {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(quote)
        for byte in field.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}

extension FieldValue {
    /// The value as a field: texts as they are, all else as JSON writes it; nil for null.
    package func csvField(_ names: Names) -> String? {
        var output = JSONOutput(names: names, reservingCapacity: 32)
        write(to: &output)
        let text = String(decoding: output.json.bytes, as: UTF8.self)
        if text.isExactly("null") { return nil }
        guard text.utf8.first == UInt8(ascii: "\"") else { return text }
        return (try? JSON(parsing: output.json.bytes))?.string
    }
}
