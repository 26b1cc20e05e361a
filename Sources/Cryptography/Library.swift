import COpenSSL

/// What is fetched of libcrypto once, for all threads.
///
/// It has a context of its own: no configuration of the system or of the program around changes what an
/// algorithm's name stands for.
@safe
final class Library: @unchecked Sendable {
    // Safe: libcrypto lets any number of threads use both, and they are never freed.
    let context: OpaquePointer
    let aes256GCM: OpaquePointer

    private static let shared = Library()

    private init?() {
        // Threads may still seal while the process ends, so that nothing is freed then.
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        guard let aes256GCM = unsafe EVP_CIPHER_fetch(context, "AES-256-GCM", nil) else {
            unsafe OSSL_LIB_CTX_free(context)
            return nil
        }
        unsafe self.context = context
        unsafe self.aes256GCM = aes256GCM
    }

    /// Made at the first call, which takes a millisecond.
    static func get() throws(CryptographyError) -> Library {
        guard let shared else { throw .failed("it has no AES-256-GCM") }
        return shared
    }

    /// Says what failed, and takes away what libcrypto noted about it for this thread, so that no other
    /// user of the library finds it.
    static func failure(_ action: String) -> CryptographyError {
        ERR_clear_error()
        return .failed(action)
    }
}
