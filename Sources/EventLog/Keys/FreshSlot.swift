import Crypto
import Core
import Foundation

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

/// What a person's key is used for: each use has a key of its own, derived from it (HKDF, RFC 5869).
struct SlotKeys {
    let bytes: [UInt8]
    private let key: SymmetricKey
    /// Of term 0, which a journal of one program never leaves.
    private let firstTerm: SymmetricKey
    /// For rows of the stored views.
    let row: SymmetricKey

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        key = SymmetricKey(data: bytes)
        firstTerm = Self.derived(key, "sijill term", [0, 0, 0, 0])
        row = Self.derived(key, "sijill row", [])
    }

    /// The key that seals events; what was sealed before format 4 was sealed with the key itself.
    func sealing(_ place: SealingPlace) -> SymmetricKey {
        if place.isFormer { return key }
        if place.term == 0 { return firstTerm }
        let term = (0..<4).map { UInt8(truncatingIfNeeded: place.term >> (24 - 8 * UInt32($0))) }
        return Self.derived(key, "sijill term", term)
    }

    private static func derived(
        _ key: SymmetricKey, _ use: String, _ more: [UInt8]
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array(use.utf8) + more, outputByteCount: 32)
    }
}
