/// What is wrong with the configuration: which value, and what it may be.
package struct ConfigurationError: Error, CustomStringConvertible, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
