import Core
import Cryptography

/// One record of the file `keys` (docs/journal-format.md): 128 bytes at number · 128.
///
/// Slots have one size and stay where they are, so that a key is destroyed by writing over it: no copy is
/// left in the file, which a tree of pages would keep among its free ones.
enum KeySlot {
    static let byteCount = 128
    static let magic = Array("sijill keys 2\n\0\0".utf8)
    /// Of copies made before format 4, which restores read: they have the same slots.
    private static let formerMagic = Array("sijill keys 1\n\0\0".utf8)

    enum State: UInt8 {
        case key = 1
        case destroyed = 2
        /// The key is not here: the journal was restored, or imported, without it.
        case withheld = 3
    }

    /// What a look at a slot finds.
    enum Finding {
        case key(person: [UInt8], [UInt8])
        case destroyed(person: [UInt8])
        case withheld(person: [UInt8])
        /// Damaged, not there, or not wrapped with this master key.
        case lost
    }

    /// Up to where erasures are carried out, and the mark of the frame there: in a journal that went another
    /// way since, nothing is.
    struct Applied: Equatable {
        var position = Position.zero
        var mark: UInt64 = 0
    }

    /// What stands in slot 0.
    struct Header: Equatable {
        var identity: [UInt8]
        /// Of the master key that wraps the keys.
        var fingerprint: [UInt8]
        var applied = Applied()

        var bytes: [UInt8] {
            KeySlot.closed(
                magic + identity + fingerprint + KeySlot.bigEndian(applied.position.number)
                    + KeySlot.bigEndian(applied.mark), number: 0)
        }

        init(identity: [UInt8], fingerprint: [UInt8]) {
            self.identity = identity
            self.fingerprint = fingerprint
        }

        /// Nil for other bytes.
        init?(_ bytes: [UInt8]) {
            guard KeySlot.isWhole(bytes, number: 0),
                bytes.starts(with: magic) || bytes.starts(with: formerMagic)
            else { return nil }
            identity = Array(bytes[16..<32])
            fingerprint = Array(bytes[32..<48])
            if bytes.starts(with: magic) {
                applied = Applied(
                    position: Position(bytes[48..<56].reduce(0) { $0 << 8 | UInt64($1) }),
                    mark: bytes[56..<64].reduce(0) { $0 << 8 | UInt64($1) })
            }
        }
    }

    /// The key of a person, wrapped, or what is left of it.
    struct Entry {
        var state: State
        /// The first 16 bytes of SHA-256 over the journal's identity and `PRODUCT/ID`.
        var person: [UInt8]
        /// Nonce, ciphertext and tag: 60 bytes; zeros where there is no key.
        var wrapped: [UInt8]
        /// Of the erasure.
        var erased = Position.zero

        /// Without a key.
        init(_ state: State, _ person: [UInt8]) {
            self.state = state
            self.person = person
            wrapped = Array(repeating: 0, count: 60)
        }

        init(
            of person: [UInt8], wrapping key: [UInt8], with master: MasterKey
        ) throws(JournalError) {
            do {
                wrapped = try AESGCM.sealWithNonce(key, with: master.key, authenticating: person)
            } catch {
                throw .unable("wrapping a key", error)
            }
            state = .key
            self.person = person
        }

        /// The key; nil if it is not what this master key wrapped for this person.
        func unwrapped(with master: MasterKey) throws(JournalError) -> [UInt8]? {
            do {
                return try AESGCM.openWithNonce(
                    wrapped.span, with: master.key, authenticating: person)
            } catch {
                // A key that could not be looked at is not lost.
                if case .failed = error { throw .unable("unwrapping a key", error) }
                return nil
            }
        }

        init?(_ bytes: [UInt8], number: UInt32) {
            guard KeySlot.isWhole(bytes, number: number), let state = State(rawValue: bytes[0])
            else { return nil }
            self.state = state
            person = Array(bytes[16..<32])
            wrapped = Array(bytes[32..<92])
            erased = Position(bytes[96..<104].reduce(0) { $0 << 8 | UInt64($1) })
        }

        func bytes(number: UInt32) -> [UInt8] {
            var bytes = [state.rawValue] + [UInt8](repeating: 0, count: 15)
            bytes += person + wrapped + [0, 0, 0, 0] + KeySlot.bigEndian(erased.number)
            return KeySlot.closed(bytes, number: number)
        }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    }

    /// Filled up with zeros to the checksum: the first 8 bytes of SHA-256 over number and content.
    private static func closed(_ content: [UInt8], number: UInt32) -> [UInt8] {
        let bytes = content + [UInt8](repeating: 0, count: byteCount - 8 - content.count)
        return bytes + checksum(bytes[...], number)
    }

    private static func isWhole(_ bytes: [UInt8], number: UInt32) -> Bool {
        guard bytes.count == byteCount else { return false }
        return checksum(bytes.dropLast(8), number).elementsEqual(bytes.suffix(8))
    }

    private static func checksum(_ content: ArraySlice<UInt8>, _ number: UInt32) -> [UInt8] {
        Array(SHA256Digest.of(bigEndian(UInt64(number)) + content).prefix(8))
    }
}
