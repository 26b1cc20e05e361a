import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Which students are there, and how far are they? Active ones by id.
    static let studentsView = ReadModel<State>(
        "examroom.students", "Which students are there, and how far are they?",
        arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let students = state.sorted(state.activeStudents)
        output.object { output in
            page.write(total: students.count, to: &output)
            output.array("students", students[page.range(of: students.count)]) { output, student in
                let account = state.accounts[.init(student)]
                let row = state.students[student]
                output.object { output in
                    output.member("attempts", row?.counting ?? 0)
                    output.member("averagePercent", row?.averagePercent)
                    output.member("completed", row?.completed ?? 0)
                    output.member("email", account?.email)
                    output.member("name", account?.name)
                    output.member("student", student)
                }
            }
        }
        return true
    }
}
