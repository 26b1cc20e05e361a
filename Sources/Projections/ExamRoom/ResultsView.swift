import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who scored what? Never hidden from admins.
    static let resultsView = ReadModel<State>(
        "examroom.results", "Who scored what?", key: "exam", arguments: ["page"],
        keys: { $0.texts($0.exams.allKeys) }, basis: .on(Grounds.examLife)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let exam: ExamID = state.id(request.key), state.exams.contains(exam) else {
            return false
        }
        let attempts = state.countingAttempts(at: exam)
        output.object { output in
            output.member("exam", exam)
            page.write(total: attempts.count, to: &output)
            output.array("results", attempts[page.range(of: attempts.count)]) { output, attempt in
                let line = ResultLine(attempt, state)
                output.object { line.write(to: &$0) }
            }
            output.member(
                "resultsPublished", state.exams.read(exam) { $0.areResultsPublished } ?? false)
        }
        return true
    }
}

/// One line of an exam's results, as shown and as exported (R34).
struct ResultLine {
    let attempt: ExamRoom.AttemptID
    let row: ExamRoom.AttemptRow
    let number: Int
    /// Null once erased.
    let name: String?

    init(_ attempt: ExamRoom.AttemptID, _ state: ExamRoom.State) {
        self.attempt = attempt
        row = state.attempts[attempt] ?? ExamRoom.AttemptRow()
        number = state.number(of: attempt, row)
        name = state.accounts.read(.init(row.student)) { $0.name } ?? nil
    }

    func write(to output: inout JSONOutput) {
        output.member("attempt", attempt)
        output.member("closedAt", row.closing?.closedAt)
        output.member("extended", row.extra != nil)
        output.member("how", row.closing?.how)
        output.member("maxScore", row.maxScore)
        output.member("modified", row.grade != nil)
        output.member("name", name)
        output.member("number", number)
        output.member("passed", row.isPassed)
        output.member("percent", row.percent)
        output.member("score", row.score)
        output.member("startedAt", row.startedAt)
        output.member("state", ExamRoom.AttemptState(row))
        output.member("student", row.student)
    }
}

extension ExamRoom.State {
    /// Attempts that count (R24), newest first, then by id.
    func countingAttempts(at exam: ExamRoom.ExamID) -> [ExamRoom.AttemptID] {
        newestFirst(attemptsAt(exam).filter { attempts.read($0) { $0.counts } ?? false })
    }
}
