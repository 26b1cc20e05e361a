/// The form of an e-mail address, the same in every product (contract, Commands in).
///
/// Whether somebody reads what is sent there, only a message can tell.
public enum EmailForm: Sendable {
    /// What a refusal says of a text that is none.
    public static let expectation =
        "an e-mail address: one @ with a text on each side, a dot within what follows it, no spaces, at most 254 characters"

    /// One `@`, a dot within the domain, no white space, at most 254 characters.
    public static func isAddress(_ text: String) -> Bool {
        guard isWord(text) else { return false }
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let domain = parts.last, parts.first?.isEmpty == false else {
            return false
        }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }

    /// An address, or a word without `@`, which stands for one where none is sent anything.
    public static func accepts(_ text: String) -> Bool {
        isWord(text) && !text.unicodeScalars.contains("@") || isAddress(text)
    }

    private static func isWord(_ text: String) -> Bool {
        1...254 ~= text.unicodeScalars.count
            && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }
}
