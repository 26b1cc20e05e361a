import EventLog
import Core

/// Where one command's events end and the next one's begin: the clock has come that far there.
struct CommandBoundary {
    private var at = Instant(milliseconds: .min)
    private var command: Int?

    /// The last position, up to this one, behind which a command begins: from there on a fold begins with what one command did.
    ///
    /// - Parameter least: no earlier one is looked for; it is the answer where none is found.
    static func last(
        upTo position: Position, from least: Position, _ snapshot: JournalSnapshot
    ) throws -> Position {
        var next: (at: Instant, command: Int?)?
        var found = least
        try snapshot.forEachEvent(
            from: least + 1, through: min(position + 1, snapshot.head.position), reversed: true
        ) { event, _ in
            if let next, next.at != event.at || next.command != event.command {
                found = event.position
                return false
            }
            next = (event.at, event.command)
            return true
        }
        return found
    }

    mutating func isCrossed(by event: EventRecord) -> Bool {
        defer {
            at = event.at
            command = event.command
        }
        return event.at != at || event.command != command
    }
}

extension EventMetadata {
    /// To be filled with each event.
    static var nowhere: EventMetadata {
        EventMetadata(
            position: .zero, at: .epoch, actor: .none, device: .none, stream: .none,
            subject: .none, cause: .zero)
    }

    /// Takes the origin off the payload, if there is one.
    init(_ event: EventRecord, _ body: [UInt8], _ payload: inout BinaryReader) {
        self.init(
            position: event.position, at: event.at, actor: event.actor, device: event.device,
            stream: event.stream, subject: event.subject, cause: event.cause,
            command: CommandName(body, event.commandID),
            origin: Origin.read(from: &payload, flags: event.flags))
    }

    mutating func become(
        _ event: EventRecord, _ body: [UInt8], _ payload: inout BinaryReader
    ) {
        become(
            position: event.position, at: event.at, actor: event.actor, device: event.device,
            stream: event.stream, subject: event.subject, cause: event.cause,
            command: CommandName(body, event.commandID),
            origin: Origin.read(from: &payload, flags: event.flags))
    }
}
