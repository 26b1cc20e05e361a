import Cryptography

/// A hash of the tree: 32 bytes of SHA-256, of a leaf, of an inner node or of a whole tree
/// (RFC 6962 §2.1).
package struct TreeHash: Hashable, Sendable {
    /// The bytes as they lie in memory, eight at a time, so that hashing them copies nothing.
    private let words: Words

    private struct Words: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    package static let byteCount = 32

    /// The root of the tree without leaves: SHA-256 of nothing (RFC 6962 §2.1).
    package static let empty = TreeHash(SHA256().digest)

    /// nil unless these are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words = Words()
        // Safe: both are 32 bytes; the buffer does not leave the closure.
        unsafe withUnsafeMutableBytes(of: &words) { target in
            unsafe target.copyBytes(from: bytes)
        }
        self.words = words
    }

    private init(_ digest: [32 of UInt8]) {
        // Safe: a digest has 32 bytes, loaded one by one in the order of their addresses.
        words = unsafe digest.span.withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(as: Words.self)
        }
    }

    /// The hash of a leaf: SHA-256 of 0x00 and its data.
    package static func leaf(_ data: Span<UInt8>) -> TreeHash {
        var hash = SHA256()
        let prefix: [1 of UInt8] = [0]
        hash.update(prefix.span)
        hash.update(data)
        return TreeHash(hash.digest)
    }

    /// The hash of a leaf: SHA-256 of 0x00 and its data.
    package static func leaf(_ data: [UInt8]) -> TreeHash {
        leaf(data.span)
    }

    /// The hash of an inner node: SHA-256 of 0x01 and the hashes of its children.
    package static func node(_ left: TreeHash, _ right: TreeHash) -> TreeHash {
        struct Block {
            /// The last of its bytes is the prefix, so that 65 bytes lie side by side.
            let prefix = UInt64(1).bigEndian
            let left: Words
            let right: Words
        }
        var hash = SHA256()
        // Safe: a block has 72 bytes without gaps; the buffer does not leave the closure.
        unsafe withUnsafeBytes(of: Block(left: left.words, right: right.words)) { block in
            unsafe hash.update(UnsafeRawBufferPointer(rebasing: block[7...]).bytes)
        }
        return TreeHash(hash.digest)
    }

    package var bytes: [UInt8] {
        // Safe: the array is made before the closure returns.
        unsafe withUnsafeBytes(of: words) { unsafe Array($0) }
    }

    /// As checkpoints and proofs write it.
    package var base64: String { Base64.text(bytes) }
}
