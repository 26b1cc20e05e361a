import Core

/// Comma-separated values that a person opens in a spreadsheet: no cell can become a formula (ADR 0022).
///
/// RFC 4180, CRLF, UTF-8 without a byte order mark: the mark would become a part of the first column's
/// name for every program that reads the table. Documents whose bytes a digest fixes are `CSVWriter`'s.
package struct SpreadsheetTable: Sendable {
    package enum Cell: Sendable {
        /// Stays a number.
        case number(UInt64)
        case text(String)
        case empty
    }

    private var csv = CSVWriter()

    package init() {}

    package var bytes: [UInt8] { csv.bytes }

    package mutating func row(_ cells: [Cell]) {
        csv.line(
            cells.map { cell in
                switch cell {
                case .number(let number): "\(number)"
                case .text(let text): Self.harmless(text)
                case .empty: nil
                }
            })
    }

    /// The text with an apostrophe before whatever a spreadsheet could take for the beginning of a
    /// formula: at the beginning, and behind what separates cells elsewhere, since the same file may be
    /// read with semicolons or tabs as separators, and with quotes that then mean nothing.
    package static func harmless(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = String.UnicodeScalarView()
        var part = String.UnicodeScalarView()
        var isOpen = true
        func close() {
            result += part
            part.removeAll()
        }
        for scalar in text.unicodeScalars {
            if isOpen, isSign(scalar) {
                result.append(apostrophe)
                close()
                isOpen = false
            }
            part.append(scalar)
            if separates(scalar) {
                close()
                isOpen = true
            } else if !isSkipped(scalar) {
                isOpen = false
            }
        }
        close()
        return String(result)
    }

    /// Most texts begin with a letter or digit and hold nothing that separates cells.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        let isWord =
            switch first {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: false
            }
        return isWord
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09, 0x0A, 0x0D: false
                default: true
                }
            }
    }

    private static let apostrophe: Unicode.Scalar = "'"

    /// What formulas begin with: the signs of OWASP's page on CSV injection, full-width ones included.
    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}":
            true
        case "\u{2212}": true  // a minus sign that some take for a hyphen
        default: false
        }
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "|", "\t", "\r", "\n": true
        default: false
        }
    }

    /// What a reader may skip before it looks for a sign: blanks, quotes, and what nobody sees.
    private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"": true
        case "\u{00}"..."\u{20}", "\u{7F}"..."\u{A0}", "\u{AD}", "\u{1680}",
            "\u{2000}"..."\u{200F}", "\u{2028}"..."\u{202F}", "\u{205F}"..."\u{206F}",
            "\u{3000}", "\u{FEFF}":
            true
        default: false
        }
    }
}
