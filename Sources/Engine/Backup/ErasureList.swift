import EventLog
import Events

/// That keys were destroyed: a person was erased with all that is personal of them, or began anew under
/// another key.
struct Erasure: Hashable {
    let person: String
    /// Of the event that says so.
    let position: Position
    let at: Instant
    /// The one key that ended, of a person who goes on under another.
    var ended: String?

    /// The names of the keys. Of an erased person all that they can have had: the first, and later ones
    /// after new beginnings (docs/journal-format.md, subject).
    var keys: [String] {
        ended.map { [$0] } ?? [person] + (2..<Self.mostKeys).map { "\(person)/\($0)" }
    }

    /// Nobody begins anew that often.
    private static let mostKeys = 1000

    /// The same wherever it was recorded.
    struct Matter: Hashable {
        let person: String
        let ended: String?
    }

    var matter: Matter { Matter(person: person, ended: ended) }
}

/// Who was erased, and which keys ended, in a file `erasures.jsonl` beside the journal and in every
/// backup: what is to be applied before anything of an older copy is shown again.
struct ErasureList {
    static let name = "erasures.jsonl"

    private let path: String

    init(_ directory: String) {
        path = directory + "/" + Self.name
    }

    init(file: String) {
        path = file
    }

    /// Writes them behind the others, as they come. Durable on return.
    func append(_ erasures: [Erasure]) throws {
        if !erasures.isEmpty { try PlainFiles.append(path, erasures.flatMap(Self.line)) }
    }

    /// Adds those that are not there yet. Durable on return.
    func add(_ erasures: [Erasure]) throws {
        let known = Set(try all())
        try append(erasures.filter { !known.contains($0) })
    }

    /// In the order in which they were written, each once.
    func all() throws -> [Erasure] {
        guard let bytes = try PlainFiles.read(path, atMost: 1 << 30) else { return [] }
        var found: [Erasure] = []
        var seen: Set<Erasure> = []
        // A line that a crash cut short was not answered for yet.
        let end = bytes.lastIndex(of: 10) ?? 0
        for (number, line) in bytes[..<end].split(separator: 10).enumerated() {
            guard let erasure = Self.erasure(Array(line)) else {
                throw EngineError(
                    .badInput, "\(path), line \(number + 1): not an erasure; restore the file")
            }
            if seen.insert(erasure).inserted { found.append(erasure) }
        }
        return found
    }

    private static func line(_ erasure: Erasure) -> [UInt8] {
        Document(names: Names()) { output in
            output.object { output in
                output.member("erasedAt", erasure.at)
                if let ended = erasure.ended { output.member("key", ended) }
                output.member("person", erasure.person)
                output.member("position", erasure.position)
            }
        }.bytes + [10]
    }

    private static func erasure(_ line: [UInt8]) -> Erasure? {
        guard let json = try? JSON(parsing: line), let person = json["person"]?.string,
            let position = json["position"]?.wholeNumber, position > 0,
            let at = json["erasedAt"]?.string.flatMap({ Instant(rfc3339: $0) })
        else { return nil }
        return Erasure(
            person: person, position: Position(UInt64(position)), at: at,
            ended: json["key"]?.string)
    }
}
