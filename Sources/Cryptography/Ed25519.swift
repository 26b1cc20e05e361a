import COpenSSL

/// Signatures of Ed25519 (RFC 8032 section 5.1).
package enum Ed25519 {
    /// Of a public key, and of the seed that is the private one.
    package static let keyByteCount = 32
    package static let signatureByteCount = 64

    /// What a signature is made with.
    package struct PrivateKey: Sendable {
        /// 32 bytes (RFC 8032 section 5.1.5).
        package let seed: SecretKey
        package let publicKey: PublicKey

        /// - Throws: `length` unless the seed has 32 bytes; `failed`.
        package init(seed: SecretKey) throws(CryptographyError) {
            self.seed = seed
            publicKey = try PublicKey(try KeyContext(seed: seed).publicBytes())
        }

        /// A fresh one.
        /// - Throws: `failed`.
        package static func generate() throws(CryptographyError) -> PrivateKey {
            try PrivateKey(seed: SecretKey(randomByteCount: keyByteCount))
        }

        /// 64 bytes. The same key and message give the same ones (RFC 8032 section 5.1.6).
        /// - Throws: `failed`.
        package func signature(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
            try KeyContext(seed: seed).signature(of: message)
        }
    }

    /// What a signature is checked with.
    package struct PublicKey: Hashable, Sendable {
        package let bytes: [UInt8]

        /// Any 32 bytes: those that are no point of the curve verify nothing.
        /// - Throws: `length` for another number.
        package init(_ bytes: [UInt8]) throws(CryptographyError) {
            guard bytes.count == keyByteCount else { throw .length("a public key") }
            self.bytes = bytes
        }

        /// Whether the key made this signature of the message (RFC 8032 section 5.1.7, without the
        /// cofactor); false for one that has not 64 bytes.
        /// - Throws: `failed` where it could not be found out.
        package func verifies(
            _ signature: [UInt8], of message: [UInt8]
        ) throws(CryptographyError) -> Bool {
            guard signature.count == signatureByteCount else { return false }
            return try KeyContext(publicBytes: bytes).verifies(signature, of: message)
        }
    }
}

/// A key as libcrypto holds it, for one signature or check; written over when it is freed.
@safe
private struct KeyContext: ~Copyable {
    private static let algorithm = "ED25519"

    private let library: Library
    private let key: OpaquePointer

    init(seed: SecretKey) throws(CryptographyError) {
        guard seed.byteCount == Ed25519.keyByteCount else { throw .length("a private key") }
        let library = try Library.get()
        // Safe: as many bytes are read as were counted, before the closures return.
        let key = unsafe seed.withBytes { seed in
            unsafe seed.withUnsafeBufferPointer { seed in
                unsafe EVP_PKEY_new_raw_private_key_ex(
                    library.context, Self.algorithm, nil, seed.baseAddress, seed.count)
            }
        }
        guard let key = unsafe key else { throw Library.failure("a private key of Ed25519") }
        self.library = library
        unsafe self.key = key
    }

    init(publicBytes: [UInt8]) throws(CryptographyError) {
        let library = try Library.get()
        // Safe: the bytes are read before the closure returns.
        let key = unsafe publicBytes.withUnsafeBufferPointer { bytes in
            unsafe EVP_PKEY_new_raw_public_key_ex(
                library.context, Self.algorithm, nil, bytes.baseAddress, bytes.count)
        }
        guard let key = unsafe key else { throw Library.failure("a public key of Ed25519") }
        self.library = library
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    borrowing func publicBytes() throws(CryptographyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Ed25519.keyByteCount)
        var count = bytes.count
        // Safe: at most `count` bytes are written.
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe EVP_PKEY_get_raw_public_key(key, bytes.baseAddress, &count) == 1
        }
        guard isDone, count == bytes.count else { throw Library.failure("a public key") }
        return bytes
    }

    borrowing func signature(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let context = try SignatureContext()
        var signature = [UInt8](repeating: 0, count: Ed25519.signatureByteCount)
        var count = signature.count
        // Safe: at most `count` bytes are written, and the message is read before the closures return.
        let isDone =
            unsafe EVP_DigestSignInit_ex(
                context.pointer, nil, nil, library.context, nil, key, nil) == 1
            && signature.withUnsafeMutableBufferPointer { signature in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe EVP_DigestSign(
                        context.pointer, signature.baseAddress, &count, message.baseAddress,
                        message.count) == 1
                }
            }
        guard isDone, count == signature.count else { throw Library.failure("signing") }
        return signature
    }

    borrowing func verifies(
        _ signature: [UInt8], of message: [UInt8]
    ) throws(CryptographyError) -> Bool {
        let context = try SignatureContext()
        let isReady =
            unsafe EVP_DigestVerifyInit_ex(
                context.pointer, nil, nil, library.context, nil, key, nil) == 1
        guard isReady else { throw Library.failure("checking a signature") }
        // Safe: both are read before the closures return.
        let isValid = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    context.pointer, signature.baseAddress, signature.count, message.baseAddress,
                    message.count) == 1
            }
        }
        if !isValid { ERR_clear_error() }
        return isValid
    }
}

@safe
private struct SignatureContext: ~Copyable {
    let pointer: OpaquePointer

    init() throws(CryptographyError) {
        guard let pointer = unsafe EVP_MD_CTX_new() else {
            throw Library.failure("a context for a signature")
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }
}
