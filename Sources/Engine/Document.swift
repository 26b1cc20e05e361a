import Core

/// One JSON document in its canonical form: keys sorted, numbers canonical, no white space.
public struct Document: Sendable, Hashable {
    /// Without the final newline.
    public let bytes: [UInt8]

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What the document says, for readable layouts.
    public indirect enum Value: Sendable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([Value])
        case object([(name: String, value: Value)])
    }

    public var value: Value {
        (try? JSON(parsing: bytes)).map { Value($0) } ?? .null
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(names: Names, _ write: (inout JSONOutput) -> Void) {
        var output = JSONOutput(names: names)
        write(&output)
        bytes = output.json.bytes
    }

    static let null = Document(bytes: Array("null".utf8))
}

extension Document.Value {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number: self = .number(json.description)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map { Document.Value($0) })
        case .object(let members):
            self = .object(members.map { (name: $0.name, value: Document.Value($0.value)) })
        }
    }
}

/// What became of one command line (contract, Commands in, outcomes out).
public struct Outcome: Sendable {
    public enum Status: String, Sendable {
        case accepted, rejected, duplicate
    }

    public let status: Status
    /// The stable code of a rejection.
    public let code: String?
    public let document: Document
}
