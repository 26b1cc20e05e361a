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

    /// At a command behind so many no more are kept.
    private static let most = 16_384

    mutating func add(_ line: EventLine, _ place: LinePlace) {
        if lines.isEmpty { (position, recordedAt) = (line.position, line.recordedAt) }
        lines.append((place, .event(line)))
    }

    /// Keeps a command's line if all of its events wait, too. Whether it was a merge that brought it, and goes on behind it,
    /// only later lines say.
    mutating func takes(_ line: CommandRecord, _ place: LinePlace) -> Bool {
        guard recordedAt == line.recordedAt, line.first >= position, lines.count < Self.most
        else { return false }
        lines.append((place, .command(line)))
        return true
    }

    mutating func takeAll() -> [(place: LinePlace, line: Line)] {
        defer { self = WaitingLines() }
        return lines
    }
}
