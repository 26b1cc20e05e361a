/// A whole number that may be negative, such as a difference of points.
public struct SignedInt: FieldValue {
    /// Any whole number that JSON keeps exactly, also below zero; a request's is bounded (`Bounds.signed`).
    public let value: Int

    @inlinable
    public init(_ value: Int) {
        self.value = value
    }

    public static var empty: SignedInt { SignedInt(0) }
    public static var schema: String { "signed" }
    public static var jsonForm: JSONForm { .integer }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(value)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> SignedInt {
        SignedInt(Int(reader.zigzag()))
    }

    public func write(to output: inout JSONOutput) { output.json.integer(Int64(value)) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> SignedInt? {
        if case .number(let number) = json, let whole = number.wholeNumber,
            input.isRecorded || Bounds.signed ~= Int(whole)
        {
            return SignedInt(Int(whole))
        }
        input.fail("expected \(Bounds.signed.wholeNumbers)")
        return nil
    }
}
