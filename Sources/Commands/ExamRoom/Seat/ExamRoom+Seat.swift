import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Blocks a student from starting the exam; an attempt in progress goes on (R15, 13.2).
    struct BlockStudent: Command {
        static let type = "examroom.student.block"
        var exam = ExamID.none
        var student = StudentID.none
        var reason: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.optionalText("reason", &reason)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if try context.find(seatOf: student, at: exam).isBlocked { throw .alreadyBlocked }
            context.record(
                Seat.Blocked(exam: exam, student: student, reason: reason),
                on: context.seatStream(exam, student))
        }
    }

    /// Lifts a block (R15).
    struct UnblockStudent: SeatCommand {
        static let type = "examroom.student.unblock"
        var exam = ExamID.none
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            if try !context.find(seatOf: student, at: exam).isBlocked { throw .notBlocked }
            context.record(
                Seat.Unblocked(exam: exam, student: student), on: context.seatStream(exam, student))
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// The stream of a student's seat at an exam.
    func seatStream(_ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID) -> String {
        "examroom/seat/\(names.text(exam))/\(names.text(student))"
    }
}
