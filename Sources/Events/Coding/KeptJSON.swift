/// JSON of a free form that is seldom looked at: kept as its canonical text, parsed when it is shown.
package struct KeptJSON: FieldValue {
    private let text: [UInt8]

    private init(text: [UInt8]) {
        self.text = text
    }

    package init(_ json: JSON) {
        text = json.canonical
    }

    /// Null for a text that is no JSON, which no writer of ours wrote.
    package var value: JSON { (try? JSON(parsing: text)) ?? .null }

    package static var empty: KeptJSON { KeptJSON(.null) }
    package static var schema: String { JSON.schema }

    package func write(to writer: inout BinaryWriter) { writer.counted(text) }

    package static func read(from reader: inout BinaryReader) -> KeptJSON {
        KeptJSON(text: Array(reader.countedBytes()))
    }

    package func write(to output: inout JSONOutput) { output.json.value(value) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> KeptJSON? {
        KeptJSON(json)
    }
}
