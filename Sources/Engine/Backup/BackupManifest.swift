import EventLog
import Core

/// What a backup holds, in its file `backup.json` (docs/backup.md).
struct BackupManifest {
    struct Part {
        var file = ""
        var first = Position.zero
        var last = Position.zero
        /// SHA-256 of the file, in lower-case hex.
        var digest = ""
    }

    static let format = "sijill.backup"
    static let name = "backup.json"

    let journal: String
    var parts: [Part] = []
    /// Of the tree over all events in it, in base 64.
    var rootHash = ""
    /// Commits without events behind the last event that are in it.
    var emptyFrames = 0

    init(of journal: String) {
        self.journal = journal
    }

    var last: Position { parts.last?.last ?? .zero }

    /// Nil if there is none.
    init?(in directory: String) throws {
        let path = directory + "/" + Self.name
        guard let bytes = try PlainFiles.read(path, atMost: 64 << 20) else { return nil }
        guard let json = try? JSON(parsing: bytes), json["format"]?.string == Self.format,
            json["version"]?.wholeNumber == 1, let journal = json["journal"]?.string,
            let rootHash = json["rootHash"]?.string,
            let emptyFrames = json["emptyFrames"]?.wholeNumber, emptyFrames >= 0,
            case .array(let parts)? = json["parts"]
        else {
            throw EngineError(
                .badInput, "\(path) is not of a backup of this program; name another directory")
        }
        self.journal = journal
        self.rootHash = rootHash
        self.emptyFrames = Int(emptyFrames)
        var next: UInt64 = 1
        for part in parts {
            guard let file = part["file"]?.string, !file.contains("/"), file.utf8.count < 256,
                let first = Self.position(part["first"]), let last = Self.position(part["last"]),
                let digest = part["digest"]?.string, first == next, last >= first - 1
            else { throw EngineError(.badInput, "\(path): a part is missing") }
            self.parts.append(
                Part(
                    file: file, first: Position(first), last: Position(last), digest: digest))
            next = last + 1
        }
    }

    /// Nil for what is no number that a position can have.
    private static func position(_ json: JSON?) -> UInt64? {
        guard let number = json?.wholeNumber, number >= 0 else { return nil }
        return UInt64(number)
    }

    func write(to directory: String) throws {
        let document = Document(names: Names()) { output in
            output.object { output in
                output.member("emptyFrames", emptyFrames)
                output.member("format", Self.format)
                output.member("journal", journal)
                output.array("parts", parts) { output, part in
                    output.object { output in
                        output.member("digest", part.digest)
                        output.member("file", part.file)
                        output.member("first", part.first)
                        output.member("last", part.last)
                    }
                }
                output.member("rootHash", rootHash)
                output.member("version", 1)
            }
        }
        try PlainFiles.replace(directory + "/" + Self.name, document.bytes + [10])
    }
}
