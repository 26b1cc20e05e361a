import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Saves an answer, durable before the outcome (5.4); an empty one clears it.
    struct SaveAnswer: Command {
        static let type = "examroom.answer.save"
        var attempt = AttemptID.none
        var question = QuestionID.none
        var chosen: [OptionID] = []
        /// Time on the question since the last entry; whatever is too long is cut (R18).
        var seconds: Int?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("question", &question)
            coder.field("chosen", &chosen)
            coder.optional("seconds", &seconds)
        }

        func senders(in state: State) -> Senders { .student(state.owner(of: attempt)) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(attempt)
            let asked = try asked(in: row, context)
            // Under `answersFinal` the first answer is final, an empty one too (R17).
            if row.answersFinal, row.answerLog.answers.contains(where: { $0.question == question })
            {
                throw .answerFinal
            }
            record(of: row, asked, in: context)
        }

        /// The question, if it can be answered so (R16).
        func asked(
            in row: AttemptRow, _ context: Context
        ) throws(Rejection) -> Attempt.PaperQuestion {
            guard let index = context.state.index(of: question, in: row) else {
                throw .questionNotInPaper
            }
            let asked = row.paper[index].value(in: context.names)
            let options = Set(asked.options.map(\.option))
            if !chosen.allSatisfy(options.contains) { throw .optionUnknown }
            if Set(chosen).count < chosen.count { throw .optionRepeated }
            // A question with one correct option takes one at most (R16).
            if asked.correct.count == 1, chosen.count > 1 { throw .tooManyChosen }
            return asked
        }

        func record(
            of row: AttemptRow, _ asked: Attempt.PaperQuestion, in context: Context
        ) {
            let inOrder = { (ids: [OptionID]) in
                ids.sorted { context.names.text($0).precedes(context.names.text($1)) }
            }
            var feedback: Answer.Feedback?
            // Instant feedback tells what was right and why (R21).
            if row.feedback == .instant, !chosen.isEmpty {
                feedback = Answer.Feedback(
                    correct: asked.isRight(chosen), correctOptions: inOrder(asked.correct),
                    explanation: asked.explanation)
            }
            context.record(
                Answer.Saved(
                    attempt: attempt, question: question, chosen: inOrder(chosen),
                    seconds: row.possible(seconds ?? 0, at: context.at), answeredAt: context.at,
                    feedback: feedback),
                on: context.stream(of: attempt), about: ("student", row.student.symbol))
        }
    }

    /// Logs time spent on a question (5.5, R18).
    struct LogTime: Command {
        static let type = "examroom.time.log"
        var attempt = AttemptID.none
        var question = QuestionID.none
        /// Whatever is too long is cut (R18).
        var seconds = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("question", &question)
            coder.field("seconds", &seconds)
        }

        func problem(_ names: Names) -> String? {
            seconds < 1 ? "expected \"seconds\" from 1" : nil
        }

        func senders(in state: State) -> Senders { .student(state.owner(of: attempt)) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(attempt)
            try record(of: row, in: context)
        }

        func record(of row: AttemptRow, in context: Context) throws(Rejection) {
            if context.state.index(of: question, in: row) == nil { throw .questionNotInPaper }
            context.record(
                Attempt.TimeLogged(
                    attempt: attempt, question: question,
                    seconds: row.possible(seconds, at: context.at)),
                on: context.stream(of: attempt), about: ("student", row.student.symbol))
        }
    }
}

extension ExamRoom.AttemptRow {
    /// Nobody spends more time on a question than has passed since the start: what a client tells is cut to it
    /// (R18).
    fileprivate func possible(_ seconds: Int, at instant: Instant) -> Int {
        min(seconds, max(0, Int(instant.milliseconds(since: startedAt) / 1000)))
    }
}
