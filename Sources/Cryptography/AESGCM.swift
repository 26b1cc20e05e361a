import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D), with nonces of 12 bytes and tags of 16.
package enum AESGCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// The ciphertext, as long as the clear text, and the tag. No key may see a nonce twice.
    /// - Throws: `length` for a key or nonce of another length, or more than 2^31 - 1 bytes; `failed`.
    package static func seal(
        _ clear: [UInt8], with key: SecretKey, nonce: Span<UInt8>,
        authenticating more: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try Cipher().seal(clear, with: key, nonce: nonce, authenticating: more)
    }

    /// Nonce, ciphertext and tag; the nonce is random. A key is good for 2^32 of them (SP 800-38D
    /// section 8.3).
    /// - Throws: as `seal`.
    package static func sealWithNonce(
        _ clear: [UInt8], with key: SecretKey, authenticating more: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try Cipher().sealWithNonce(clear, with: key, authenticating: more)
    }

    /// The clear text of ciphertext and tag.
    /// - Throws: `refused` if they are not what the key sealed with this nonce and these authenticated
    ///   bytes; `length` for a box shorter than a tag, and as `seal`; `failed`.
    package static func open(
        _ box: Span<UInt8>, with key: SecretKey, nonce: Span<UInt8>,
        authenticating more: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try Cipher().open(box, with: key, nonce: nonce, authenticating: more)
    }

    /// The clear text of nonce, ciphertext and tag.
    /// - Throws: as `open`.
    package static func openWithNonce(
        _ box: Span<UInt8>, with key: SecretKey, authenticating more: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try Cipher().openWithNonce(box, with: key, authenticating: more)
    }
}

extension AESGCM {
    /// Seals and opens one text after the other, in less than half the time that it takes with a fresh context each (ADR 0034).
    /// Its last key stays in memory until it lets go of it or is freed, and is written over then. For one caller at a time.
    package final class Cipher: @unchecked Sendable {
        private var context: CipherContext?

        package init() {}

        /// As `AESGCM.seal`.
        package func seal(
            _ clear: [UInt8], with key: SecretKey, nonce: Span<UInt8>,
            authenticating more: [UInt8] = []
        ) throws(CryptographyError) -> [UInt8] {
            try with(.seal, key, nonce) { context throws(CryptographyError) in
                var box = [UInt8](repeating: 0, count: clear.count + tagByteCount)
                try context.authenticate(more)
                try context.transform(clear.span, into: &box)
                guard context.finish(), context.getTag(&box, at: clear.count) else {
                    throw Library.failure("sealing")
                }
                return box
            }
        }

        /// As `AESGCM.sealWithNonce`.
        package func sealWithNonce(
            _ clear: [UInt8], with key: SecretKey, authenticating more: [UInt8] = []
        ) throws(CryptographyError) -> [UInt8] {
            let nonce = RandomBytes.make(nonceByteCount)
            return nonce + (try seal(clear, with: key, nonce: nonce.span, authenticating: more))
        }

        /// As `AESGCM.open`.
        package func open(
            _ box: Span<UInt8>, with key: SecretKey, nonce: Span<UInt8>,
            authenticating more: [UInt8] = []
        ) throws(CryptographyError) -> [UInt8] {
            guard box.count >= tagByteCount else { throw .length("a box") }
            let ciphertext = box.extracting(droppingLast: tagByteCount)
            let tag = box.extracting(last: tagByteCount)
            return try with(.open, key, nonce) { context throws(CryptographyError) in
                var clear = [UInt8](repeating: 0, count: ciphertext.count)
                try context.authenticate(more)
                try context.transform(ciphertext, into: &clear)
                guard context.setTag(tag) else { throw Library.failure("opening") }
                guard context.finish() else {
                    // What nobody vouches for is not left behind.
                    var span = clear.mutableSpan
                    wipe(&span)
                    ERR_clear_error()
                    throw .refused
                }
                return clear
            }
        }

        /// As `AESGCM.openWithNonce`.
        package func openWithNonce(
            _ box: Span<UInt8>, with key: SecretKey, authenticating more: [UInt8] = []
        ) throws(CryptographyError) -> [UInt8] {
            guard box.count >= nonceByteCount + tagByteCount else { throw .length("a box") }
            return try open(
                box.extracting(droppingFirst: nonceByteCount), with: key,
                nonce: box.extracting(first: nonceByteCount), authenticating: more)
        }

        /// After a failure the next text gets a fresh context.
        private func with(
            _ direction: CipherContext.Direction, _ key: SecretKey, _ nonce: Span<UInt8>,
            _ body: (inout CipherContext) throws(CryptographyError) -> [UInt8]
        ) throws(CryptographyError) -> [UInt8] {
            if context == nil { context = try CipherContext() }
            guard var used = context.take() else { throw Library.failure("a context for a cipher") }
            try used.begin(direction, key, nonce)
            let result = try body(&used)
            context = consume used
            return result
        }
    }
}

/// A context of libcrypto's, which is written over when it is freed.
@safe
private struct CipherContext: ~Copyable {
    enum Direction: CInt {
        case open = 0
        case seal = 1
    }

    private let pointer: OpaquePointer
    /// The cipher is set: to set it again would make the context anew.
    private var isSet = false

    init() throws(CryptographyError) {
        guard let pointer = unsafe EVP_CIPHER_CTX_new() else {
            throw Library.failure("a context for a cipher")
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

    mutating func begin(
        _ direction: Direction, _ key: SecretKey, _ nonce: Span<UInt8>
    ) throws(CryptographyError) {
        let library = try Library.get()
        guard key.byteCount == AESGCM.keyByteCount else { throw .length("a key") }
        guard nonce.count == AESGCM.nonceByteCount else { throw .length("a nonce") }
        let cipher = unsafe isSet ? nil : library.aes256GCM
        // Safe: as many bytes are read as were counted, before the closures return.
        let isReady = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe nonce.withUnsafeBufferPointer { nonce in
                    unsafe EVP_CipherInit_ex2(
                        pointer, cipher, key.baseAddress, nonce.baseAddress,
                        direction.rawValue, nil) == 1
                }
            }
        }
        guard isReady else { throw Library.failure("beginning to seal or open") }
        isSet = true
    }

    /// Takes in what is authenticated and not encrypted.
    mutating func authenticate(_ bytes: [UInt8]) throws(CryptographyError) {
        if bytes.isEmpty { return }
        guard let count = CInt(exactly: bytes.count) else { throw .length("what is authenticated") }
        var written: CInt = 0
        // Safe: the bytes are read before the closure returns; without a target none is written.
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe EVP_CipherUpdate(pointer, nil, &written, bytes.baseAddress, count) == 1
        }
        guard isDone else { throw Library.failure("authenticating") }
    }

    /// Encrypts or decrypts to the beginning of `target`, which is at least as long.
    mutating func transform(
        _ bytes: Span<UInt8>, into target: inout [UInt8]
    ) throws(CryptographyError) {
        if bytes.isEmpty { return }
        guard let count = CInt(exactly: bytes.count), bytes.count <= target.count else {
            throw .length("a text")
        }
        var written: CInt = 0
        // Safe: Galois/Counter Mode writes as many bytes as it reads.
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe EVP_CipherUpdate(
                    pointer, target.baseAddress, &written, bytes.baseAddress, count) == 1
            }
        }
        guard isDone, written == count else { throw Library.failure("sealing or opening a text") }
    }

    /// Whether all is done; for opening, whether the tag belongs to it.
    mutating func finish() -> Bool {
        var written: CInt = 0
        // Safe: this mode holds back no block; were it to write one, there is room.
        var rest = [16 of UInt8](repeating: 0)
        var target = rest.mutableSpan
        return unsafe target.withUnsafeMutableBufferPointer { target in
            unsafe EVP_CipherFinal_ex(pointer, target.baseAddress, &written) == 1
        }
    }

    mutating func getTag(_ box: inout [UInt8], at place: Int) -> Bool {
        guard box.count == place + AESGCM.tagByteCount else { return false }
        // Safe: as many bytes are written as there are behind the place.
        return unsafe box.withUnsafeMutableBytes { box in
            unsafe EVP_CIPHER_CTX_ctrl(
                pointer, EVP_CTRL_AEAD_GET_TAG, CInt(AESGCM.tagByteCount),
                box.baseAddress?.advanced(by: place)) == 1
        }
    }

    mutating func setTag(_ tag: Span<UInt8>) -> Bool {
        guard tag.count == AESGCM.tagByteCount else { return false }
        // Safe: libcrypto copies the tag and does not write to it.
        return unsafe tag.withUnsafeBytes { tag in
            unsafe EVP_CIPHER_CTX_ctrl(
                pointer, EVP_CTRL_AEAD_SET_TAG, CInt(AESGCM.tagByteCount),
                UnsafeMutableRawPointer(mutating: tag.baseAddress)) == 1
        }
    }
}
