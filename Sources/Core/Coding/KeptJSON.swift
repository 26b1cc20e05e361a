/// JSON of a free form that is seldom looked at: kept as its canonical text, parsed when it is shown.
public struct KeptJSON: FieldValue {
    private let text: [UInt8]

    private init(text: [UInt8]) {
        self.text = text
    }

    public init(_ json: JSON) {
        text = json.canonical
    }

    /// Null for a text that is no JSON, which no writer of ours wrote.
    public var value: JSON { (try? JSON(parsing: text)) ?? .null }

    /// Made once: blank rows begin with it.
    public static let empty = KeptJSON(.null)
    public static var schema: String { JSON.schema }

    public func write(to writer: inout BinaryWriter) { writer.counted(text) }

    public static func read(from reader: inout BinaryReader) -> KeptJSON {
        KeptJSON(text: Array(reader.countedBytes()))
    }

    public func write(to output: inout JSONOutput) { output.json.value(value) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> KeptJSON? {
        KeptJSON(json)
    }
}
