import Crypto
import Events
import Glibc

/// The key that the persons' keys are wrapped with.
///
/// Kept in a file of 64 hexadecimal digits: the one that `SIJILL_MASTER_KEY_FILE` names, else
/// `master.key` in the journal's directory. There it protects nothing from whoever has the directory;
/// elsewhere, a copy of the directory without it tells nothing personal.
package struct MasterKey: Sendable {
    package static let variable = "SIJILL_MASTER_KEY_FILE"

    let key: SymmetricKey
    /// 16 bytes that tell the key from others and give nothing of it away.
    let fingerprint: [UInt8]

    private init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
        fingerprint = Array(
            SHA256Digest.of(Array("sijill master key".utf8) + bytes).prefix(16))
    }

    static func path(in directory: String) -> String {
        guard let text = unsafe getenv(variable), unsafe text.pointee != 0 else {
            return directory + "/master.key"
        }
        return unsafe String(cString: text)
    }

    /// Nil if there is no file.
    static func read(_ path: String) throws(JournalError) -> MasterKey? {
        guard let bytes = try SecretFile.read(path, "the master key") else { return nil }
        let digits = bytes.last == 10 ? bytes.dropLast() : bytes[...]
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 64, let key = Hexadecimal.bytes(text[...].utf8) else {
            throw JournalError(
                .invalid, "\(path) is not a master key: expected 64 lower-case hexadecimal digits",
                advice: "name the journal's master key file in \(variable)")
        }
        return MasterKey(key)
    }

    /// The key in the file; a new one is made if there is none.
    static func readOrMake(_ path: String) throws(JournalError) -> MasterKey {
        if let key = try read(path) { return key }
        let bytes = FileSystem.random(32)
        try SecretFile.create(path, Array((Hexadecimal.text(bytes) + "\n").utf8))
        return MasterKey(bytes)
    }
}
