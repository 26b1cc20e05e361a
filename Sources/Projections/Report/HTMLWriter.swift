/// Writes HTML and SVG. Names of elements and attributes are literals of the program; whatever else
/// comes in is text and is escaped, so nothing that was recorded can become markup.
package struct HTMLWriter: Sendable {
    package typealias Attributes = [(name: StaticString, value: String)]

    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Markup of the program itself.
    package mutating func literal(_ markup: StaticString) {
        append(markup)
    }

    package mutating func element(
        _ name: StaticString, _ attributes: Attributes = [], _ body: (inout HTMLWriter) -> Void
    ) {
        open(name, attributes)
        body(&self)
        append("</")
        append(name)
        append(">")
    }

    package mutating func element(
        _ name: StaticString, _ attributes: Attributes = [], _ content: String
    ) {
        element(name, attributes) { $0.text(content) }
    }

    /// An element that has no end tag.
    package mutating func open(_ name: StaticString, _ attributes: Attributes = []) {
        append("<")
        append(name)
        for (name, value) in attributes {
            append(" ")
            append(name)
            append("=\"")
            text(value)
            append("\"")
        }
        append(">")
    }

    package mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    /// A text that was recorded: kept apart from its surroundings, whichever way it is written.
    package mutating func recorded(_ content: String) {
        element("bdi", [], content)
    }

    /// Escaped. What cannot be seen, or would turn the text around it, is shown by its number.
    package mutating func text(_ content: String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case _ where Self.misleads(scalar):
                bytes += "‹U+\(String(scalar.value, radix: 16, uppercase: true))›".utf8
            default: bytes += String(scalar).utf8
            }
        }
    }

    private static func misleads(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB,
            0xFFFE...0xFFFF:
            true
        default: false
        }
    }

    private mutating func append(_ literal: StaticString) {
        bytes += literal.description.utf8
    }
}
