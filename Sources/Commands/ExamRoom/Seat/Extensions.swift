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
        var granted = Seat.Extension()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.state.seat(exam, student)
            try context.state.checkOffered(granted)
            if seat.granted != nil { throw .extensionExists }
            try context.state.checkChangeable(seat)
            context.record(
                Seat.ExtensionGranted(exam: exam, student: student, granted: granted, request: nil),
                on: context.seatStream(exam, student))
        }
    }

    /// Changes extra time for later attempts (22.10).
    struct ModifyExtension: Command {
        static let type = "examroom.extension.modify"
        var exam = ExamID.none
        var student = StudentID.none
        var granted = Seat.Extension()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.state.seat(exam, student)
            try context.state.checkOffered(granted)
            guard let present = seat.granted else { throw .noExtension }
            try context.state.checkChangeable(seat)
            if granted == present { throw .nothingToChange }
            context.record(
                Seat.ExtensionModified(
                    exam: exam, student: student, from: present, to: granted, request: nil),
                on: context.seatStream(exam, student))
        }
    }

    /// Takes extra time away from later attempts (22.11).
    struct RevokeExtension: Command {
        static let type = "examroom.extension.revoke"
        var exam = ExamID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.state.seat(exam, student)
            guard let present = seat.granted else { throw .noExtension }
            try context.state.checkChangeable(seat)
            context.record(
                Seat.ExtensionRevoked(exam: exam, student: student, revoked: present),
                on: context.seatStream(exam, student))
        }
    }
}
