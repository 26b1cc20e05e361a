import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Grants extra time, one extension a seat (R20, 22.1).
    struct GrantExtension: Command {
        static let type = "examroom.extension.grant"
        var exam = ExamID.none
        var student = StudentID.none
        var granted = ExtraTime()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.find(seatOf: student, at: exam)
            try context.checkOffered(granted)
            if seat.granted != nil { throw .extensionExists }
            try context.checkChangeable(seat)
            context.record(
                Extension.Granted(exam: exam, student: student, granted: granted, request: nil),
                on: context.seatStream(exam, student))
        }
    }

    /// Changes extra time for later attempts (22.10).
    struct ModifyExtension: Command {
        static let type = "examroom.extension.modify"
        var exam = ExamID.none
        var student = StudentID.none
        var granted = ExtraTime()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.find(seatOf: student, at: exam)
            try context.checkOffered(granted)
            guard let present = seat.granted else { throw .noExtension }
            try context.checkChangeable(seat)
            if granted == present { throw .nothingToChange }
            context.record(
                Extension.Modified(
                    exam: exam, student: student, from: present, to: granted, request: nil),
                on: context.seatStream(exam, student))
        }
    }

    /// Revokes extra time for later attempts (22.11).
    struct RevokeExtension: SeatCommand {
        static let type = "examroom.extension.revoke"
        var exam = ExamID.none
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.find(seatOf: student, at: exam)
            guard let present = seat.granted else { throw .noExtension }
            try context.checkChangeable(seat)
            context.record(
                Extension.Revoked(exam: exam, student: student, revoked: present),
                on: context.seatStream(exam, student))
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// `attempt-started` under the policy `refuse`, once the student has started the exam (R20).
    func checkChangeable(_ seat: ExamRoom.SeatRow) throws(ExamRoom.Rejection) {
        guard state.policy.extensionAfterStart == .refuse else { return }
        let isStarted = state.usedAttempts(of: seat).contains {
            state.attempts.read($0) { !$0.isImported } ?? false
        }
        try check(!isStarted, else: .attemptStarted)
    }

    /// `value-not-offered` for extra time that the policy does not list (22.2, 22.3).
    func checkOffered(_ granted: ExamRoom.ExtraTime) throws(ExamRoom.Rejection) {
        let offered =
            switch granted.kind {
            case .percent: state.policy.extensionPercents
            case .minutes: state.policy.extensionMinutes
            }
        try check(offered.contains(granted.value), else: .valueNotOffered) {
            [
                ("offered", offered.map { "\($0)" }.joined(separator: ", ")),
                ("value", "\(granted.value)"),
            ]
        }
    }
}
