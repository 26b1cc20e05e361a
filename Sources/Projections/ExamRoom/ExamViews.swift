import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What is in this exam? Answers for a deleted one too.
    static let examView = ReadModel<State>(
        "examroom.exam", "What is in this exam?", key: "exam",
        keys: { $0.texts($0.exams.allKeys) }, basis: .on(.stream("exam"))
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

    /// A question as admins see it, here and in documents (R34).
    static func write(_ question: BankQuestion, to output: inout JSONOutput) {
        output.member("explanation", question.content.explanation)
        output.member("image", question.image)
        output.member("options", question.content.options)
        output.member("points", question.content.points)
        output.member("prompt", question.content.prompt)
        output.member("question", question.question)
    }

    /// What would a student see? With `attempt` the paper that this attempt id would get (R13).
    static let previewView = ReadModel<State>(
        "examroom.preview", "What would a student see?", key: "exam", arguments: ["attempt"],
        keys: { $0.texts($0.exams.allKeys) }, basis: .on(.stream("exam"))
    ) { state, request, output throws(WrongArgument) in
        let attempt = try request.idText("attempt")
        guard let exam: ExamID = state.id(request.key), let row = state.exams[exam] else {
            return false
        }
        let paper = Paper.questions(
            of: state.banks[exam] ?? Bank(), details: row.details, attempt: attempt,
            names: state.names)
        output.object { output in
            output.member("durationSeconds", row.details.durationSeconds)
            output.member("exam", exam)
            output.member("maxScore", Paper.maxScore(of: paper))
            output.array("questions", paper.enumerated()) { output, element in
                output.object { output in
                    writeShown(element.element, number: element.offset + 1, to: &output)
                }
            }
            output.member("title", row.details.title)
        }
        return true
    }

    /// A question as students see it: without what is right.
    static func writeShown(
        _ question: Attempt.PaperQuestion, number: Int, to output: inout JSONOutput
    ) {
        output.member("image", question.image)
        output.member("number", number)
        output.member("options", question.options)
        output.member("points", question.points)
        output.member("prompt", question.prompt)
        output.member("question", question.question)
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
