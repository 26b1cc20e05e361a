package import Core

/// A text that is looked for inside others, A-Z taken as a-z and everything else by code points: no locale
/// has a say.
package struct SearchText: Sendable {
    /// In UTF-8, A-Z as a-z.
    fileprivate let bytes: [UInt8]

    package init(_ text: String) { bytes = text.utf8.map(\.asciiLowercased) }

    package func isPart(of text: String) -> Bool { isPart(of: text.utf8.span) }

    /// Whether it stands in a text given in UTF-8.
    fileprivate func isPart(of text: Span<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        let wanted = bytes.span
        var start = 0
        while start + wanted.count <= text.count {
            if text[start].asciiLowercased == first {
                var length = 1
                while length < wanted.count, text[start + length].asciiLowercased == wanted[length]
                {
                    length += 1
                }
                if length == wanted.count { return true }
            }
            start += 1
        }
        return false
    }
}

/// A text that is looked for in every value of payloads that is not personal.
final class PayloadSearch {
    private let text: SearchText
    /// The same as it stands in JSON: where it does not, no value holds it.
    private let written: SearchText
    private var output: JSONOutput

    init(_ text: String, _ names: Names) {
        self.text = SearchText(text)
        var json = JSONWriter()
        json.string(text.asciiLowercased)
        written = SearchText(String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self))
        output = JSONOutput(names: names)
    }

    func finds(_ event: EventEnvelope) -> Bool {
        output.json.removeAll()
        guard event.writeData(to: &output, hidesPersonal: true),
            written.isPart(of: output.json.bytes.span),
            let json = try? JSON(parsing: output.json.bytes)
        else { return false }
        return json.isAnyValue { text.isPart(of: $0) }
    }
}

extension JSON {
    /// Whether a text, a number or a truth value inside, however deep, passes the test; as canonical JSON writes them.
    fileprivate func isAnyValue(_ passes: (String) -> Bool) -> Bool {
        switch self {
        case .null: false
        case .bool, .number: passes(description)
        case .string(let text): passes(text)
        case .array(let items): items.contains { $0.isAnyValue(passes) }
        case .object(let members): members.contains { $0.value.isAnyValue(passes) }
        }
    }

    /// Every string value inside, however deep.
    package var texts: [String] {
        switch self {
        case .null, .bool, .number: []
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        }
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}

extension String {
    /// A-Z as a-z, everything else as it is: no locale has a say.
    package var asciiLowercased: String {
        String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}
