import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
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
