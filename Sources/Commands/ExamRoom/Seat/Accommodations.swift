package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// A student asks for extra time; every admin is told (22.13, 22.14).
    package struct RequestAccommodation: Command {
        package static let type = "examroom.accommodation.request"
        var request = RequestID.none
        var exam = ExamID.none
        var student = StudentID.none
        var asked = Seat.Extension()
        var justification = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("request", &request)
            coder.field("exam", &exam)
            coder.field("student", &student)
            asked.fields(&coder)
            coder.field("justification", &justification)
        }

        package func who(in room: Room) -> Who { .student(student) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let seat = try room.seat(exam, student)
            try check(against: room)
            if seat.requests.contains(where: { room.requests[$0]?.state == .pending }) {
                throw .requestPending
            }
            try record(in: scene)
        }

        func check(against room: Room) throws(Rejection) {
            try room.checkOffered(asked)
            if justification.isBlank { throw .justificationMissing }
            if justification.scalarCount > room.policy.maxJustificationLength {
                throw .justificationTooLong
            }
        }

        func record(in scene: Scene<Room>) throws(Rejection) {
            if scene.state.requests.contains(request) { throw .alreadyExists }
            scene.record(
                Accommodation.Requested(
                    request: request, exam: exam, student: student, asked: asked,
                    justification: justification),
                on: scene.requestStream(request))
            scene.notifyAdmins(
                .accommodationRequested,
                [
                    ("request", scene.json(request)), ("exam", scene.json(exam)),
                    ("student", scene.json(student)),
                ],
                link: "examroom://accommodations/\(scene.names.text(request))")
        }
    }

    /// An admin grants what was asked for, or something else (22.15, 22.16).
    package struct ApproveAccommodation: Command {
        package static let type = "examroom.accommodation.approve"
        var request = RequestID.none
        var kind: Seat.Kind?
        var value: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("request", &request)
            coder.optional("kind", &kind)
            coder.optional("value", &value)
        }

        package func problem(_ names: Names) -> String? {
            (kind == nil) == (value == nil)
                ? nil : "expected both \"kind\" and \"value\", or neither"
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let (row, seat) = try room.request(request)
            if row.state != .pending { throw .requestDecided }
            var granted = row.asked
            if let kind, let value { granted = Seat.Extension(kind: kind, value: value) }
            try room.checkOffered(granted)
            try room.checkChangeable(seat)
            scene.record(
                Accommodation.Approved(
                    request: request, exam: row.exam, student: row.student, granted: granted),
                on: scene.requestStream(request))
            let stream = scene.seatStream(row.exam, row.student)
            // The extension of an approval writes its register too (R40).
            let superseded = scene.superseded(
                [ExamRoom.Register.extraTime], of: seat.holders, first: nil)
            if let present = seat.granted {
                if present != granted {
                    scene.record(
                        Seat.ExtensionModified(
                            exam: row.exam, student: row.student, from: present, to: granted,
                            request: request),
                        on: stream, superseded: superseded)
                }
            } else {
                scene.record(
                    Seat.ExtensionGranted(
                        exam: row.exam, student: row.student, granted: granted, request: request),
                    on: stream, superseded: superseded)
            }
            scene.notifyDecision(of: request, row, isApproved: true)
        }
    }

    /// An admin denies a request.
    package struct DenyAccommodation: Command {
        package static let type = "examroom.accommodation.deny"
        var request = RequestID.none
        var reason: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("request", &request)
            coder.optional("reason", &reason)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let (row, _) = try scene.state.request(request)
            if row.state != .pending { throw .requestDecided }
            scene.record(
                Accommodation.Denied(
                    request: request, exam: row.exam, student: row.student, reason: reason),
                on: scene.requestStream(request))
            scene.notifyDecision(of: request, row, isApproved: false)
        }
    }
}

extension ExamRoom.Room {
    /// A request with its seat; `not-found` covers its exam and its student too.
    fileprivate func request(
        _ id: ExamRoom.RequestID
    ) throws(ExamRoom.Rejection) -> (ExamRoom.RequestRow, ExamRoom.SeatRow) {
        guard let row = requests[id] else { throw .notFound }
        return (row, try seat(row.exam, row.student))
    }
}

extension Scene<ExamRoom.Room> {
    fileprivate func notifyDecision(
        of request: ExamRoom.RequestID, _ row: ExamRoom.RequestRow, isApproved: Bool
    ) {
        notify(
            .init(row.student), .accommodationDecided,
            [
                ("request", json(request)), ("exam", json(row.exam)),
                ("approved", .bool(isApproved)),
            ],
            link: "examroom://exams/\(names.text(row.exam))")
    }
}
