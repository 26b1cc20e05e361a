/// Why bytes are no JSON document.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of what was given to the parser.
    package let offset: Int
    /// For people, in English, lower case, without a full stop.
    package let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    package var description: String { "byte \(offset): \(reason)" }
}
