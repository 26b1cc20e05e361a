/// The plain values that fields are made of, each with its binary form, its JSON and its schema.

extension Bool: FieldValue {
    public static var empty: Bool { false }
    public static var schema: String { "bool" }
    public static var jsonForm: JSONForm { .bool }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.byte(self ? 1 : 0) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Bool {
        let byte = reader.byte()
        if byte > 1 { reader.fail() }
        return byte == 1
    }

    public func write(to output: inout JSONOutput) { output.json.bool(self) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Bool? {
        if case .bool(let value) = json { return value }
        input.fail("expected true or false")
        return nil
    }
}

/// A whole number. In JSON from 0 to 2^53 - 1, the largest that every JSON reader keeps exact.
extension Int: FieldValue {
    public static var empty: Int { 0 }
    public static var schema: String { "int" }
    public static var jsonForm: JSONForm { .integer }
    /// The largest whole number that every JSON reader keeps exactly: 2⁵³ - 1.
    public static let largest = 9_007_199_254_740_991

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(self)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Int { Int(reader.zigzag()) }

    public func write(to output: inout JSONOutput) { output.json.integer(Int64(self)) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Int? {
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
    public static var empty: String { "" }
    public static var schema: String { "text" }
    public static var jsonForm: JSONForm { .text }

    public func write(to writer: inout BinaryWriter) { writer.counted(self) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> String { reader.countedText() }

    @inlinable
    public static func skip(from reader: inout BinaryReader) { reader.skipText() }

    public func write(to output: inout JSONOutput) { output.json.string(self) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> String? {
        if case .string(let text) = json { return text }
        input.fail("expected a text")
        return nil
    }
}

extension Instant: FieldValue {
    public static var empty: Instant { .epoch }
    public static var schema: String { "instant" }
    public static var jsonForm: JSONForm { .instant }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.zigzag(milliseconds) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Instant {
        Instant(milliseconds: reader.zigzag())
    }

    public func write(to output: inout JSONOutput) { output.json.instant(self) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Instant? {
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
    public static var empty: LocalDate { LocalDate(days: 0) }
    public static var schema: String { "date" }
    public static var jsonForm: JSONForm { .date }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(days)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> LocalDate {
        LocalDate(days: Int32(truncatingIfNeeded: reader.zigzag()))
    }

    public func write(to output: inout JSONOutput) { output.json.date(self) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> LocalDate? {
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
    public static var empty: Position { .zero }
    public static var schema: String { "position" }
    public static var jsonForm: JSONForm { .position }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.varint(number) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Position {
        Position(reader.varint())
    }

    public func write(to output: inout JSONOutput) { output.json.integer(number) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Position? {
        Int.read(json, from: &input).map { Position(UInt64($0)) }
    }
}

/// Null or a value: nil is written as null, and null is read as nil.
extension Optional: FieldValue where Wrapped: FieldValue {
    public static var empty: Wrapped? { nil }
    public static var schema: String { "\(Wrapped.schema)|null" }
    public static var jsonForm: JSONForm { .optional(Wrapped.jsonForm) }

    @inlinable
    public func write(to writer: inout BinaryWriter) {
        guard let self else {
            writer.byte(0)
            return
        }
        writer.byte(1)
        self.write(to: &writer)
    }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Wrapped? {
        switch reader.byte() {
        case 0: return nil
        case 1: return Wrapped.read(from: &reader)
        default:
            reader.fail()
            return nil
        }
    }

    @inlinable
    public static func skip(from reader: inout BinaryReader) {
        switch reader.byte() {
        case 0: return
        case 1: Wrapped.skip(from: &reader)
        default: reader.fail()
        }
    }

    public func write(to output: inout JSONOutput) {
        guard let self else {
            output.json.null()
            return
        }
        self.write(to: &output)
    }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Wrapped?? {
        if case .null = json { return .some(nil) }
        return Wrapped.read(json, from: &input).map { .some($0) }
    }
}

extension Array: FieldValue where Element: FieldValue {
    public static var empty: [Element] { [] }
    public static var schema: String { "[\(Element.schema)]" }
    public static var jsonForm: JSONForm { .array(Element.jsonForm) }

    @inlinable
    public func write(to writer: inout BinaryWriter) {
        writer.varint(UInt64(count))
        for element in self { element.write(to: &writer) }
    }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> [Element] {
        let count = reader.count()
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(count, 4096))
        for _ in 0..<count where !reader.failed { elements.append(Element.read(from: &reader)) }
        return elements
    }

    @inlinable
    public static func skip(from reader: inout BinaryReader) {
        for _ in 0..<reader.count() where !reader.failed { Element.skip(from: &reader) }
    }

    @inlinable
    public func write(to output: inout JSONOutput) {
        output.json.beginArray()
        for element in self { element.write(to: &output) }
        output.json.endArray()
    }

    @inlinable
    public static func read(_ json: JSON, from input: inout JSONInput) -> [Element]? {
        input.elements(json, of: Element.self)
    }
}

/// JSON of a free form, kept as its canonical text.
extension JSON: FieldValue {
    public static var empty: JSON { .null }
    public static var schema: String { "json" }

    public func write(to writer: inout BinaryWriter) { writer.counted(canonical) }

    public static func read(from reader: inout BinaryReader) -> JSON {
        do {
            return try JSON(parsing: Array(reader.countedBytes()))
        } catch {
            reader.fail()
            return .null
        }
    }

    public func write(to output: inout JSONOutput) { output.json.value(self) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> JSON? { json }
}
