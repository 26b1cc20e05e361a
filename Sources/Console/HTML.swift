/// HTML that can be sent as it is: made of elements and of text, never of strings that happen to hold markup.
package struct Markup: Sendable {
    package fileprivate(set) var html: String

    fileprivate init(html: String) { self.html = html }

    /// Nothing.
    package static let none = Markup(html: "")

    /// Text, in which every character stands for itself.
    package init(_ text: some StringProtocol) {
        html = ""
        html.reserveCapacity(text.utf8.count)
        html.appendEscaped(text)
    }

    package var isEmpty: Bool { html.isEmpty }

    static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
}

extension String {
    /// Escapes what means something in text or in an attribute between double quotes.
    fileprivate mutating func appendEscaped(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            // No place in HTML: U+FFFD stands for them, so that what is shown is not less than what is there.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}":
                append("\u{FFFD}")
            default: unicodeScalars.append(scalar)
            }
        }
    }
}

/// Puts markup together: a `String` in it is text and is escaped, only ``Markup`` is not.
@resultBuilder
package enum MarkupBuilder {
    package static func buildExpression(_ text: String) -> Markup { Markup(text) }
    package static func buildExpression(_ markup: Markup) -> Markup { markup }
    package static func buildExpression(_ markup: Markup?) -> Markup { markup ?? .none }
    package static func buildOptional(_ markup: Markup?) -> Markup { markup ?? .none }
    package static func buildEither(first markup: Markup) -> Markup { markup }
    package static func buildEither(second markup: Markup) -> Markup { markup }
    package static func buildArray(_ parts: [Markup]) -> Markup { joined(parts) }
    package static func buildBlock(_ parts: Markup...) -> Markup { joined(parts) }

    private static func joined(_ parts: [Markup]) -> Markup {
        if parts.count == 1 { return parts[0] }
        var html = ""
        html.reserveCapacity(parts.reduce(0) { $0 + $1.html.utf8.count })
        for part in parts { html += part.html }
        return Markup(html: html)
    }
}

/// Attributes by their names; one whose value is nil is left out, one without a value has an empty text.
package typealias Attributes = KeyValuePairs<StaticString, String?>

/// Elements that have no content and no end.
private let voidElements: Set<String> = ["br", "hr", "img", "input", "link", "meta"]

/// An element. Its name and those of its attributes are written in the program: nothing that comes from elsewhere becomes one.
package func element(
    _ name: StaticString, _ attributes: Attributes = [:],
    @MarkupBuilder _ content: () -> Markup = { .none }
) -> Markup {
    let name = "\(name)"
    var html = "<\(name)"
    for (attribute, value) in attributes {
        guard let value else { continue }
        html += " \(attribute)=\""
        html.appendEscaped(value)
        html += "\""
    }
    html += ">"
    if voidElements.contains(name) { return Markup(html: html) }
    html += content().html
    html += "</\(name)>"
    return Markup(html: html)
}

/// The type of the document, which is no element.
package func document(_ root: Markup) -> Markup { Markup(html: "<!doctype html>\n" + root.html) }

/// A link.
func link(
    _ address: String, _ attributes: Attributes = [:], @MarkupBuilder _ content: () -> Markup
) -> Markup {
    let inner = content()
    var html = "<a href=\""
    html.appendEscaped(address)
    html += "\""
    for (attribute, value) in attributes {
        guard let value else { continue }
        html += " \(attribute)=\""
        html.appendEscaped(value)
        html += "\""
    }
    html += ">" + inner.html + "</a>"
    return Markup(html: html)
}
