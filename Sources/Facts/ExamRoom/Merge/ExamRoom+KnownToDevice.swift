package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom.State {
    /// An exam and a student's seat at it as a device knew them (R42): folded from the events up to `seen`
    /// and those that the device wrote, so that registers are decided among these alone (R40). What the
    /// device deleted and a merge kept is gone; `kept` is what this merge kept so far.
    package func known(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID?, to device: Symbol,
        through seen: Position, kept: [ExamRoom.ConflictSubject]
    ) -> ExamRoom.State {
        let state = ExamRoom.State(space: TableSpace(), names: names)
        let isKnown = { (event: ExamRoom.RecordedWrite) in
            event.position <= seen || event.writer == device
        }
        for event in examLogs[exam]?.writes ?? [] where isKnown(event) { event.fold(into: state) }
        if let student {
            state.students.insert(.init(), at: student)
            for event in seatLogs[.init(exam, student)]?.writes ?? [] where isKnown(event) {
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
