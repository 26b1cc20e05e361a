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
        let found = state.seats(at: exam, of: student).filter { _, seat in seat.granted != nil }
            .map { key, seat in
                (key: key, seat: seat, exam: state.text(key.first), student: state.text(key.second))
            }
            .sorted { left, right in
                left.key.first == right.key.first
                    ? left.student.precedes(right.student) : left.exam.precedes(right.exam)
            }
        output.object { output in
            output.array("extensions", found[page.range(of: found.count)]) { output, entry in
                output.object { output in
                    output.member("exam", entry.exam)
                    output.member("grantedAt", entry.seat.grantedAt)
                    output.member("kind", entry.seat.granted?.kind)
                    output.member("request", entry.seat.request)
                    output.member("started", !state.usedAttempts(of: entry.seat).isEmpty)
                    output.member("student", entry.student)
                    output.member("value", entry.seat.granted?.value)
                }
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }
}
