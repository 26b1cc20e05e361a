import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What would a student see? With `attempt` the paper that this attempt id would get (R13).
    static let previewView = ReadModel<State>(
        "examroom.preview", "What would a student see?", key: "exam", arguments: ["attempt"],
        keys: { $0.names.texts($0.exams.keys) }, basis: .on(.stream("exam"))
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
