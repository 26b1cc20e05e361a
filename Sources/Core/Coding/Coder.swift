/// Visits the fields of a record, in their one order.
///
/// A record lists its fields once, in `fields`; readers, writers, JSON in and out, the schema and
/// the tags are all coders that walk that list. No coder throws: a reader that fails
/// says so at its end, so that the list stays a list.
public protocol Coder {
    /// A field that is always there; an optional value may be null.
    mutating func field<V: FieldValue>(_ name: String, _ value: inout V)

    /// A field that may be left out; nil means "not given".
    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?)

    /// A field that reads null once the person's key is destroyed (contract, Personal data). Only a
    /// payload's own fields can be, not those of records within it: it is kept apart from the rest.
    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?)

    /// A personal field that may be left out: nil means "not given", and that it was given stays known; a nil
    /// within that it reads null.
    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??)

    /// The id of the thing on whose stream `PRODUCT/NOUN/ID` the event stands, where the page does not list
    /// it among the fields: it is kept and tagged, JSON tells it by the stream alone.
    mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>)

    /// What a field must also be, besides its form; what is read from a request alone can fail it.
    mutating func expect(
        _ name: String, _ expectation: @autoclosure () -> String, _ holds: @autoclosure () -> Bool)
}

extension Coder {
    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        var inner = value ?? nil
        personal(name, &inner)
    }

    @inlinable
    public mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>) {
        field(name, &value)
    }

    public mutating func expect(
        _ name: String, _ expectation: @autoclosure () -> String, _ holds: @autoclosure () -> Bool
    ) {}
}

/// A field that `own` takes: an id which the stream tells already.
public typealias Own<ID> = ID

/// A field that `personal` takes: what an erasure hides.
public typealias Personal<V: FieldValue> = V?

/// Anything that can be the value of a field.
public protocol FieldValue: Hashable, Sendable {
    /// What a failed or fresh read gives.
    static var empty: Self { get }
    /// The form in the schema that the journal records, such as `id(exam)` or `[instant]`.
    static var schema: String { get }
    /// How its bytes become JSON: as `write(to:)` of the value that they hold.
    static var jsonForm: JSONForm { get }

    /// The tag that the value gives the events that carry it, if it does; nil for most.
    var tag: (kind: String, id: Symbol)? { get }

    /// Appends the binary form.
    func write(to writer: inout BinaryWriter)
    /// Reads the binary form; on other bytes the reader fails and the value is `empty`.
    static func read(from reader: inout BinaryReader) -> Self
    /// Goes past the bytes of a value; fails on whatever `read` fails on.
    static func skip(from reader: inout BinaryReader)

    /// Writes the JSON form.
    func write(to output: inout JSONOutput)
    /// Nil, with the reason left in `input`, when the JSON has another form.
    static func read(_ json: JSON, from input: inout JSONInput) -> Self?
}

extension FieldValue {
    public var tag: (kind: String, id: Symbol)? { nil }
    public static var jsonForm: JSONForm { .decoded(Self.self) }
    @inlinable
    public static func skip(from reader: inout BinaryReader) { _ = read(from: &reader) }
}

/// A value made of named fields.
public protocol Record: FieldValue {
    /// A blank record, to be filled field by field.
    init()
    /// Visits every field in the one order that all forms share. Never branches on a value.
    mutating func fields<C: Coder>(_ coder: inout C)
}

extension Record {
    @inlinable
    public static var empty: Self { Self() }

    public static var schema: String {
        var recorder = SchemaRecorder()
        var blank = Self()
        blank.fields(&recorder)
        return recorder.text
    }

    public static var jsonForm: JSONForm { .record(Self.self) }

    @inlinable
    public func write(to writer: inout BinaryWriter) {
        var copy = self
        copy.fields(&writer)
    }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        var value = Self()
        value.fields(&reader)
        return value
    }

    @inlinable
    public static func skip(from reader: inout BinaryReader) {
        var blank = Self()
        var skipper = FieldSkipper(taking: &reader)
        blank.fields(&skipper)
        swap(&reader, &skipper.reader)
    }

    public func write(to output: inout JSONOutput) {
        var copy = self
        output.json.beginObject()
        copy.fields(&output)
        output.json.endObject()
    }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        input.record(json) { nested in
            var value = Self()
            value.fields(&nested)
            return value
        }
    }
}

extension BinaryWriter: Coder {
    @inlinable
    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        value.write(to: &self)
    }

    @inlinable
    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        value.write(to: &self)
    }

    /// Kept apart (`PersonalPart`).
    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {}

    /// That it is given shows; what it says is kept apart.
    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        byte(value == nil ? 0 : 1)
    }
}

extension BinaryReader: Coder {
    @inlinable
    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        value = V.read(from: &self)
    }

    @inlinable
    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        value = V?.read(from: &self)
    }

    @inlinable
    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        readPersonal(&value)
    }

    @inlinable
    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        let isGiven = Bool.read(from: &self)
        var inner: V?
        readPersonal(&inner)
        value = isGiven ? .some(inner) : nil
    }
}

/// Writes the schema: `{name:form,…}` in field order; `?` marks what may be left out, `!` what is
/// personal.
public struct SchemaRecorder: Coder, Sendable {
    private var parts: [String] = []

    public init() {}

    /// The schema of the fields visited so far.
    public var text: String { "{" + parts.joined(separator: ",") + "}" }

    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        parts.append("\(name):\(V.schema)")
    }

    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        parts.append("\(name)?:\(V.schema)")
    }

    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        parts.append("\(name)!:\(V.schema)")
    }

    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        parts.append("\(name)?!:\(V.schema)")
    }
}
