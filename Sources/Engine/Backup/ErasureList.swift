import EventLog
import Core

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
    var keys: [PersonKeys.Name] {
        (ended.map { [$0] } ?? [person] + (2..<Self.mostKeys).map { "\(person)/\($0)" })
            .map { PersonKeys.Name(text: $0) }
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
    private var allowsPipes = false

    init(_ directory: String) {
        path = directory + "/" + Self.name
    }

    /// A file that somebody named.
    init(file: String) {
        path = file
        allowsPipes = true
    }

    /// What the file holds.
    struct Contents {
        var isThere = false
        /// In the order in which they were written, each once.
        var erasures: [Erasure] = []
        /// Lines that are none, or were cut short.
        var damagedLines = 0
        /// The number of the first line that is none.
        var firstDamaged: Int?
    }

    /// Writes them behind the others, each once. Durable on return.
    func append(_ erasures: [Erasure]) throws {
        if erasures.isEmpty { return }
        let contents = try contents()
        // What is there already was perhaps never flushed, or a flush failed, after which another would say that all is
        // well: it is written anew.
        if contents.damagedLines > 0 || !Set(contents.erasures).isDisjoint(with: erasures) {
            return try replace(contents.erasures + erasures)
        }
        var seen: Set<Erasure> = []
        try PlainFiles.append(
            path, erasures.filter { seen.insert($0).inserted }.flatMap(Self.line))
    }

    /// Writes the file anew, each of them once. Durable on return.
    func replace(_ erasures: [Erasure]) throws {
        var seen: Set<Erasure> = []
        try PlainFiles.replace(
            path, erasures.filter { seen.insert($0).inserted }.flatMap(Self.line))
    }

    /// Those that can be read.
    func all() throws -> [Erasure] { try contents().erasures }

    /// Those of a list that nothing else tells: with a line that is none somebody would come back.
    func whole() throws -> [Erasure] {
        let contents = try contents()
        guard contents.isThere || !allowsPipes else {
            throw EngineError(.wrongUse, "\(path): there is no such file; name a list of erasures")
        }
        if let line = contents.firstDamaged {
            throw EngineError(
                .badInput, "\(path), line \(line): no erasure; use a list that is whole")
        }
        return contents.erasures
    }

    /// Reads the file. What is no erasure is counted and passed over: all that it says stands in a journal, too.
    func contents() throws -> Contents {
        guard let bytes = try PlainFiles.read(path, atMost: 1 << 30, allowsPipes: allowsPipes)
        else { return Contents() }
        var contents = Contents(isThere: true)
        var seen: Set<Erasure> = []
        let lines = bytes.dropFirst(bytes.starts(with: Self.mark) ? Self.mark.count : 0)
            .split(separator: 10, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy(Self.isBlank) {
            guard let erasure = Self.erasure(Array(line)) else {
                contents.damagedLines += 1
                contents.firstDamaged = contents.firstDamaged ?? index + 1
                continue
            }
            if seen.insert(erasure).inserted { contents.erasures.append(erasure) }
        }
        if let last = bytes.last, last != 10 {
            // Perhaps whole but for its end: the next one would be written behind it.
            contents.damagedLines += 1
        }
        return contents
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [9, 13, 32].contains(byte) }

    /// U+FEFF in UTF-8, which some editors put at the start.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

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
        let ended = json["key"]?.string
        // Another person's key is not theirs to end.
        if let ended, ended != person, !ended.hasPrefix(person + "/") { return nil }
        return Erasure(
            person: person, position: Position(UInt64(position)), at: at, ended: ended)
    }
}
