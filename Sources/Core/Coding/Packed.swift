/// A value that is seldom looked at: kept as the bytes of its binary form, which are its own in a payload and in
/// a row, and decoded each time it is asked for.
///
/// What a fold only hands on, such as the questions of an exam, makes no texts and no lists on its way.
public struct Packed<Value: FieldValue>: FieldValue {
    @usableFromInline let bytes: [UInt8]

    @inlinable
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ value: Value) {
        var writer = BinaryWriter()
        value.write(to: &writer)
        // A copy of its own has no room to grow.
        bytes = Array(writer.bytes[...])
    }

    /// The value, decoded each time that it is asked for.
    public var value: Value {
        var reader = BinaryReader(bytes)
        return Value.read(from: &reader)
    }

    public static var empty: Self { Self(Value.empty) }
    public static var schema: String { Value.schema }
    public static var jsonForm: JSONForm { Value.jsonForm }

    public func write(to writer: inout BinaryWriter) { writer.bytes += bytes }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        let start = reader.offset
        Value.skip(from: &reader)
        return reader.failed ? .empty : Self(bytes: Array(reader.bytes[start..<reader.offset]))
    }

    @inlinable
    public static func skip(from reader: inout BinaryReader) { Value.skip(from: &reader) }

    public func write(to output: inout JSONOutput) { value.write(to: &output) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        Value.read(json, from: &input).map { Self($0) }
    }
}

extension Packed where Value: RandomAccessCollection {
    /// Of a list, without its elements: its form begins with it.
    public var count: Int {
        var reader = BinaryReader(bytes)
        return reader.count()
    }
}

/// Goes past the fields of a record, checking them as a reader does.
@usableFromInline
struct FieldSkipper: Coder {
    @usableFromInline var reader: BinaryReader

    /// Takes the reader, and leaves it an empty one.
    @inlinable
    init(taking reader: inout BinaryReader) {
        self.reader = BinaryReader([])
        swap(&self.reader, &reader)
    }

    @inlinable
    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        V.skip(from: &reader)
    }

    @inlinable
    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        V?.skip(from: &reader)
    }

    @inlinable
    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        reader.personal(name, &value)
    }

    @inlinable
    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        reader.optionalPersonal(name, &value)
    }
}
