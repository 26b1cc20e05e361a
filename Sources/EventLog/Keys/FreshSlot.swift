import Core
import Cryptography

/// A slot that no frame names yet.
package struct FreshSlot: Sendable {
    /// Whose it is: the product and the person as events name them; none for the journal's own secret.
    package struct Name: Hashable, Sendable {
        package let product: String
        package let person: String

        package init(product: String, person: String) {
            self.product = product
            self.person = person
        }

        /// The secret under which commands are remembered.
        package static let journal = Name(product: "", person: "")

        /// Of `PRODUCT/PERSON`, or `journal`.
        package init(text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            self.init(
                product: parts.count == 2 ? String(parts[0]) : "",
                person: parts.count == 2 ? String(parts[1]) : "")
        }

        /// As exports and receipts name them; `journal` is nobody's name, since others have a slash.
        package var text: String { product.isEmpty ? "journal" : "\(product)/\(person)" }
    }

    package let number: UInt32
    package let name: Name
    package let digest: [UInt8]
}

/// What a person's key is used for: each use has a key of its own, derived from it (HKDF, RFC 5869). A class, since each
/// box that is opened takes it up.
final class SlotKeys: Sendable {
    let bytes: [UInt8]
    private let key: SecretKey
    /// Of term 0, which a journal of one program never leaves.
    private let firstTerm: SecretKey
    /// For rows of the stored views.
    let row: SecretKey

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        key = SecretKey(bytes)
        firstTerm = HKDF.key(from: key, info: Self.term([0, 0, 0, 0]))
        row = HKDF.key(from: key, info: Array("sijill row".utf8))
    }

    /// The key that seals events; what was sealed before format 4 was sealed with the key itself.
    func sealing(_ place: SealingContext) -> SecretKey {
        if place.isFormer { return key }
        if place.term == 0 { return firstTerm }
        let term = (0..<4).map { UInt8(truncatingIfNeeded: place.term >> (24 - 8 * UInt32($0))) }
        return HKDF.key(from: key, info: Self.term(term))
    }

    private static func term(_ number: [UInt8]) -> [UInt8] { Array("sijill term".utf8) + number }
}
