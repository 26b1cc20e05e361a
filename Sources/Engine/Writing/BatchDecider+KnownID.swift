import Commands
import Core
import EventLog
import Folding

/// What is answered to an id that came before.
extension BatchDecider {
    /// `duplicate` or `id-reused`; nil for an id that no accepted command used.
    func answerToKnownID(_ command: CommandEnvelope) throws -> Outcome? {
        let device =
            command.device.map { session.names.known($0) ?? Symbol(number: .max) } ?? .none
        if let first = pending.accepted[ExactText(command.id)] {
            let isOfErased = pending.isOfErased(first, session)
            guard first.device == device, isOfErased || first.digest == command.digest else {
                return reused(command)
            }
            let events = isOfErased ? hidingErased(first) : first.events.suffix(first.own.count)
            return writer.accepted(command.id, Array(events), isDuplicate: true)
        }
        guard let entry = try snapshot.command(Array(command.id.utf8)) else { return nil }
        guard entry.device == device,
            try CommandMemory(session.persons.keys, snapshot).says(entry, command.digest)
        else { return reused(command) }
        let positions = (0..<Int(entry.count)).map { entry.first + $0 }
        var events: [ListedEvent] = []
        try snapshot.forEachEvent(at: positions) { event, body in
            guard let type = session.types[event.type] else { return true }
            events.append(
                writer.event(
                    EventEnvelope(event, body, type, opener: session.opener)))
            return true
        }
        return writer.accepted(command.id, events, isDuplicate: true)
    }

    /// Its events as they read since somebody whom they name was erased.
    private func hidingErased(_ command: PendingCommand) -> ArraySlice<ListedEvent> {
        pending.events[command.own].map { event in
            writer.event(session.hides(event) ? event.hidingPersonal : event)
        }[...]
    }

    private func reused(_ command: CommandEnvelope) -> Outcome {
        writer.rejected(
            command.id, code: "id-reused", message: "This id came before with other content.",
            messageAr: messageAr("id-reused", command.command))
    }
}
