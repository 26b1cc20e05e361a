import EventLog
import Core
import Projections

extension EventEngine {
    /// The whole journal as JSON lines, lossless: a line that names the form, then each event with
    /// the accepted commands after the last of their events, and each person's key before the first
    /// event that it opens. `write` is given whole lines.
    ///
    /// Sealed, it has neither keys nor the contents of personal fields: its holder can check every
    /// proof, and read nothing personal (docs/audit.md).
    public func export(
        isSealed: Bool = false, _ write: ([UInt8]) throws(EngineError) -> Void
    ) throws(EngineError) {
        var slices = try exportSlices(isSealed: isSealed)
        while let slice = try slices.next() { try write(slice) }
    }

    /// The same in slices of whole lines, for who writes them at their own pace.
    ///
    /// - Parameter sliceBytes: how many bytes a slice has, at most; its last event and the command of it may lie over it.
    public func exportSlices(
        isSealed: Bool = false, sliceBytes: Int = 4 << 20
    ) throws(EngineError) -> ExportSlices {
        try whileOpen {
            ExportSlices(self, end: try journal.head().position, isSealed, sliceBytes)
        }
    }

    /// The audit log as CSV for a spreadsheet, oldest first; no text in it can become a formula.
    public func exportAudit(
        _ write: ([UInt8]) throws(EngineError) -> Void
    ) throws(EngineError) {
        try whileOpen {
            var header = SpreadsheetTable()
            header.row(ExportForm.auditColumns.map { .text($0) })
            try write(header.bytes)
            var scan = try EventScan(EventFilter())
            scan.last = try journal.head().position
            var slices = EventSlices(journal, registry, scan)
            while !slices.isExhausted {
                let rows = try slices.next { past, names in
                    let metadata = past.metadata
                    var table = SpreadsheetTable()
                    table.row([
                        .number(metadata.position.number), .text("\(metadata.at)"),
                        .text("\(past.recordedAt)"), .text(names.text(metadata.actor)),
                        .text(past.command), .text(names.text(metadata.device)),
                        .text(names.text(metadata.stream)), .text(past.type.name),
                        .text(past.type.sentence),
                    ])
                    return table.bytes
                }
                try write(Array(rows.joined()))
            }
        }
    }

    /// Makes a journal out of an export. Nothing is left at the directory if a line is not right, and what is
    /// there before all lines are taken is no journal.
    ///
    /// It has the lead that the export names; `isSimulated` gives it none. Of the options it heeds
    /// ``Options/segmentEvents``.
    public static func importJournal(
        at directory: String, isSimulated: Bool = false, options: Options,
        nextLine: () throws(EngineError) -> [UInt8]?
    ) throws(EngineError) -> ImportReport {
        try engineErrors {
            let registry = try Registry(options.products)
            var (header, lines): (ExportForm.Header?, Int) = (nil, 0)
            while header == nil, let line = try nextLine() {
                lines += 1
                if !line.isEmpty { header = try ExportForm.header(line, number: lines) }
            }
            guard let header else {
                throw EngineError(
                    .badInput, "line 1: the export is empty; import a file that export wrote")
            }
            let draft = try JournalDraft(
                at: directory, lead: isSimulated ? .unbounded : header.lead)
            do {
                let report = try {
                    let journal = try Journal(
                        at: directory, sealing: options.sealing, isDraft: true)
                    var importer = try Importer(journal, registry, headerLine: lines)
                    while let line = try nextLine() { try importer.take(line) }
                    return try importer.finish()
                }()
                try draft.publish()
                return report
            } catch {
                draft.discard()
                throw error
            }
        }
    }
}

/// An export that is under way.
public struct ExportSlices {
    private let engine: EventEngine
    private let end: Position
    private let isSealed: Bool
    private let sliceBytes: Int
    private var mark = FrameMark()
    private var keys: Set<UInt32>?
    private var goesOn = true

    init(_ engine: EventEngine, end: Position, _ isSealed: Bool, _ sliceBytes: Int) {
        self.engine = engine
        self.end = end
        self.isSealed = isSealed
        self.sliceBytes = sliceBytes
    }

    /// The next lines; nil behind the last.
    ///
    /// No snapshot is held between two slices: a slow reader must not make the journal grow.
    public mutating func next() throws(EngineError) -> [UInt8]? {
        guard goesOn else { return nil }
        var (mark, keys) = (mark, keys)
        let (text, isFull) = try engine.whileOpen {
            var lines = try ExportLines(
                OpenLog(engine.journal, engine.registry), engine.journal, isSealed: isSealed,
                after: keys)
            var isFull = false
            _ = try mark.advance(&lines, atMost: sliceBytes) { lines, _ in
                isFull = lines.bytes.count >= sliceBytes
                return !isFull
            }
            keys = lines.writtenKeys
            return (lines.take(), isFull)
        }
        (self.mark, self.keys) = (mark, keys)
        // Commands without events may stand behind the last event; a frame that is begun is written to its end.
        goesOn = isFull && (mark.isInside || mark.last <= end)
        return text.isEmpty ? nil : text
    }
}

/// The lines of an export that are not events.
enum ExportForm {
    static let name = "sijill.journal"
    static let auditColumns = [
        "position", "at", "recordedAt", "by", "command", "device", "stream", "type", "summary",
    ]

    /// What the first line says of all.
    struct Header {
        var version = 2
        var lead = Lead.standard
    }

    /// Reads the first line; of version 1 were exports before format 4.
    static func header(_ line: [UInt8], number: Int) throws(EngineError) -> Header {
        let json = try? JSON(parsing: line)
        var header = Header()
        guard json?["format"]?.string == name, let version = json?["version"]?.wholeNumber,
            version == 1 || version == 2
        else {
            throw EngineError(
                .badInput,
                "line \(number): expected the first line of an export of version 1 or 2; import a file that "
                    + "export wrote")
        }
        header.version = Int(version)
        if version == 2 {
            if json?["lead"]?.isNull == true {
                header.lead = .unbounded
            } else if let seconds = json?["lead"]?.wholeNumber, (0...Self.longestLead) ~= seconds {
                header.lead = Lead(milliseconds: seconds * 1000)
            } else {
                throw EngineError(
                    .badInput,
                    "line \(number): lead: expected seconds or null; import a file that export wrote"
                )
            }
        }
        return header
    }

    private static let longestLead: Int64 = 1 << 40

    static func writeHeader(_ lead: Lead, to output: inout JSONOutput) {
        output.object { output in
            output.member("format", name)
            output.member("lead", lead.seconds)
            output.member("version", 2)
        }
    }

    static func write(_ key: [UInt8], of person: PersonKeys.Name, to output: inout JSONOutput) {
        output.object { output in
            output.member("key", Hex.text(key))
            output.member("person", person.text)
        }
    }

    static func write(_ command: FrameCommand, _ frame: FrameContent, to output: inout JSONOutput) {
        output.object { output in
            output.member("accepted", String(decoding: command.id, as: UTF8.self))
            output.member("device", InternedText(command.device))
            if !command.isKeyed { output.member("digest", Hex.text(command.digest)) }
            output.member("events", command.events.count)
            output.member("first", frame.first + command.events.lowerBound)
            if command.isKeyed { output.member("mac", Hex.text(command.digest)) }
            output.member("recordedAt", frame.recordedAt)
        }
    }
}
