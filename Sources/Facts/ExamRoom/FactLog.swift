package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// A fact as it was told: what a merge must look at again (R41, R42, R44).
    package struct LoggedFact: Record {
        package private(set) var type = ""
        private var version = 0
        private var payload = Blob([])
        private var personal: Blob?
        private var subject = Word.empty
        package private(set) var position = Position.zero
        private var at = Instant.epoch
        private var origin: Origin?
        private var device = DeviceID.none
        package private(set) var by = Word.empty
        /// The id of the command that it came of, on the device where that was given.
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
            subject = Word(metadata.subject)
            position = metadata.position
            at = metadata.at
            origin = metadata.origin
            device = DeviceID(metadata.device)
            by = Word(metadata.actor)
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

        /// The fact as a `P`; nil when it is of another type.
        package func read<P: Payload>(_ type: P.Type, _ names: Names) -> P? {
            guard self.type == P.type else { return nil }
            var reader = reader(names)
            return P.decode(version: UInt16(clamping: version), from: &reader)
        }

        /// Folds the fact once more, into another room.
        func fold(into state: State) {
            var reader = reader(state.names)
            _ = State.routes.handler(of: type)?(
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

    /// The facts of one thing, in the order of the journal.
    package struct FactLog: Record {
        package var facts: [LoggedFact] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("facts", &facts)
        }
    }
}

extension Routes<ExamRoom.State> {
    /// Folds events of type `P` with `handle`, and keeps them in the log of a thing.
    mutating func on<P: Payload, Key>(
        _ type: P.Type,
        logging table: @escaping @Sendable (ExamRoom.State) -> Table<Key, ExamRoom.FactLog>,
        of key: @escaping @Sendable (P) -> Key,
        _ handle: @escaping @Sendable (ExamRoom.State, P, EventMetadata) -> Void
    ) {
        on(type) { state, event, metadata in
            handle(state, event, metadata)
            table(state).update(key(event)) { $0.facts.append(.init(event, metadata, state.names)) }
        }
    }

    /// The same for events on an exam's stream.
    mutating func onExam<P: Payload>(
        _ type: P.Type, of exam: @escaping @Sendable (P) -> ExamRoom.ExamID,
        _ handle: @escaping @Sendable (ExamRoom.State, P, EventMetadata) -> Void
    ) {
        on(type, logging: { $0.examLogs }, of: exam, handle)
    }
}

extension ExamRoom.State {
    /// An exam and a student's seat at it as a device knew them (R42): made of the facts up to `seen`
    /// and of those that the device wrote, and of nothing else, so that R40 is applied among these
    /// alone. What the device deleted and a merge kept is gone; `kept` is what this one kept so far.
    package func known(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID?, to device: Symbol,
        through seen: Position, kept: [ExamRoom.ConflictSubject]
    ) -> ExamRoom.State {
        let state = ExamRoom.State(space: TableSpace(), names: names)
        let isKnown = { (event: ExamRoom.LoggedFact) in
            event.position <= seen || event.writer == device
        }
        for event in examLogs[exam]?.facts ?? [] where isKnown(event) { event.fold(into: state) }
        if let student {
            state.students.insert(.init(), at: student)
            for event in seatLogs[.init(exam, student)]?.facts ?? [] where isKnown(event) {
                event.fold(into: state)
            }
        }
        let before = (keptDeletions[exam]?.entries ?? []).filter {
            $0.device.symbol == device && $0.position > seen
        }
        for subject in kept + before.map({ $0.subject(of: exam) }) {
            switch subject {
            case .question(exam, let question): state.remove(question, of: exam)
            case .exam(exam): state.delete(exam)
            case .exam, .question, .attempt: break
            }
        }
        return state
    }
}
