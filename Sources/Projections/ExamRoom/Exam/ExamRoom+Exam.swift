import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// The state of an exam: archived before published before draft (page, `examroom.exam`).
    enum ExamState: String, Choice {
        case draft, published, archived

        init(_ row: borrowing ExamRow) {
            self = row.isArchived ? .archived : row.isPublished ? .published : .draft
        }
    }

    /// Which exams are there? Deleted ones left out, newest first, then by id.
    static let examsView = ReadModel<State>(
        "examroom.exams", "Which exams are there?", arguments: ["page", "state"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let wanted = try request.choice("state", ExamState.self)
        var exams: [(id: ExamID, row: ExamRow)] = []
        state.exams.forEach { id, row in
            if !row.isDeleted, wanted == nil || ExamState(row) == wanted { exams.append((id, row)) }
        }
        exams.sort { left, right in
            left.row.createdAt == right.row.createdAt
                ? state.precedes(left.id, right.id) : left.row.createdAt > right.row.createdAt
        }
        output.object { output in
            output.array("exams", exams[page.range(of: exams.count)]) { output, exam in
                output.object { write(exam.id, exam.row, to: &$0) }
            }
            page.write(total: exams.count, to: &output)
        }
        return true
    }

    private static func write(_ exam: ExamID, _ row: ExamRow, to output: inout JSONOutput) {
        output.object("attempts") { output in
            output.member("completed", row.completed)
            output.member("open", row.open)
        }
        output.member("closesAt", row.details.window.closesAt)
        output.member("createdAt", row.createdAt)
        output.member("durationMinutes", row.details.durationMinutes)
        output.member("exam", exam)
        output.member("maxScore", row.maxScore)
        output.member("opensAt", row.details.window.opensAt)
        output.member("questions", row.questions)
        output.member("resultsPublished", row.areResultsPublished)
        output.member("state", ExamState(row))
        output.member("title", row.details.title)
    }

    /// What is in this exam? Answers for a deleted one too.
    static let examView = ReadModel<State>(
        "examroom.exam", "What is in this exam?", key: "exam",
        keys: { $0.names.texts($0.exams.keys) }, basis: .on(.stream("exam"))
    ) { state, request, output in
        guard let exam: ExamID = state.id(request.key), let row = state.exams[exam] else {
            return false
        }
        output.object { output in
            output.member("createdAt", row.createdAt)
            output.member("deleted", row.isDeleted)
            output.object("details") { write(row.details, to: &$0) }
            output.member("exam", exam)
            output.member("maxScore", row.maxScore)
            output.member("problems", row.problems(at: request.now))
            output.array("questions", state.banks[exam]?.ordered(state.names) ?? []) {
                output, question in
                output.object { write(question, to: &$0) }
            }
            output.member("resultsPublished", row.areResultsPublished)
            output.member("source", row.source)
            output.member("state", ExamState(row))
        }
        return true
    }

    /// The details with `window` unfolded.
    private static func write(_ details: Exam.Details, to output: inout JSONOutput) {
        output.member("closesAt", details.window.closesAt)
        output.member("description", details.description)
        output.member("durationMinutes", details.durationMinutes)
        output.member("feedback", details.feedback)
        output.member("maxAttempts", details.maxAttempts)
        output.member("opensAt", details.window.opensAt)
        output.member("passPercent", details.passPercent)
        output.member("shuffleOptions", details.shuffleOptions)
        output.member("shuffleQuestions", details.shuffleQuestions)
        output.member("title", details.title)
    }
}

extension ExamRoom.ExamRow {
    /// Why it cannot be published at the instant, as far as the exam itself goes.
    fileprivate func problems(at now: Instant) -> [String] {
        var problems: [String] = []
        if questions == 0 { problems.append("no-questions") }
        if let closesAt = details.window.closesAt, closesAt <= now {
            problems.append("window-over")
        }
        return problems
    }
}
