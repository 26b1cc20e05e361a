import EventLog
import Proofs

/// What a key signed last of each log, in a file beside it (PATH`.state`): who signs two histories under one name
/// vouches for nothing, and nobody else remembers it for them (C2SP tlog-checkpoint, tlog-witness).
///
/// The file holds the texts of checkpoints without further lines, an empty line between them.
struct SigningState {
    let path: String
    private var known: [Checkpoint]

    /// Runs `body` while no other program signs with the key.
    static func with<R>(_ keyFile: String, _ body: (inout SigningState) throws -> R) throws -> R {
        try PlainFiles.withLock(on: keyFile) {
            var state = try SigningState(keyFile + ".state")
            return try body(&state)
        }
    }

    private init(_ path: String) throws {
        self.path = path
        let found = try PlainFiles.read(path, atMost: 1 << 20)
        let text = String(decoding: found ?? [], as: UTF8.self)
        do throws(ProofError) {
            var known: [Checkpoint] = []
            var lines: [Substring] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if !line.isEmpty {
                    lines.append(line)
                } else if !lines.isEmpty {
                    known.append(try Checkpoint(text: lines.map { $0 + "\n" }.joined()))
                    lines = []
                }
            }
            // Nothing is kept in a file without a checkpoint.
            guard lines.isEmpty, found == nil || !known.isEmpty else {
                throw ProofError(kind: .malformed, description: "it was cut short")
            }
            self.known = known
        } catch {
            throw EngineError(
                .badInput,
                "\(path): \(error); put back the file that the key's last signature left, and sign "
                    + "nothing before")
        }
    }

    func last(of origin: String) -> Checkpoint? { known.first { $0.origin == origin } }

    /// To be called before the signature is given to anybody; durable on return.
    mutating func keep(_ checkpoint: Checkpoint) throws {
        let bare = try Checkpoint(
            origin: checkpoint.origin, size: checkpoint.size, root: checkpoint.root)
        known.removeAll { $0.origin == bare.origin }
        known.append(bare)
        try PlainFiles.replace(path, Array(known.map(\.text).joined(separator: "\n").utf8) + [10])
    }
}
