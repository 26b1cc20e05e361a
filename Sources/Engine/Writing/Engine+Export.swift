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
            var lines = ExportLines(try OpenLog(journal), isSealed: isSealed)
            try lines.log.snapshot.forEachFrameContent { frame, body in
                try lines.add(frame, body)
                if lines.bytes.count > 1 << 16 { try write(lines.take()) }
                return true
            }
            try write(lines.take())
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
