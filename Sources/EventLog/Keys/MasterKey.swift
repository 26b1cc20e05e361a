import Core
import Cryptography
import Glibc

/// The key that the persons' keys are wrapped with.
///
/// Kept in a file of 64 hexadecimal digits: the one that `SIJILL_MASTER_KEY_FILE` names, else
/// `master.key` in the journal's directory. There it does not protect against a reader of the directory;
/// elsewhere, a copy of the directory without it tells nothing personal.
package struct MasterKey: Sendable {
    package static let variable = "SIJILL_MASTER_KEY_FILE"

    let key: SecretKey
    /// 16 bytes that tell the key from others and give nothing of it away.
    let fingerprint: [UInt8]

    private init(_ bytes: [UInt8]) {
        key = SecretKey(bytes)
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
        guard digits.count == 64, let key = Hex.bytes(text) else {
            throw JournalError(
                .invalid, "\(path) is not a master key: expected 64 lower-case hexadecimal digits",
                advice: "name the journal's master key file in \(variable)")
        }
        return MasterKey(key)
    }

    /// The key with this fingerprint: the one in the file, or the next one, if a rotation was interrupted
    /// before it took its place.
    static func read(_ path: String, fingerprint: [UInt8]) throws(JournalError) -> MasterKey {
        let key = try read(path)
        if let key, key.fingerprint == fingerprint { return key }
        if let next = try? read(nextPath(path)), next.fingerprint == fingerprint { return next }
        // Without a fingerprint, none was there when the file of keys was read.
        if let key, fingerprint.isEmpty { return key }
        throw JournalError(
            .permission,
            key == nil
                ? "\(path): there is no master key"
                : "\(path) is not the master key of this journal",
            advice: "name the journal's master key file in \(variable)")
    }

    /// The key in the file; a new one is made if there is none.
    static func readOrMake(_ path: String) throws(JournalError) -> MasterKey {
        if let key = try read(path) {
            // A program may have made it, and ended before it was flushed.
            try PlainFiles.flush(path)
            return key
        }
        return try make(path)
    }

    private static func make(_ path: String) throws(JournalError) -> MasterKey {
        let bytes = RandomBytes.make(AESGCM.keyByteCount)
        try SecretFile.create(path, Array((Hex.text(bytes) + "\n").utf8))
        return MasterKey(bytes)
    }

    // MARK: Rotation

    static func nextPath(_ path: String) -> String { path + ".next" }

    /// A new key in a file beside the present one.
    static func makeNext(_ path: String) throws(JournalError) -> MasterKey {
        try SecretFile.destroy(nextPath(path))
        return try make(nextPath(path))
    }

    /// Puts the next key in the place of the present one where it is the one in use, and takes it away where
    /// it is not: whatever a rotation left, one file is there in the end. What is written over stays on no disk.
    static func settle(_ path: String, inUse fingerprint: [UInt8]) throws(JournalError) {
        try SecretFile.destroy(nextPath(path) + ".new", keeping: nextPath(path))
        guard try FileSystem.exists(nextPath(path)) else { return }
        let next = try? read(nextPath(path))
        guard let next, next.fingerprint == fingerprint else {
            // Never hand away the only key: what is in use must be there.
            guard try read(path)?.fingerprint == fingerprint else { return }
            try SecretFile.destroy(nextPath(path))
            return
        }
        if try read(path)?.fingerprint != fingerprint {
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 64)
            try SecretFile.overwrite(path, zeros)
        }
        try FileSystem.rename(nextPath(path), to: path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }
}
