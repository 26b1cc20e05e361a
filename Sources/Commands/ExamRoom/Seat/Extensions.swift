package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Grants extra time, one extension a seat (R20, 22.1).
    package struct GrantExtension: Command {
        package static let type = "examroom.extension.grant"
        var exam = ExamID.none
        var student = StudentID.none
        var granted = Seat.Extension()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let seat = try scene.state.seat(exam, student)
            try scene.state.checkOffered(granted)
            if seat.granted != nil { throw .extensionExists }
            try scene.state.checkChangeable(seat)
            scene.record(
                Seat.ExtensionGranted(exam: exam, student: student, granted: granted, request: nil),
                on: scene.seatStream(exam, student))
        }
    }

    /// Changes extra time for later attempts (22.10).
    package struct ModifyExtension: Command {
        package static let type = "examroom.extension.modify"
        var exam = ExamID.none
        var student = StudentID.none
        var granted = Seat.Extension()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            granted.fields(&coder)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let seat = try scene.state.seat(exam, student)
            try scene.state.checkOffered(granted)
            guard let present = seat.granted else { throw .noExtension }
            try scene.state.checkChangeable(seat)
            if granted == present { throw .nothingToChange }
            scene.record(
                Seat.ExtensionModified(
                    exam: exam, student: student, from: present, to: granted, request: nil),
                on: scene.seatStream(exam, student))
        }
    }

    /// Takes extra time away from later attempts (22.11).
    package struct RevokeExtension: Command {
        package static let type = "examroom.extension.revoke"
        var exam = ExamID.none
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let seat = try scene.state.seat(exam, student)
            guard let present = seat.granted else { throw .noExtension }
            try scene.state.checkChangeable(seat)
            scene.record(
                Seat.ExtensionRevoked(exam: exam, student: student, revoked: present),
                on: scene.seatStream(exam, student))
        }
    }
}
