import EventLog
import Core

/// Where one command's events end and the next one's begin.
enum CommandBoundary {
    /// The last event, up to a position, that is the last one of its command: what is folded behind it continues none. Zero where
    /// there is none. Between the events of a command stand those of timers.
    static func last(upTo position: Position, _ snapshot: JournalSnapshot) throws -> Position {
        var next: [UInt8]?
        var found = Position.zero
        try snapshot.forEachEvent(through: position, reversed: true) { event, body in
            let name = Array(CommandName(body, event.commandID).text.utf8)
            if name.isEmpty { return true }
            if let next, next != name {
                found = event.position
                return false
            }
            next = name
            return true
        }
        return found
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
