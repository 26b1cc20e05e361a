/// Text that came from a journal, made harmless for a terminal and measured in its columns.
enum Printable {
    /// `text` on one line, with every control and direction-changing character made visible.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isDangerous($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 {  // U+2400… are pictures of the C0 controls
                result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
            } else if isDangerous(scalar) {
                result += "<U+\(hexadecimal(scalar))>"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// JSON text with the same meaning in which nothing moves a cursor: JSON itself escapes only C0.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var result = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isDangerous(scalar), scalar.value > 0x20 {
                result += "\\u\(hexadecimal(scalar))"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    /// Lines of other text (CSV): the line ends stay, whatever else controls a terminal is shown.
    static func lines(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let ends = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = ends.map { line in
            let isCarriage = line.last == "\r"
            return Printable.line(String(isCarriage ? line.dropLast() : line))
                + (isCarriage ? "\r" : "")
        }
        return Array(shown.joined(separator: "\n").utf8)
    }

    /// How many columns a terminal gives to `text`, which is printable.
    static func columns(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// `text`, or as much of it as fits with a sign that something is missing.
    static func shortened(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        var result = ""
        var used = 1
        for character in text {
            let next = columns(of: character)
            guard used + next <= width else { break }
            used += next
            result.append(character)
        }
        return width > 0 ? result + "…" : ""
    }

    private static func columns(of character: Character) -> Int {
        character.unicodeScalars.map(columns(of:)).max() ?? 0
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {  // East Asian wide forms and pictographs, by block
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that reorder text.
    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
            0xFEFF:
            true
        default: false
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
