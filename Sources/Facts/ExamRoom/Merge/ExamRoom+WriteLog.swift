package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// A copy of an event that wrote to an account, an exam, a seat or the policy: a merge reads it again
    /// (R41, R42, R44).
    package struct RecordedWrite: Record {
        package private(set) var type = ""
        private var version = 0
        private var payload = Blob([])
        private var personal: Blob?
        private var subject = InternedText.empty
        package private(set) var position = Position.zero
        private var at = Instant.epoch
        private var origin: Origin?
        private var device = DeviceID.none
        package private(set) var by = InternedText.empty
        /// The id of its command, on the device where the command was given.
        package private(set) var command = ""

        package init() {}

        init<P: Payload>(_ event: P, _ metadata: EventMetadata, _ names: Names) {
            var writer = BinaryWriter()
            event.write(to: &writer)
            type = P.type
            version = Int(P.version)
            payload = Blob(writer.bytes)
            let part = PersonalPart.of(event, names)
            personal = part.isEmpty ? nil : Blob(part)
            subject = InternedText(metadata.subject)
            position = metadata.position
            at = metadata.at
            origin = metadata.origin
            device = DeviceID(metadata.device)
            by = InternedText(metadata.actor)
            command = metadata.originalCommand
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("type", &type)
            coder.field("version", &version)
            coder.field("payload", &payload)
            coder.field("subject", &subject)
            coder.kept("personal", &personal, of: subject.symbol)
            coder.field("position", &position)
            coder.field("at", &at)
            coder.field("origin", &origin)
            coder.field("device", &device)
            coder.field("by", &by)
            coder.field("command", &command)
        }

        package var stamp: Stamp { Stamp(metadata) }
        package var moment: Instant { metadata.moment }
        package var writer: Symbol { metadata.writer }

        /// The device and the batch that brought it; nil for what was written in this journal.
        var batch: Pair<DeviceID, BatchID>? {
            origin.map { Pair(.init($0.device.symbol), .init($0.batch.symbol)) }
        }

        /// The event as a `P`; nil when it is of another type.
        package func read<P: Payload>(_ type: P.Type, _ names: Names) -> P? {
            guard self.type == P.type else { return nil }
            var reader = reader(names)
            return P.decode(version: UInt16(clamping: version), from: &reader)
        }

        /// Folds the event once more, into another state.
        func fold(into state: State) {
            var reader = reader(state.names)
            _ = State.routes.handler(of: type)?.fold(
                state, metadata, UInt16(clamping: version), &reader)
        }

        private func reader(_ names: Names) -> BinaryReader {
            BinaryReader(payload.bytes, personal: personal?.bytes ?? [], names: names)
        }

        private var metadata: EventMetadata {
            EventMetadata(
                position: position, at: at, actor: by.symbol, device: device.symbol, stream: .none,
                subject: .none, cause: .zero, command: CommandName(command), origin: origin)
        }
    }

    /// The writes to one thing, in the order of the journal.
    package struct WriteLog: Record {
        package var writes: [RecordedWrite] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("facts", &writes)
        }
    }
}
