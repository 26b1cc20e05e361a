/// Bytes of a form of their own, such as a payload that is kept for later.
public struct Blob: FieldValue {
    /// The bytes; base 64 in JSON.
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public static var empty: Blob { Blob([]) }
    public static var schema: String { "bytes" }

    public func write(to writer: inout BinaryWriter) { writer.counted(bytes) }

    public static func read(from reader: inout BinaryReader) -> Blob {
        Blob(Array(reader.countedBytes()))
    }

    /// As hex digits.
    public func write(to output: inout JSONOutput) { output.json.string(Hex.text(bytes)) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Blob? {
        if case .string(let text) = json, let bytes = Hex.bytes(text) { return Blob(bytes) }
        input.fail("expected lower-case hex digits")
        return nil
    }
}
