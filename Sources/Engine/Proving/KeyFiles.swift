import EventLog
import Core

/// Files with keys, as commands name them.
public enum KeyFiles {
    /// The text of a private key: refused when others may read the file, when it is a link, or another's.
    public static func privateKey(_ path: String) throws(EngineError) -> String {
        try engineErrors {
            guard let bytes = try SecretFile.read(path, "the signing key") else {
                throw EngineError(.noSigningKey(path: path))
            }
            return line(bytes)
        }
    }

    /// The text of a verifier key.
    public static func verifier(_ path: String) throws(EngineError) -> String {
        line(try contents(path, atMost: 4096))
    }

    /// Makes a pair of keys: the private one in a new file for its owner only, the verifier key beside it
    /// in PATH`.vkey`. Answers the verifier key.
    public static func make(
        _ path: String, name: String, isWitness: Bool
    ) throws(EngineError) -> String {
        let key = try SigningKey.make(name: name, isWitness: isWitness)
        try engineErrors {
            try SecretFile.create(path, Array((key.privateText + "\n").utf8))
            try PlainFiles.replace(path + ".vkey", Array((key.verifier + "\n").utf8))
        }
        return key.verifier
    }

    /// A file that a command is given.
    public static func contents(
        _ path: String, atMost limit: Int = 1 << 20
    ) throws(EngineError) -> [UInt8] {
        try engineErrors {
            guard let bytes = try PlainFiles.read(path, atMost: limit, allowsPipes: true)
            else {
                throw EngineError(.wrongUse, "\(path): there is no such file; name one that is")
            }
            return bytes
        }
    }

    private static func line(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

extension EventEngine {
    /// Wraps the persons' keys with a new master key, which takes the place of the old one in its file;
    /// answers how many.
    public func rotateMasterKey() throws(EngineError) -> Int {
        try whileOpen {
            try journal.withWriterLock {
                let keys = PersonKeys(of: journal)
                try keys.prepareToWrite(slotCount: journal.head().slotCount)
                return try keys.rotate()
            }
        }
    }

    /// Makes a new master key where the old one is lost for good: keys that it wrapped are lost with it, what
    /// they sealed reads null, and the journal goes on. Refused while there is a file where the master key is
    /// looked for, and unless the caller states how many keys that costs.
    public func renewMasterKey(losing expected: Int?) throws(EngineError) -> Int {
        try whileOpen {
            try journal.withWriterLock {
                let keys = PersonKeys(of: journal)
                let count = Int(try journal.head().slotCount)
                try keys.refuseRenewal()
                guard expected == count else { throw EngineError(.keysWouldBeLost(count)) }
                try keys.renew()
                try ViewStore.reset(at: journal.path)
                return count
            }
        }
    }
}
