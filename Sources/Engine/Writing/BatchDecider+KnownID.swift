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
            guard isOfErased || first.device == device && first.digest == command.digest else {
                return reused(command)
            }
            let events = isOfErased ? hidingErased(first) : first.events.suffix(first.own.count)
            return writer.accepted(command.id, Array(events), isDuplicate: true)
        }
        guard let entry = try snapshot.command(Array(command.id.utf8)) else { return nil }
        switch try CommandMemory(session, snapshot).says(entry, command.digest) {
        case .untold: break
        case .same where entry.device == device: break
        case .same, .other: return reused(command)
        }
        var events: [ListedEvent] = []
        try snapshot.forEachEvent(at: entry.positions) { event, body in
            guard let type = session.types[event.type] else { return true }
            events.append(listed(EventEnvelope(event, body, type, opener: session.opener)))
            return true
        }
        return writer.accepted(command.id, events, isDuplicate: true)
    }

    /// Its events as they read since somebody whom they name was erased.
    private func hidingErased(_ command: PendingCommand) -> ArraySlice<ListedEvent> {
        pending.events[command.own].map(listed)[...]
    }

    /// The erasure may stand in this batch: the key is there until it is durable.
    private func listed(_ event: EventEnvelope) -> ListedEvent {
        writer.event(session.hides(event) ? event.hidingPersonal : event)
    }

    private func reused(_ command: CommandEnvelope) -> Outcome {
        writer.rejected(
            command.id, code: "id-reused", message: "This id came before with other content.",
            messageAr: messageAr("id-reused", command.command))
    }
}
