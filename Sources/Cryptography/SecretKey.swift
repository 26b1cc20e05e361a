import COpenSSL
import Glibc

/// Bytes that nobody else may know. They lie at one place in memory however often the key is handed on,
/// and are written over when its last user lets go of it.
@safe
package final class SecretKey: @unchecked Sendable {
    // Safe: written before `init` returns and never again, so that any number of threads may read it.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    package var byteCount: Int { unsafe bytes.count }

    /// Filled with zeros, then by `fill`.
    init(byteCount: Int, _ fill: (inout MutableSpan<UInt8>) -> Void) {
        unsafe bytes = .allocate(capacity: byteCount)
        unsafe bytes.initialize(repeating: 0)
        var span = unsafe bytes.mutableSpan
        fill(&span)
    }

    /// A copy of the bytes.
    package convenience init(_ source: Span<UInt8>) {
        self.init(byteCount: source.count) { bytes in
            for index in source.indices { bytes[index] = source[index] }
        }
    }

    package convenience init(_ source: [UInt8]) {
        self.init(source.span)
    }

    /// A fresh one.
    package convenience init(randomByteCount count: Int) {
        self.init(RandomBytes.make(count))
    }

    deinit {
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }

    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe bytes.span)
    }

}

/// Writes over bytes in a way that no compiler leaves out.
func wipe(_ bytes: inout MutableSpan<UInt8>) {
    // Safe: the span's own bytes.
    unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
    }
}

/// Comparing without telling by the time it takes where two texts part.
package enum ConstantTime {
    /// Whether the bytes are the same; of texts of two lengths, at once.
    package static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard first.count == second.count else { return false }
        // Safe: both are as long as the count says, and read before the closures return.
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe CRYPTO_memcmp(first.baseAddress, second.baseAddress, first.count) == 0
            }
        }
    }
}

/// Bytes that nobody can foresee.
package enum RandomBytes {
    /// 64 bits of the kernel's generator: two machines that were resumed from one image get other bits (vmgenid),
    /// which a generator in the process, as libcrypto has one, would not promise.
    package static func number() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Bytes of the same source.
    package static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: the array's own bytes, at most as many as one call gives (getentropy(3)).
        let isFilled = unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.count <= 256 && getentropy($0.baseAddress, $0.count) == 0
        }
        if isFilled { return bytes }
        return bytes.map { _ in UInt8(truncatingIfNeeded: number()) }
    }
}
