import Core
import Folding
import LearnableEvents
import LearnableFacts
import Testing

/// Handlers do not have to think of reminders: the route of every event that carries a student moves them.
@Suite struct `Events that carry a student` {
    private let names = Names()

    private func fold<P: Payload>(_ type: P.Type, into state: Learnable.State, at: Instant) {
        var writer = BinaryWriter()
        P().write(to: &writer)
        var reader = BinaryReader(writer.bytes, personal: [], names: names)
        let metadata = EventMetadata(
            position: Position(1), at: at, actor: .none, device: .none, stream: .none,
            subject: .none, cause: .zero)
        let isFolded = Learnable.State.routes.handler(of: P.type)?.fold(
            state, metadata, P.version, &reader)
        #expect(isFolded == true, "\(P.type)")
    }

    @Test("R44: the student's latest event is noted with each of them, whatever its handler does")
    func moveReminders() {
        let first = Instant(seconds: 1_727_740_800)
        var checked = 0
        for type in Learnable.payloads {
            guard type.payload is any Learnable.StudentEvent.Type else { continue }
            let state = Learnable.State(space: TableSpace(), names: names)
            fold(Learnable.Student.Joined.self, into: state, at: first)
            fold(type.payload, into: state, at: first + 60)
            #expect(state.students[.none]?.latest == first + 60, "\(type.name)")
            checked += 1
        }
        #expect(checked >= 65)
    }
}
