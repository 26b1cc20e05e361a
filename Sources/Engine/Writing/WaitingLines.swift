import Core

/// Lines of an export that may stand in either of two frames, until one comes that says in which: events that seal nothing,
/// and the commands that recorded no other ones.
struct WaitingLines {
    enum Line {
        case event(EventLine)
        case command(CommandRecord)
    }

    private var lines: [(place: LinePlace, line: Line)] = []
    /// Of the first event.
    private var position = Position.zero
    /// Of all of them; nil while there are none.
    private(set) var recordedAt: Instant?

    /// Bytes of all of them as they were read.
    private var bytes = 0

    /// At a command behind so many, or so many bytes, no more are kept.
    private static let most = 16_384
    private static let mostBytes = 16 << 20

    mutating func add(_ line: EventLine, _ place: LinePlace, bytes count: Int) {
        bytes += count
        if lines.isEmpty { (position, recordedAt) = (line.position, line.recordedAt) }
        lines.append((place, .event(line)))
    }

    /// Keeps a command's line if all of its events wait, too. Whether it was a merge that brought it, and goes on behind it,
    /// only later lines say.
    mutating func takes(_ line: CommandRecord, _ place: LinePlace, bytes count: Int) -> Bool {
        guard recordedAt == line.recordedAt, line.first >= position, lines.count < Self.most,
            bytes < Self.mostBytes
        else { return false }
        bytes += count
        lines.append((place, .command(line)))
        return true
    }

    mutating func takeAll() -> [(place: LinePlace, line: Line)] {
        defer { self = WaitingLines() }
        return lines
    }
}
