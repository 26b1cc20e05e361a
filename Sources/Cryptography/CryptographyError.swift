/// Why an operation gave nothing.
package enum CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A key, a nonce, a tag or a signature of another length than it has, or a text that is too long.
    case length(String)
    /// The tag does not belong to key, nonce, ciphertext and authenticated bytes: one of them is another.
    case refused
    /// What libcrypto could not do: no memory, or an algorithm that it was built without.
    case failed(String)

    package var description: String {
        switch self {
        case .length(let what): "\(what) of a length that it cannot have"
        case .refused: "the tag does not belong to the bytes"
        case .failed(let action): "libcrypto failed: \(action)"
        }
    }
}
