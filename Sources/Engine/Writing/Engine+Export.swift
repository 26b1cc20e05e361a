import EventLog
import Events
import Projections

extension Engine {
    /// The whole journal as JSON lines, lossless: a line that names the form, then each event with
    /// the accepted commands after the last of their events, and each person's key before the first
    /// event that it opens. `write` is given whole lines.
    ///
    /// Sealed, it has neither keys nor what personal fields say: whoever is given it can check every
    /// proof, and read nothing personal (docs/audit.md).
    public func export(
        isSealed: Bool = false, _ write: ([UInt8]) throws(EngineError) -> Void
    ) throws(EngineError) {
        try engineErrors {
            let log = try OpenLog(journal)
            var keys = KeyLines(keys: log.history.keys)
            var chunk = Document(names: log.history.names) { ExportForm.writeHeader(to: &$0) }.bytes
            chunk.append(10)
            try log.snapshot.forEachFrameContent { frame, body in
                // Each where its last event stands: an import makes frames of other sizes.
                var commands = frame.commands.filter(\.isAccepted)
                    .sorted { $0.events.upperBound < $1.events.upperBound }[...]
                func writeCommands(through end: Int) {
                    while let command = commands.first, command.events.upperBound <= end {
                        chunk +=
                            Document(names: log.history.names) {
                                ExportForm.write(command, frame, to: &$0)
                            }.bytes
                        chunk.append(10)
                        commands.removeFirst()
                    }
                }
                writeCommands(through: 0)
                for (index, event) in frame.events.enumerated() {
                    guard let past = log.history.past(event, body) else { continue }
                    if !isSealed { chunk += try keys.line(before: past, log.history.names) }
                    chunk +=
                        Document(names: log.history.names) {
                            EventDocument.write(past, isSealed ? .leaf : .line, to: &$0)
                        }.bytes
                    chunk.append(10)
                    writeCommands(through: index + 1)
                }
                try log.history.checkFault()
                if chunk.count > 1 << 16 {
                    try write(chunk)
                    chunk.removeAll(keepingCapacity: true)
                }
                return true
            }
            try write(chunk)
        }
    }

    /// The audit log as CSV for a spreadsheet, oldest first; no text in it can become a formula.
    public func exportAudit(
        _ write: ([UInt8]) throws(EngineError) -> Void
    ) throws(EngineError) {
        try engineErrors {
            let log = try OpenLog(journal)
            let names = log.history.names
            var table = SpreadsheetTable()
            table.row(ExportForm.auditColumns.map { .text($0) })
            try log.snapshot.forEachEvent { event, body in
                guard let past = log.history.past(event, body) else { return true }
                let circumstances = past.circumstances
                table.row([
                    .number(circumstances.position.number), .text("\(circumstances.at)"),
                    .text("\(past.recordedAt)"), .text(names.text(circumstances.actor)),
                    .text(past.command), .text(names.text(circumstances.device)),
                    .text(names.text(circumstances.stream)), .text(past.type.name),
                    .text(past.type.sentence),
                ])
                try log.history.checkFault()
                if table.bytes.count > 1 << 16 {
                    try write(table.bytes)
                    table.removeAll()
                }
                return true
            }
            try write(table.bytes)
        }
    }

    /// Makes a journal out of an export. Nothing is left at the directory if a line is not right.
    public static func importJournal(
        at directory: String, nextLine: () throws(EngineError) -> [UInt8]?
    ) throws(EngineError) -> ImportReport {
        try engineErrors {
            try Journal.create(at: directory)
            do {
                let journal = try Journal(at: directory)
                var importer = try Importer(journal)
                while let line = try nextLine() { try importer.take(line) }
                return try importer.finish()
            } catch {
                Journal.discard(at: directory)
                throw error
            }
        }
    }
}

/// Writes each key before the first event that it opens.
private struct KeyLines {
    let keys: PersonKeys
    private var written: Set<UInt32> = []

    init(keys: PersonKeys) {
        self.keys = keys
    }

    mutating func line(before event: PastEvent, _ names: Names) throws -> [UInt8] {
        guard let slot = event.sealed?.slot, written.insert(slot).inserted,
            let key = try keys.key(in: slot)
        else { return [] }
        let person = PersonName.of(event.type.product, event.circumstances.subject, names)
        return Document(names: names) { ExportForm.write(key, of: person, to: &$0) }.bytes + [10]
    }
}

/// The lines of an export that are not events.
enum ExportForm {
    static let name = "sijill.journal"
    static let auditColumns = [
        "position", "at", "recordedAt", "by", "command", "device", "stream", "type", "summary",
    ]

    static func writeHeader(to output: inout JSONOutput) {
        output.object { output in
            output.member("format", name)
            output.member("version", 1)
        }
    }

    static func write(_ key: [UInt8], of person: String, to output: inout JSONOutput) {
        output.object { output in
            output.member("key", Hex.text(key))
            output.member("person", person)
        }
    }

    static func write(_ command: FrameCommand, _ frame: FrameContent, to output: inout JSONOutput) {
        output.object { output in
            output.member("accepted", String(decoding: command.id, as: UTF8.self))
            output.member("device", Word(command.device))
            output.member("digest", Hex.text(command.digest))
            output.member("events", command.events.count)
            output.member("first", frame.first + command.events.lowerBound)
            output.member("recordedAt", frame.recordedAt)
        }
    }
}
