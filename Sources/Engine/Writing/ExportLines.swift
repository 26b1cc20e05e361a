import EventLog
import Events
import Projections

/// Writes the lines of an export, frame by frame, the line that names the form first.
struct ExportLines {
    let log: OpenLog
    private let isSealed: Bool
    private var keys: KeyLines
    private(set) var bytes: [UInt8]

    init(_ log: OpenLog, _ journal: Journal, isSealed: Bool) throws {
        self.log = log
        self.isSealed = isSealed
        keys = KeyLines(keys: log.history.keys)
        bytes = []
        line { ExportForm.writeHeader(journal.lead, to: &$0) }
        if !isSealed, let secret = try log.history.keys.journalSecret() {
            line { ExportForm.write(secret, of: .journal, to: &$0) }
        }
    }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func add(_ frame: FrameContent, _ body: [UInt8]) throws {
        // Each where its last event stands: an import makes frames of other sizes.
        var commands = frame.commands.filter(\.isAccepted)
            .sorted { $0.events.upperBound < $1.events.upperBound }[...]
        add(&commands, frame, through: 0)
        for (index, event) in frame.events.enumerated() {
            guard let past = log.history.past(event, body) else { continue }
            if !isSealed { bytes += try keys.line(before: past, log.history.names) }
            let form: EventDocument.Form = isSealed ? .leaf : .line
            line { EventDocument.write(past, form, to: &$0) }
            add(&commands, frame, through: index + 1)
        }
        try log.history.checkFault()
    }

    private mutating func add(
        _ commands: inout ArraySlice<FrameCommand>, _ frame: FrameContent, through end: Int
    ) {
        while let command = commands.first, command.events.upperBound <= end {
            line { ExportForm.write(command, frame, to: &$0) }
            commands.removeFirst()
        }
    }

    private mutating func line(_ write: (inout JSONOutput) -> Void) {
        bytes += Document(names: log.history.names, write).bytes
        bytes.append(10)
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
        let person = PersonKeys.Name(event.type.product, event.circumstances.subject, names)
        return Document(names: names) { ExportForm.write(key, of: person, to: &$0) }.bytes + [10]
    }
}
