/// Why bytes are no JSON document.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of what was given to the parser.
    public let offset: Int
    /// For people, in English, lower case, without a full stop.
    public let reason: String

    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    public var description: String { "byte \(offset): \(reason)" }
}
