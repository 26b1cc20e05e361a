/// How a type is written, in a frame and in `types`: number, name, version, schema.
extension TypeRecord {
    init(_ bytes: Span<UInt8>, _ offset: inout Int) throws(Malformed) {
        let number = try bytes.varint(&offset)
        guard number != 0, let number = UInt16(exactly: number) else {
            throw Malformed("a type without a number")
        }
        self.number = number
        name = try Self.text(bytes, &offset, atMost: Limits.typeNameBytes)
        version = try bytes.varint32(&offset)
        schema = try Self.text(bytes, &offset, atMost: Limits.schemaBytes)
    }

    /// Reads the record of `types` under `number`.
    init(stored bytes: Span<UInt8>, _ number: UInt16) throws(JournalError) {
        var offset = 0
        guard let type = try? TypeRecord(bytes, &offset), offset == bytes.count,
            type.number == number
        else { throw .damaged("type \(number) cannot be read") }
        self = type
    }

    func write(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt32(number))
        bytes.appendBlock(name.utf8)
        bytes.appendVarint(version)
        bytes.appendBlock(schema.utf8)
    }

    private static func text(
        _ bytes: Span<UInt8>, _ offset: inout Int, atMost limit: Int
    ) throws(Malformed) -> String {
        let range = try bytes.block(&offset)
        guard range.count <= limit,
            let text = String(validating: bytes.copy(range), as: UTF8.self)
        else { throw Malformed("a text that is not UTF-8") }
        return text
    }
}
