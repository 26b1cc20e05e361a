import COpenSSL

/// SHA-256 (FIPS 180-4, RFC 6234) of bytes that come piece by piece.
///
/// A value: a copy goes on by itself. It allocates nothing.
package struct SHA256: Sendable {
    /// Of a digest.
    package static let byteCount = 32
    /// Of what is hashed at a time.
    static let blockByteCount = 64

    private var context = SHA256_CTX()

    package init() {
        // It, and what is called below, always answers 1.
        _ = unsafe SHA256_Init(&context)
    }

    package mutating func update(_ bytes: RawSpan) {
        // Safe: the bytes are read before the closure returns.
        unsafe bytes.withUnsafeBytes { bytes in
            _ = unsafe SHA256_Update(&context, bytes.baseAddress, bytes.count)
        }
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe update(bytes.bytes)
    }

    /// Of what came so far; more may come.
    package var digest: [32 of UInt8] {
        var context = context
        var digest = [32 of UInt8](repeating: 0)
        var target = digest.mutableSpan
        // Safe: 32 bytes are written, which is what there is.
        unsafe target.withUnsafeMutableBufferPointer { target in
            _ = unsafe SHA256_Final(target.baseAddress, &context)
        }
        return digest
    }

    package static func digest(of bytes: Span<UInt8>) -> [32 of UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest
    }

    /// Overwrites what the state reveals of the hashed bytes, which may be a key.
    mutating func wipe() {
        // Safe: the state is this value's own, and of plain integers.
        unsafe withUnsafeMutableBytes(of: &context) { bytes in
            unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        }
    }
}

extension [UInt8] {
    package init(_ digest: [32 of UInt8]) {
        // Safe: the bytes are copied before the closure returns.
        self = unsafe digest.span.withUnsafeBytes { unsafe Array($0) }
    }
}
