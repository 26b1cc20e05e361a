import Core

/// One JSON document in its canonical form: keys sorted, numbers canonical, no white space.
///
/// Two documents are equal if they say the same, wherever they stand.
public struct Document: Sendable, Hashable {
    /// Without the final newline.
    public let bytes: [UInt8]
    /// Of the last event that counted when a read model was asked, of the event that it is, or of the last that an outcome lists;
    /// nil for any other document.
    public internal(set) var position: Position?
    /// The names of its members as its view lists them, where that was asked for; they are not what it says.
    package internal(set) var memberOrder: [String] = []

    /// The same as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What the document says, parsed anew each time.
    public var value: Value {
        (try? JSON(parsing: bytes)).map { Value($0) } ?? .null
    }

    init(bytes: [UInt8], position: Position? = nil) {
        self.bytes = bytes
        self.position = position
    }

    init(names: Names, _ write: (inout JSONOutput) -> Void) {
        var output = JSONOutput(names: names)
        write(&output)
        bytes = output.json.bytes
    }

    static let null = Document(bytes: Array("null".utf8))

    /// Whether they say the same.
    public static func == (left: Document, right: Document) -> Bool { left.bytes == right.bytes }

    /// By what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
