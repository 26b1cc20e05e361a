import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

/// What is shown of the answer to one question.
enum ShownAnswer {
    case none
    /// `chosen` is nil once erased; `feedback` is what instant feedback said.
    case saved(chosen: [ExamRoom.OptionID]?, feedback: Bool?)

    /// A non-empty answer; an erased one counts as empty (R6).
    var isGiven: Bool {
        if case .saved(.some(let chosen), _) = self { !chosen.isEmpty } else { false }
    }

    func writeChosen(to output: inout JSONOutput) {
        switch self {
        case .none: output.member("chosen", [ExamRoom.OptionID]())
        case .saved(let chosen, _): output.member("chosen", chosen)
        }
    }

    /// Instant feedback came with the answer, unless the answer was cleared (R21).
    func feedback(
        on question: ExamRoom.Attempt.PaperQuestion, _ state: ExamRoom.State
    ) -> ExamRoom.Answer.Feedback? {
        guard case .saved(_, let isRight) = self, let isRight else { return nil }
        return ExamRoom.Answer.Feedback(
            correct: isRight, correctOptions: state.sorted(question.correct),
            explanation: question.explanation)
    }
}

extension ExamRoom.State {
    /// The last answers, question by question; those that came after the closing are not shown (R43).
    func shownAnswers(
        _ answers: [ExamRoom.AnswerRow], in row: ExamRoom.AttemptRow
    ) -> [ShownAnswer] {
        let limit = row.closing?.closedAt ?? Instant(milliseconds: .max)
        return row.paper.map { entry in
            countingAnswer(to: entry.value(in: names), among: answers, of: row, through: limit).map
            {
                .saved(chosen: $0.chosen, feedback: $0.feedback)
            } ?? .none
        }
    }
}
