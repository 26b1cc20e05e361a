/// One word out of a fixed list, such as a role; its wire form is the raw text.
public protocol Choice: FieldValue, CaseIterable, RawRepresentable
where RawValue == String, AllCases: RandomAccessCollection, AllCases.Index == Int {}

extension Choice {
    @inlinable
    public static var empty: Self { allCases[allCases.startIndex] }

    public static var schema: String {
        "(" + allCases.map(\.rawValue).joined(separator: "|") + ")"
    }

    public static var jsonForm: JSONForm { .choice(allCases.map(\.rawValue)) }

    /// The place in the list. The schema holds the list, so a reordering is a new schema and refused.
    @inlinable
    public func write(to writer: inout BinaryWriter) {
        let place = Self.allCases.firstIndex(of: self) ?? 0
        writer.byte(UInt8(truncatingIfNeeded: place))
    }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        let place = Int(reader.byte())
        guard place < allCases.count else {
            reader.fail()
            return empty
        }
        return allCases[place]
    }

    public func write(to output: inout JSONOutput) { output.json.string(rawValue) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        if case .string(let text) = json, let choice = Self(rawValue: text) { return choice }
        input.fail(
            "expected one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        return nil
    }
}
