package import Core

/// What a text of the page must be: how long, and whether it may be blank (page, Commands).
package protocol TextForm: Sendable {
    static var name: String { get }
    static var lengths: ClosedRange<Int> { get }
    static var mayBeBlank: Bool { get }
}

/// A text of a form that the page names; another one is malformed.
package struct Formed<Form: TextForm>: FieldValue {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

    package static var empty: Self { Self("") }
    package static var schema: String { Form.name }
    package static var jsonForm: JSONForm { .text }

    package func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

    package static func read(from reader: inout BinaryReader) -> Self {
        Self(String.read(from: &reader))
    }

    package static func skip(from reader: inout BinaryReader) { String.skip(from: &reader) }

    package func write(to output: inout JSONOutput) { output.json.string(text) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        guard case .string(let text) = json, Form.lengths.contains(text.scalarCount),
            Form.mayBeBlank || !text.isBlank
        else {
            input.fail(
                "expected a text of \(Form.lengths.lowerBound) to \(Form.lengths.upperBound) characters"
                    + (Form.mayBeBlank ? "" : ", not all white space"))
            return nil
        }
        return Self(text)
    }
}

extension Learnable {
    package enum TitleForm: TextForm {
        package static let name = "title"
        package static let lengths = 1...200
        package static let mayBeBlank = false
    }

    package enum BodyForm: TextForm {
        package static let name = "body"
        package static let lengths = 1...20_000
        package static let mayBeBlank = false
    }

    package enum AnyForm: TextForm {
        package static let name = "string"
        package static let lengths = 0...20_000
        package static let mayBeBlank = true
    }

    /// `title`
    package typealias Title = Formed<TitleForm>
    /// `text`
    package typealias Body = Formed<BodyForm>
    /// `string`
    package typealias AnyString = Formed<AnyForm>

    /// A time-zone name that the time-zone data base knows.
    package struct Zone: FieldValue {
        package let name: Word

        package init(_ name: Word) {
            self.name = name
        }

        package static var empty: Zone { Zone(.empty) }
        package static var schema: String { "zone" }

        package func write(to writer: inout BinaryWriter) { name.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> Zone {
            Zone(Word.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { name.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Zone? {
            guard case .string(let text) = json, TimeZones.zone(named: text) != nil else {
                input.fail("expected the name of an IANA time zone")
                return nil
            }
            return Zone(Word(input.names.intern(text)))
        }

        package func rules(_ names: Names) -> TimeZoneRules {
            TimeZones.zone(named: names.text(name)) ?? .utc
        }
    }

    /// Where a topic stands: `C.T`, chapter and number within it, both from 1.
    package struct TopicPlace: FieldValue {
        package let chapter: Int
        package let number: Int

        package init(chapter: Int, number: Int) {
            self.chapter = chapter
            self.number = number
        }

        package static var empty: TopicPlace { TopicPlace(chapter: 0, number: 0) }
        package static var schema: String { "topic" }

        package var text: String { "\(chapter).\(number)" }

        package func write(to writer: inout BinaryWriter) {
            chapter.write(to: &writer)
            number.write(to: &writer)
        }

        package static func read(from reader: inout BinaryReader) -> TopicPlace {
            let chapter = Int.read(from: &reader)
            return TopicPlace(chapter: chapter, number: Int.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { output.json.string(text) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> TopicPlace? {
            guard case .string(let text) = json, let place = TopicPlace(text) else {
                input.fail("expected a topic, such as \"2.1\"")
                return nil
            }
            return place
        }

        /// Nil for a text of another form. Numbers beyond all that can be are the largest one.
        package init?(_ text: String) {
            let parts = text.utf8.split(
                separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 2, let chapter = Self.number(parts[0]),
                let number = Self.number(parts[1])
            else { return nil }
            self.init(chapter: chapter, number: number)
        }

        private static func number(_ digits: Substring.UTF8View) -> Int? {
            guard let first = digits.first, first != UInt8(ascii: "0"),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Int(String(decoding: digits, as: UTF8.self)) ?? .max
        }
    }
}
