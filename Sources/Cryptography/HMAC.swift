/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
    /// 32 bytes. The key may have any length; 32 bytes are what it is worth (RFC 2104 section 3).
    package static func code(of message: Span<UInt8>, with key: SecretKey) -> [32 of UInt8] {
        key.withBytes { key in
            if key.count <= SHA256.blockByteCount { return code(of: message, with: key) }
            return code(of: message, with: SHA256.digest(of: key).span)
        }
    }

    /// With a key of at most a block.
    static func code(of message: Span<UInt8>, with key: Span<UInt8>) -> [32 of UInt8] {
        var inner = padded(key, 0x36)
        defer { inner.wipe() }
        inner.update(message)
        var outer = padded(key, 0x5C)
        defer { outer.wipe() }
        let digest = inner.digest
        outer.update(digest.span)
        return outer.digest
    }

    /// A hash that has taken in a block: the key, filled up with zeros, each byte XOR `pad`.
    private static func padded(_ key: Span<UInt8>, _ pad: UInt8) -> SHA256 {
        var block = [64 of UInt8](repeating: pad)
        defer {
            var span = block.mutableSpan
            wipe(&span)
        }
        for index in key.indices { block[index] ^= key[index] }
        var hash = SHA256()
        hash.update(block.span)
        return hash
    }
}
