/// What a server, or the way to it, did to a request.
package struct NATSError: Error, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// No server was reached, or none answered: whether the request was carried out is not known.
        case lost
        /// The server refused it; JetStream's `err_code`.
        case refused(Int)
        /// More bytes than the servers take in one message.
        case tooLarge
        /// The address is none.
        case address
    }

    package let kind: Kind
    package let message: String

    package var description: String { message }

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package static let noMessage = 10_037
    package static let streamNameInUse = 10_058
    package static let noStream = 10_059

    /// Another message came before: the condition of the publication does not hold.
    package var isWrongSequence: Bool { kind == .refused(10_071) || kind == .refused(10_164) }
}
