import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// A student asks for extra time; every admin is notified (22.13, 22.14).
    struct RequestAccommodation: Command {
        static let type = "examroom.accommodation.request"
        var request = RequestID.none
        var exam = ExamID.none
        var student = StudentID.none
        var asked = ExtraTime()
        var justification = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("request", &request)
            coder.field("exam", &exam)
            coder.field("student", &student)
            asked.fields(&coder)
            coder.text("justification", &justification)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let seat = try context.find(seatOf: student, at: exam)
            try checkContent(in: context)
            if seat.requests.contains(where: { context.state.requests[$0]?.state == .pending }) {
                throw .requestPending
            }
            try record(in: context)
        }

        func checkContent(in context: Context) throws(Rejection) {
            try context.checkOffered(asked)
            if justification.isBlank { throw .justificationMissing }
            if justification.scalarCount > context.state.policy.maxJustificationLength {
                throw .justificationTooLong
            }
        }

        func record(in context: Context) throws(Rejection) {
            try context.checkIsFree(request, unless: context.state.requests.contains(request))
            context.record(
                Accommodation.Requested(
                    request: request, exam: exam, student: student, asked: asked,
                    justification: justification),
                on: request)
            context.notifyAdmins(
                .accommodationRequested,
                [
                    ("request", context.json(request)), ("exam", context.json(exam)),
                    ("student", context.json(student)),
                ],
                link: "examroom://accommodations/\(context.names.text(request))")
        }
    }

    /// An admin grants what was asked for, or something else (22.15, 22.16).
    struct ApproveAccommodation: Command {
        static let type = "examroom.accommodation.approve"
        var request = RequestID.none
        var kind: Extension.Kind?
        var value: Int?

        func problem(_ names: Names) -> String? {
            (kind == nil) == (value == nil)
                ? nil : "expected both \"kind\" and \"value\", or neither"
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let (row, seat) = try context.find(request)
            if row.state != .pending { throw .requestDecided }
            var granted = row.asked
            if let kind, let value { granted = ExtraTime(kind: kind, value: value) }
            try context.checkOffered(granted)
            try context.checkChangeable(seat)
            context.record(
                Accommodation.Approved(
                    request: request, exam: row.exam, student: row.student, granted: granted),
                on: request)
            let stream = context.seatStream(row.exam, row.student)
            // The extension of an approval writes its register too (R40).
            let superseded = context.superseded(
                [ExamRoom.Register.extraTime], of: seat.holders, first: nil)
            if let present = seat.granted {
                if present != granted {
                    context.record(
                        Extension.Modified(
                            exam: row.exam, student: row.student, from: present, to: granted,
                            request: request),
                        on: stream, superseded: superseded)
                }
            } else {
                context.record(
                    Extension.Granted(
                        exam: row.exam, student: row.student, granted: granted, request: request),
                    on: stream, superseded: superseded)
            }
            context.notifyDecision(of: request, row, isApproved: true)
        }
    }

    /// An admin denies a request.
    struct DenyAccommodation: Command {
        static let type = "examroom.accommodation.deny"
        var request = RequestID.none
        var reason: String?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let (row, _) = try context.find(request)
            if row.state != .pending { throw .requestDecided }
            context.record(
                Accommodation.Denied(
                    request: request, exam: row.exam, student: row.student, reason: reason),
                on: request)
            context.notifyDecision(of: request, row, isApproved: false)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// The student learns of the decision.
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
