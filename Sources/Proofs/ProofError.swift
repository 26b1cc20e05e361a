/// What is wrong with a note, a key or a proof: one line that says what, where and what to do.
package struct ProofError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The text is not in its form; nothing was checked.
        case malformed
        /// The text is in its form, and what it claims does not hold.
        case refuted
    }

    /// Which text is not the key that it should be.
    package enum Key: Hashable, Sendable {
        /// The text, in quotes.
        case verifier(String)
        case secret
    }

    package let kind: Kind
    package let description: String
    package let key: Key?

    package init(kind: Kind, description: String, key: Key? = nil) {
        self.kind = kind
        self.description = description
        self.key = key
    }

    static func malformed(_ description: String) -> ProofError {
        ProofError(kind: .malformed, description: description)
    }

    static func refuted(_ description: String) -> ProofError {
        ProofError(kind: .refuted, description: description)
    }
}
