/// A choice as an earlier version of an event knew it: the first `count` of its cases.
///
/// The schema that a journal recorded names these alone, so a choice that grows needs a new version of
/// every event that carries it.
public struct FirstCases<let count: Int, Value: Choice>: FieldValue {
    /// One of the first cases.
    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    private static var cases: Value.AllCases.SubSequence { Value.allCases.prefix(count) }

    public static var empty: Self { Self(.empty) }
    public static var schema: String { "(" + cases.map(\.rawValue).joined(separator: "|") + ")" }
    public static var jsonForm: JSONForm { .choice(cases.map(\.rawValue)) }

    public func write(to writer: inout BinaryWriter) { value.write(to: &writer) }

    public static func read(from reader: inout BinaryReader) -> Self {
        let value = Value.read(from: &reader)
        guard cases.contains(value) else {
            reader.fail()
            return empty
        }
        return Self(value)
    }

    public func write(to output: inout JSONOutput) { value.write(to: &output) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        if let value = Value.read(json, from: &input), cases.contains(value) { return Self(value) }
        input.fail("expected one of " + cases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        return nil
    }
}

extension Coder {
    /// A choice of which this version of the event knows the first cases alone.
    public mutating func field<let count: Int, V: Choice>(
        _ name: String, _ value: inout V, as _: FirstCases<count, V>.Type
    ) {
        var first = FirstCases<count, V>(value)
        field(name, &first)
        value = first.value
    }
}
