/// The plain values that fields are made of, each with its binary form, its JSON and its schema.

extension Bool: FieldValue {
    package static var empty: Bool { false }
    package static var schema: String { "bool" }
    package static var jsonForm: JSONForm { .bool }

    package func write(to writer: inout BinaryWriter) { writer.byte(self ? 1 : 0) }

    package static func read(from reader: inout BinaryReader) -> Bool {
        let byte = reader.byte()
        if byte > 1 { reader.fail() }
        return byte == 1
    }

    package func write(to output: inout JSONOutput) { output.json.bool(self) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Bool? {
        if case .bool(let value) = json { return value }
        input.fail("expected true or false")
        return nil
    }
}

/// A whole number. In JSON from 0 to 2^53 - 1, the largest that every JSON reader keeps exact.
extension Int: FieldValue {
    package static var empty: Int { 0 }
    package static var schema: String { "int" }
    package static var jsonForm: JSONForm { .integer }
    package static let largest = 9_007_199_254_740_991

    package func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(self)) }

    package static func read(from reader: inout BinaryReader) -> Int { Int(reader.zigzag()) }

    package func write(to output: inout JSONOutput) { output.json.integer(Int64(self)) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Int? {
        if case .number(let number) = json, let whole = number.wholeNumber,
            whole >= 0, whole <= Int64(largest)
        {
            return Int(whole)
        }
        input.fail("expected a whole number from 0 to \(largest), without fraction or exponent")
        return nil
    }
}

extension String: FieldValue {
    package static var empty: String { "" }
    package static var schema: String { "text" }
    package static var jsonForm: JSONForm { .text }

    package func write(to writer: inout BinaryWriter) { writer.counted(self) }

    package static func read(from reader: inout BinaryReader) -> String { reader.countedText() }

    package static func skip(from reader: inout BinaryReader) { reader.skipText() }

    package func write(to output: inout JSONOutput) { output.json.string(self) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> String? {
        if case .string(let text) = json { return text }
        input.fail("expected a text")
        return nil
    }
}

extension Instant: FieldValue {
    package static var empty: Instant { .epoch }
    package static var schema: String { "instant" }
    package static var jsonForm: JSONForm { .instant }

    package func write(to writer: inout BinaryWriter) { writer.zigzag(milliseconds) }

    package static func read(from reader: inout BinaryReader) -> Instant {
        Instant(milliseconds: reader.zigzag())
    }

    package func write(to output: inout JSONOutput) { output.json.instant(self) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Instant? {
        if case .string(let text) = json,
            let instant = input.isRecorded ? Instant(recorded: text) : Instant(rfc3339: text)
        {
            return instant
        }
        input.fail("expected an RFC 3339 instant with an offset, in the years 1970 to 2199")
        return nil
    }
}

extension LocalDate: FieldValue {
    package static var empty: LocalDate { LocalDate(days: 0) }
    package static var schema: String { "date" }
    package static var jsonForm: JSONForm { .date }

    package func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(days)) }

    package static func read(from reader: inout BinaryReader) -> LocalDate {
        LocalDate(days: Int32(truncatingIfNeeded: reader.zigzag()))
    }

    package func write(to output: inout JSONOutput) { output.json.date(self) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> LocalDate? {
        if case .string(let text) = json,
            let date = input.isRecorded ? LocalDate(recorded: text) : LocalDate(text: text)
        {
            return date
        }
        input.fail("expected a date, YYYY-MM-DD, in the years 1970 to 2199")
        return nil
    }
}

extension Position: FieldValue {
    package static var empty: Position { .zero }
    package static var schema: String { "position" }
    package static var jsonForm: JSONForm { .position }

    package func write(to writer: inout BinaryWriter) { writer.varint(number) }

    package static func read(from reader: inout BinaryReader) -> Position {
        Position(reader.varint())
    }

    package func write(to output: inout JSONOutput) { output.json.integer(number) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Position? {
        Int.read(json, from: &input).map { Position(UInt64($0)) }
    }
}

/// Null or a value: nil is written as null, and null is read as nil.
extension Optional: FieldValue where Wrapped: FieldValue {
    package static var empty: Wrapped? { nil }
    package static var schema: String { "\(Wrapped.schema)|null" }
    package static var jsonForm: JSONForm { .optional(Wrapped.jsonForm) }

    package func write(to writer: inout BinaryWriter) {
        guard let self else {
            writer.byte(0)
            return
        }
        writer.byte(1)
        self.write(to: &writer)
    }

    package static func read(from reader: inout BinaryReader) -> Wrapped? {
        switch reader.byte() {
        case 0: return nil
        case 1: return Wrapped.read(from: &reader)
        default:
            reader.fail()
            return nil
        }
    }

    package static func skip(from reader: inout BinaryReader) {
        switch reader.byte() {
        case 0: return
        case 1: Wrapped.skip(from: &reader)
        default: reader.fail()
        }
    }

    package func write(to output: inout JSONOutput) {
        guard let self else {
            output.json.null()
            return
        }
        self.write(to: &output)
    }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Wrapped?? {
        if case .null = json { return .some(nil) }
        return Wrapped.read(json, from: &input).map { .some($0) }
    }
}

extension Array: FieldValue where Element: FieldValue {
    package static var empty: [Element] { [] }
    package static var schema: String { "[\(Element.schema)]" }
    package static var jsonForm: JSONForm { .array(Element.jsonForm) }

    package func write(to writer: inout BinaryWriter) {
        writer.varint(UInt64(count))
        for element in self { element.write(to: &writer) }
    }

    package static func read(from reader: inout BinaryReader) -> [Element] {
        let count = reader.count()
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(count, 4096))
        for _ in 0..<count where !reader.failed { elements.append(Element.read(from: &reader)) }
        return elements
    }

    package static func skip(from reader: inout BinaryReader) {
        for _ in 0..<reader.count() where !reader.failed { Element.skip(from: &reader) }
    }

    package func write(to output: inout JSONOutput) {
        output.json.beginArray()
        for element in self { element.write(to: &output) }
        output.json.endArray()
    }

    package static func read(_ json: JSON, from input: inout JSONInput) -> [Element]? {
        input.elements(json, of: Element.self)
    }
}

/// JSON of a free form, kept as its canonical text.
extension JSON: FieldValue {
    package static var empty: JSON { .null }
    package static var schema: String { "json" }

    package func write(to writer: inout BinaryWriter) { writer.counted(canonical) }

    package static func read(from reader: inout BinaryReader) -> JSON {
        do {
            return try JSON(parsing: Array(reader.countedBytes()))
        } catch {
            reader.fail()
            return .null
        }
    }

    package func write(to output: inout JSONOutput) { output.json.value(self) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> JSON? { json }
}
