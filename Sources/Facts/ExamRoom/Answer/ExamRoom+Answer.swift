package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// An answer that was saved.
    package struct AnswerRow {
        package var question = QuestionID.none
        /// Null once erased.
        package var chosen: [OptionID]?
        /// Whether it is right, as instant feedback said; nil where none was given (R21). Not
        /// personal: it stays when `chosen` is erased.
        package var feedback: Bool?
        package var answeredAt = Instant.epoch
        package var writer = DeviceID.none
        package var position = Position.zero

        package init() {}

        var stamp: Stamp { Stamp(answeredAt, writer.symbol) }
    }
}

extension ExamRoom.State {
    static func answerRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Answer.Saved.self) { $0.answered($1, $2) }
        routes.on(ExamRoom.Attempt.TimeLogged.self) { state, event, _ in
            state.attempts.updateExisting(event.attempt) {
                $0.answerLog.add(event.seconds, on: event.question)
            }
        }
    }

    private func answered(_ event: ExamRoom.Answer.Saved, _ metadata: EventMetadata) {
        attempts.updateExisting(event.attempt) { attempt in
            var answer = ExamRoom.AnswerRow()
            answer.question = event.question
            answer.chosen = event.chosen
            answer.feedback = event.feedback?.correct
            answer.answeredAt = event.answeredAt
            answer.writer = .init(metadata.writer)
            answer.position = metadata.position
            attempt.answerLog.add(answer, event.seconds, by: metadata.subject)
        }
    }
}

extension [ExamRoom.AnswerRow] {
    /// The last answer to a question: of those not after `limit` the one with the greatest (answeredAt,
    /// writer, position), under `answersFinal` the one with the least (R17, R43).
    package func effective(
        to question: ExamRoom.QuestionID, in attempt: ExamRoom.AttemptRow, through limit: Instant,
        _ names: Names
    ) -> ExamRoom.AnswerRow? {
        let given = lazy.filter { $0.question == question && $0.answeredAt <= limit }
        let order = { (left: ExamRoom.AnswerRow, right: ExamRoom.AnswerRow) -> Bool in
            left.stamp == right.stamp
                ? left.position < right.position : left.stamp.precedes(right.stamp, names)
        }
        return attempt.answersFinal ? given.min(by: order) : given.max(by: order)
    }
}
