import Core
import HTTPTypes

/// A strong entity tag: the first 16 bytes of the SHA-256 of a body (RFC 9110, 8.8.3).
struct EntityTag: Sendable, Hashable {
    let text: String

    init(of body: [UInt8]) { text = "\"\(Hex.text(SHA256Digest.of(body).prefix(16)))\"" }

    /// A tag that says what it stands for, such as a revision.
    init(naming text: String) { self.text = "\"\(text)\"" }

    /// Whether `If-None-Match` names it: the weak comparison (RFC 9110, 13.1.2).
    func isNamed(by field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { item in
            let tag = item.trimmed
            return tag == "*" || tag == text[...] || tag == "W/\(text)"[...]
        }
    }
}
