/// Bytes of a form of their own, such as a payload that is kept for later.
package struct Blob: FieldValue {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static var empty: Blob { Blob([]) }
    package static var schema: String { "bytes" }

    package func write(to writer: inout BinaryWriter) { writer.counted(bytes) }

    package static func read(from reader: inout BinaryReader) -> Blob {
        Blob(Array(reader.countedBytes()))
    }

    /// As hex digits.
    package func write(to output: inout JSONOutput) { output.json.string(Hex.text(bytes)) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Blob? {
        if case .string(let text) = json, let bytes = Hex.bytes(text) { return Blob(bytes) }
        input.fail("expected lower-case hex digits")
        return nil
    }
}
