/// HKDF with SHA-256 (RFC 5869): keys for several uses out of one.
package enum HKDF {
    /// The most bytes that one call makes: 255 digests (RFC 5869 section 2.3).
    package static let mostBytes = 255 * SHA256.byteCount

    /// A key of 32 bytes for the use that `info` names.
    package static func key(from secret: SecretKey, info: [UInt8]) -> SecretKey {
        expanded(extracted(secret, salt: []), info, SHA256.byteCount)
    }

    /// A key of `byteCount` bytes for the use that `info` names.
    /// - Throws: `length` for more than `mostBytes`.
    package static func key(
        from secret: SecretKey, salt: [UInt8], info: [UInt8], byteCount: Int
    ) throws(CryptographyError) -> SecretKey {
        guard (0...mostBytes).contains(byteCount) else { throw .length("a derived key") }
        return expanded(extracted(secret, salt: salt), info, byteCount)
    }

    /// RFC 5869 section 2.2. Without a salt the key is zeros, as HMAC fills it up.
    private static func extracted(_ secret: SecretKey, salt: [UInt8]) -> SecretKey {
        let salt = SecretKey(salt)
        return secret.withBytes { secret in SecretKey(HMAC.code(of: secret, with: salt).span) }
    }

    /// RFC 5869 section 2.3: each block is made of the one before.
    private static func expanded(
        _ key: SecretKey, _ info: [UInt8], _ byteCount: Int
    ) -> SecretKey {
        SecretKey(byteCount: byteCount) { output in
            var previous: [UInt8] = []
            for start in stride(from: 0, to: byteCount, by: SHA256.byteCount) {
                let number = UInt8(truncatingIfNeeded: start / SHA256.byteCount + 1)
                let block = HMAC.code(of: (previous + info + [number]).span, with: key)
                for index in 0..<min(SHA256.byteCount, byteCount - start) {
                    output[start + index] = block[index]
                }
                previous = Array(block)
            }
        }
    }
}
