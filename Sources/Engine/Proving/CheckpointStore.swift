import EventLog
import Core
import Proofs

/// The checkpoints that were made of a journal, and the keys that signed them: text files in the
/// directory `checkpoints` beside it. Anyone who can rewrite the journal can rewrite these, too; a checkpoint
/// that somebody else keeps is worth more (docs/audit.md).
struct CheckpointStore {
    let directory: String
    private var keysPath: String { directory + "/log.vkeys" }

    struct Kept {
        let path: String
        let checkpoint: SignedCheckpoint
    }

    init(_ journal: Journal) {
        self.init(at: journal.path + "/checkpoints")
    }

    init(at directory: String) {
        self.directory = directory
    }

    /// All that are kept, the smallest first.
    func all() throws -> [Kept] { try all { throw $0 } }

    /// Those that can be read; `unreadable` hears why another cannot.
    func all(unreadable: (EngineError) throws -> Void) throws -> [Kept] {
        let names = try PlainFiles.names(in: directory).filter(Self.isCheckpoint)
        let kept: [Kept] = try names.compactMap { name in
            let path = directory + "/" + name
            do {
                return Kept(path: path, checkpoint: try Self.read(path))
            } catch let error as EngineError where error.kind == .badInput {
                try unreadable(error)
                return nil
            } catch let error as JournalError where error.kind == .invalid {
                try unreadable(EngineError(.badInput, "\(error)"))
                return nil
            }
        }
        return Self.sorted(kept)
    }

    /// By size, those of one size by their names: whoever puts files there names them as they like.
    static func sorted(_ kept: [Kept]) -> [Kept] {
        kept.sorted {
            let (left, right) = ($0.checkpoint.checkpoint.size, $1.checkpoint.checkpoint.size)
            return left == right ? $0.path.precedes($1.path) : left < right
        }
    }

    static func isCheckpoint(_ name: String) -> Bool { name.hasSuffix(".checkpoint") }

    /// - Parameter isNamed: somebody named the file, which may be a pipe.
    static func read(_ path: String, isNamed: Bool = false) throws -> SignedCheckpoint {
        guard let bytes = try PlainFiles.read(path, atMost: 1 << 20, allowsPipes: isNamed) else {
            throw EngineError(.badInput, "\(path): there is no such file; name a checkpoint")
        }
        do {
            return try SignedCheckpoint(bytes)
        } catch {
            throw EngineError(.badInput, "\(path): \(error)")
        }
    }

    /// The keys that checkpoints were made with here.
    func keys() throws -> [NoteVerifier] { try keys { throw $0 } }

    /// Those that can be read; `unreadable` hears why another cannot.
    func keys(unreadable: (EngineError) throws -> Void) throws -> [NoteVerifier] {
        let text = try PlainFiles.read(keysPath, atMost: 1 << 20) ?? []
        return try String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
            do {
                return try NoteVerifier(text: String($0))
            } catch {
                try unreadable(EngineError(.badInput, "\(keysPath): \(error)"))
                return nil
            }
        }
    }

    /// Keeps a checkpoint; durable on return.
    func keep(_ checkpoint: SignedCheckpoint, _ key: NoteVerifier) throws {
        try PlainFiles.makeDirectory(directory)
        for name in try PlainFiles.names(in: directory) where name.hasSuffix(".new") {
            try PlainFiles.remove(directory + "/" + name)
        }
        let known = try keys()
        if !known.contains(key) {
            let lines = (known + [key]).map { $0.text + "\n" }.joined()
            try PlainFiles.replace(keysPath, Array(lines.utf8))
        }
        try replace(checkpoint)
    }

    /// Puts a checkpoint with further signatures in the place of the same one; durable on return.
    func replace(_ checkpoint: SignedCheckpoint) throws {
        try PlainFiles.replace(path(of: checkpoint), checkpoint.bytes)
    }

    /// By size, and by what it says: one may attest read models, another not.
    private func path(of checkpoint: SignedCheckpoint) -> String {
        let size = String(checkpoint.checkpoint.size)
        let zeros = String(repeating: "0", count: max(0, 19 - size.count))
        let digest = SHA256Digest.hex(of: Array(checkpoint.checkpoint.text.utf8)).prefix(8)
        return "\(directory)/\(zeros)\(size)-\(digest).checkpoint"
    }
}
