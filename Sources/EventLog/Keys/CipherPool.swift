import Cryptography
import Synchronization

/// Ciphers that are used again, by any number of threads, each by one at a time.
///
/// A cipher keeps the last key that it was used with. So does the file of keys while it is open, until a person is erased:
/// `forget` is called then.
final class CipherPool: Sendable {
    private struct State {
        var idle: [AESGCM.Cipher] = []
        /// How often what they keep was to be forgotten.
        var forgotten = 0
    }

    private let state = Mutex(State())

    func with<R>(
        _ body: (AESGCM.Cipher) throws(CryptographyError) -> R
    ) throws(CryptographyError) -> R {
        let (known, forgotten) = state.withLock { ($0.idle.popLast(), $0.forgotten) }
        let cipher = known ?? AESGCM.Cipher()
        defer {
            state.withLock { state in
                if state.forgotten == forgotten { state.idle.append(cipher) }
            }
        }
        return try body(cipher)
    }

    /// Writes over every key; what is in use at this moment is not used again.
    func forget() {
        state.withLock { state in
            state.idle.removeAll()
            state.forgotten += 1
        }
    }
}
