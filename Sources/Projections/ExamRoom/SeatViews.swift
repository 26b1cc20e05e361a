import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who has extra time? At exams not deleted, for active students, by exam, then student.
    static let extensionsView = ReadModel<State>(
        "examroom.extensions", "Who has extra time?", arguments: ["exam", "page", "student"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let exam = try request.idText("exam")
        let student = try request.idText("student")
        let standing = state.seats(at: exam, of: student).filter { _, seat in seat.granted != nil }
            .map { key, seat in
                (key: key, seat: seat, exam: state.text(key.first), student: state.text(key.second))
            }
            .sorted { left, right in
                left.key.first == right.key.first
                    ? left.student.precedes(right.student) : left.exam.precedes(right.exam)
            }
        output.object { output in
            output.array("extensions", standing[page.range(of: standing.count)]) { output, entry in
                output.object { output in
                    output.member("exam", entry.exam)
                    output.member("grantedAt", entry.seat.grantedAt)
                    output.member("kind", entry.seat.granted?.kind)
                    output.member("request", entry.seat.request)
                    output.member("started", !state.standingAttempts(of: entry.seat).isEmpty)
                    output.member("student", entry.student)
                    output.member("value", entry.seat.granted?.value)
                }
            }
            page.write(total: standing.count, to: &output)
        }
        return true
    }

    /// Which requests are there? Of active students, newest first, then by id; those at deleted
    /// exams too.
    static let accommodationsView = ReadModel<State>(
        "examroom.accommodations", "Which requests are there?",
        arguments: ["exam", "page", "state", "student"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let wanted = try request.choice("state", RequestRow.State.self)
        let exam = try request.idText("exam")
        let student = try request.idText("student")
        var found = state.requests(at: exam, of: student)
        if let wanted { found.removeAll { $0.row.state != wanted } }
        found.sort { left, right in
            left.row.requestedAt == right.row.requestedAt
                ? state.precedes(left.id, right.id) : left.row.requestedAt > right.row.requestedAt
        }
        output.object { output in
            page.write(total: found.count, to: &output)
            output.array("requests", found[page.range(of: found.count)]) { output, request in
                output.object { write(request.id, request.row, to: &$0) }
            }
        }
        return true
    }

    private static func write(
        _ request: RequestID, _ row: RequestRow, to output: inout JSONOutput
    ) {
        output.member("decidedAt", row.decidedAt)
        output.member("decidedBy", row.decidedBy)
        output.member("exam", row.exam)
        output.member("granted", row.granted)
        output.member("justification", row.justification)
        output.member("kind", row.asked.kind)
        output.member("reason", row.reason)
        output.member("request", request)
        output.member("requestedAt", row.requestedAt)
        output.member("state", row.state)
        output.member("student", row.student)
        output.member("value", row.asked.value)
    }
}

extension ExamRoom.State {
    /// Seats of active students at exams not deleted; with a student only theirs are read.
    fileprivate func seats(
        at exam: String?, of student: String?
    ) -> [(ExamRoom.SeatKey, ExamRoom.SeatRow)] {
        let wanted: ExamRoom.ExamID? = exam.flatMap { id($0) }
        if exam != nil, wanted == nil { return [] }
        var found: [(ExamRoom.SeatKey, ExamRoom.SeatRow)] = []
        if let student {
            guard let student = activeStudent(student) else { return [] }
            found = seats(of: student).map { (.init($0.exam, student), $0.row) }
        } else {
            seats.forEach { key, row in
                if isActiveStudent(key.second) { found.append((key, row)) }
            }
        }
        return found.filter { key, _ in
            (wanted == nil || key.first == wanted) && !isDeleted(key.first)
        }
    }

    fileprivate func requests(
        at exam: String?, of student: String?
    ) -> [(id: ExamRoom.RequestID, row: ExamRoom.RequestRow)] {
        let wanted: ExamRoom.ExamID? = exam.flatMap { id($0) }
        if exam != nil, wanted == nil { return [] }
        var found: [(id: ExamRoom.RequestID, row: ExamRoom.RequestRow)] = []
        if let student {
            guard let student = activeStudent(student) else { return [] }
            for request in seats(of: student).flatMap(\.row.requests) {
                if let row = requests[request] { found.append((request, row)) }
            }
        } else {
            requests.forEach { id, row in
                if isActiveStudent(row.student) { found.append((id, row)) }
            }
        }
        return found.filter { wanted == nil || $0.row.exam == wanted }
    }
}
