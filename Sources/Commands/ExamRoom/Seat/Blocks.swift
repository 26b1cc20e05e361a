import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Keeps a student from starting the exam; an attempt in progress goes on (R15, 13.2).
    struct BlockStudent: Command {
        static let type = "examroom.student.block"
        var exam = ExamID.none
        var student = StudentID.none
        var reason: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.optional("reason", &reason)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if try context.state.seat(exam, student).isBlocked { throw .alreadyBlocked }
            context.record(
                Seat.Blocked(exam: exam, student: student, reason: reason),
                on: context.seatStream(exam, student))
        }
    }

    /// Lifts a block.
    struct UnblockStudent: Command {
        static let type = "examroom.student.unblock"
        var exam = ExamID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if try !context.state.seat(exam, student).isBlocked { throw .notBlocked }
            context.record(
                Seat.Unblocked(exam: exam, student: student), on: context.seatStream(exam, student))
        }
    }
}

extension ExamRoom.State {
    /// A student's seat at an exam; `not-found` covers the exam, deleted too, and the student.
    func seat(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID
    ) throws(ExamRoom.Rejection) -> ExamRoom.SeatRow {
        _ = try self.exam(exam)
        guard accounts[.init(student)]?.isActiveStudent == true else { throw .notFound }
        return seats[.init(exam, student)] ?? .init()
    }

    /// R20: under `refuse`, extra time stands once the student has started the exam.
    func checkChangeable(_ seat: ExamRoom.SeatRow) throws(ExamRoom.Rejection) {
        guard policy.extensionAfterStart == .refuse else { return }
        let isStarted = standingAttempts(of: seat).contains {
            attempts.read($0) { !$0.isImported } ?? false
        }
        if isStarted { throw .attemptStarted }
    }

    /// 22.2, 22.3: the extra time that may be granted.
    func checkOffered(_ granted: ExamRoom.Seat.Extension) throws(ExamRoom.Rejection) {
        let offered =
            switch granted.kind {
            case .percent: policy.extensionPercents
            case .minutes: policy.extensionMinutes
            }
        if !offered.contains(granted.value) { throw .valueNotOffered }
    }
}
