import EventLog
import Core
import Projections

/// Writes the lines of an export, frame by frame, the line that names the form first.
struct ExportLines {
    let log: OpenLog
    private let isSealed: Bool
    private var keys: KeyLines
    private var output: JSONOutput
    private(set) var bytes: [UInt8]

    /// `earlier`: what the lines before these said of keys; nil at the beginning.
    init(
        _ log: OpenLog, _ journal: Journal, isSealed: Bool, after earlier: Set<UInt32>? = nil
    ) throws {
        self.log = log
        self.isSealed = isSealed
        keys = KeyLines(keys: log.history.keys, written: earlier ?? [])
        output = JSONOutput(names: log.history.names)
        bytes = []
        if earlier != nil { return }
        line { ExportForm.writeHeader(journal.lead, to: &$0) }
        if !isSealed, let secret = try log.history.keys.journalSecret() {
            line { ExportForm.write(secret, of: .journal, to: &$0) }
        }
    }

    /// The slots whose keys were written.
    var writtenKeys: Set<UInt32> { keys.written }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Adds a frame from one of its events on, until there are so many bytes; answers how many of its events are written.
    mutating func add(
        _ frame: FrameContent, _ body: [UInt8], from start: Int, atMost most: Int
    ) throws -> Int {
        // Each where its last event stands: an import makes frames of other sizes.
        var commands = frame.commands
            .filter { $0.isAccepted && (start == 0 || $0.events.upperBound > start) }
            .sorted { $0.events.upperBound < $1.events.upperBound }[...]
        if start == 0 { add(&commands, frame, through: 0) }
        for index in start..<frame.events.count {
            if index > start, bytes.count >= most {
                try log.history.checkFault()
                return index
            }
            guard let found = log.history.envelope(frame.events[index], body) else { continue }
            if !isSealed { bytes += try keys.line(before: found, log.history.names) }
            let form: EventDocument.Form = isSealed ? .leaf : .line
            line { EventDocument.write(found, form, to: &$0) }
            add(&commands, frame, through: index + 1)
        }
        try log.history.checkFault()
        return frame.events.count
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
        output.json.removeAll()
        write(&output)
        bytes += output.json.bytes
        bytes.append(10)
    }
}

/// How far frames were written, those without events included.
struct FrameMark {
    /// The last event.
    var last = Position.zero
    /// Frames without events behind it.
    var emptyFrames = 0
    /// There are events of the same frame behind the last one.
    private(set) var isInside = false

    init(last: Position = .zero, emptyFrames: Int = 0) {
        self.last = last
        self.emptyFrames = emptyFrames
    }

    /// Adds the frames behind it to the lines, and goes on to them, until `body`, called after each with the last event,
    /// answers false; false if there are none.
    ///
    /// - Parameter most: a frame is left, and gone on with the next time, where the lines have so many bytes.
    mutating func advance(
        _ lines: inout ExportLines, atMost most: Int = .max,
        _ body: (inout ExportLines, Position) throws -> Bool
    ) throws -> Bool {
        let first = last + 1
        var skipped = emptyFrames
        var isFirst = true
        try lines.log.snapshot.forEachFrameContent(from: max(last, Position(1))) { frame, bytes in
            let start = frame.first < first ? Int(first.number - frame.first.number) : 0
            guard start == 0 || start < frame.events.count else { return true }
            if frame.events.isEmpty, frame.first == first, skipped > 0 {
                skipped -= 1
                return true
            }
            let end = try lines.add(frame, bytes, from: start, atMost: most)
            isInside = end < frame.events.count
            isFirst = false
            if frame.events.isEmpty {
                emptyFrames += 1
            } else {
                last = frame.first + (end - 1)
                emptyFrames = 0
            }
            return try body(&lines, last) && !isInside
        }
        return !isFirst
    }
}

/// Writes each key before the first event that it opens.
private struct KeyLines {
    let keys: PersonKeys
    private(set) var written: Set<UInt32>

    init(keys: PersonKeys, written: Set<UInt32>) {
        self.keys = keys
        self.written = written
    }

    mutating func line(before event: EventEnvelope, _ names: Names) throws -> [UInt8] {
        guard let slot = event.sealed?.slot, written.insert(slot).inserted,
            let key = try keys.key(in: slot)
        else { return [] }
        let person = PersonKeys.Name(event.type.product, event.metadata.subject, names)
        return Document(names: names) { ExportForm.write(key, of: person, to: &$0) }.bytes + [10]
    }
}
