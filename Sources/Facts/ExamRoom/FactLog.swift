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

        init<P: Payload>(_ fact: P, _ event: Circumstances, _ names: Names) {
            var writer = BinaryWriter()
            fact.write(to: &writer)
            type = P.type
            version = Int(P.version)
            payload = Blob(writer.bytes)
            let part = PersonalPart.of(fact, names)
            personal = part.isEmpty ? nil : Blob(part)
            subject = Word(event.subject)
            position = event.position
            at = event.at
            origin = event.origin
            device = DeviceID(event.device)
            by = Word(event.actor)
            command = event.originalCommand
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

        package var stamp: Stamp { Stamp(circumstances) }
        package var moment: Instant { circumstances.moment }
        package var writer: Symbol { circumstances.writer }

        /// The fact as a `P`; nil when it is of another type.
        package func fact<P: Payload>(_ type: P.Type, _ names: Names) -> P? {
            guard self.type == P.type else { return nil }
            var reader = reader(names)
            return P.decode(version: UInt16(clamping: version), from: &reader)
        }

        /// Folds the fact once more, into another room.
        func fold(into room: Room) {
            var reader = reader(room.names)
            _ = Room.routes.handler(of: type)?(
                room, circumstances, UInt16(clamping: version), &reader)
        }

        private func reader(_ names: Names) -> BinaryReader {
            BinaryReader(payload.bytes, personal: personal?.bytes ?? [], names: names)
        }

        private var circumstances: Circumstances {
            Circumstances(
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

extension Routes<ExamRoom.Room> {
    /// Folds events of type `P` with `handle`, and keeps them in the log of a thing.
    mutating func on<P: Payload, Key>(
        _ type: P.Type,
        logging table: @escaping @Sendable (ExamRoom.Room) -> Table<Key, ExamRoom.FactLog>,
        of key: @escaping @Sendable (P) -> Key,
        _ handle: @escaping @Sendable (ExamRoom.Room, P, Circumstances) -> Void
    ) {
        on(type) { room, fact, event in
            handle(room, fact, event)
            table(room).update(key(fact)) { $0.facts.append(.init(fact, event, room.names)) }
        }
    }

    /// The same for events on an exam's stream.
    mutating func onExam<P: Payload>(
        _ type: P.Type, of exam: @escaping @Sendable (P) -> ExamRoom.ExamID,
        _ handle: @escaping @Sendable (ExamRoom.Room, P, Circumstances) -> Void
    ) {
        on(type, logging: { $0.examLogs }, of: exam, handle)
    }
}

extension ExamRoom.Room {
    /// An exam and a student's seat at it as a device knew them (R42): made of the facts up to `seen`
    /// and of those that the device wrote, and of nothing else, so that R40 is applied among these
    /// alone. What the device deleted and a merge kept is gone; `kept` is what this one kept so far.
    package func known(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID?, to device: Symbol,
        through seen: Position, kept: [ExamRoom.ConflictSubject]
    ) -> ExamRoom.Room {
        let room = ExamRoom.Room(space: TableSpace(), names: names)
        let isKnown = { (fact: ExamRoom.LoggedFact) in
            fact.position <= seen || fact.writer == device
        }
        for fact in examLogs[exam]?.facts ?? [] where isKnown(fact) { fact.fold(into: room) }
        if let student {
            room.students.insert(.init(), at: student)
            for fact in seatLogs[.init(exam, student)]?.facts ?? [] where isKnown(fact) {
                fact.fold(into: room)
            }
        }
        let before = (keptDeletions[exam]?.entries ?? []).filter {
            $0.device.symbol == device && $0.position > seen
        }
        for subject in kept + before.map({ $0.subject(of: exam) }) {
            switch subject {
            case .question(exam, let question): room.remove(question, of: exam)
            case .exam(exam): room.delete(exam)
            case .exam, .question, .attempt: break
            }
        }
        return room
    }
}
