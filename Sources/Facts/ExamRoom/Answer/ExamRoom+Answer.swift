package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// An answer that was saved.
    package struct AnswerRow: Hashable {
        package var question = QuestionID.none
        /// Null once erased.
        package var chosen: [OptionID]?
        /// Whether it is right, as instant feedback said; nil where none was given (R21). Not
        /// personal: it stays when `chosen` is erased.
        package var feedback: Bool?
        package var answeredAt = Instant.epoch
        package var writer = DeviceID.none
        package var position = Position.zero
        /// A batch of its writer brought it; else it was given in this journal.
        package var isMerged = false

        package init() {}

        /// The device whose batch brought it; none where it was given in this journal.
        package var source: DeviceID { isMerged ? writer : .none }

        var stamp: Stamp { Stamp(answeredAt, writer.symbol) }
    }
}

extension ExamRoom.State {
    static func answerRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Answer.Saved.self, keepingClosed: { $0.answered($1, $2, $3) })
        routes.on(ExamRoom.Attempt.TimeLogged.self) { state, event, _ in
            state.attempts.updateExisting(event.attempt) {
                $0.answerLog.add(event.seconds, on: event.question)
            }
        }
    }

    private func answered(
        _ event: ExamRoom.Answer.Saved, _ chosen: ClosedPart?, _ metadata: EventMetadata
    ) {
        attempts.updateExisting(event.attempt) { attempt in
            var answer = ExamRoom.AnswerRow()
            answer.question = event.question
            answer.chosen = event.chosen
            answer.feedback = event.feedback?.correct
            answer.answeredAt = event.answeredAt
            answer.writer = .init(metadata.writer)
            answer.position = metadata.position
            answer.isMerged = metadata.isMerged
            attempt.answerLog.add(
                answer, event.seconds, by: metadata.subject, closed: chosen)
        }
    }
}

extension ExamRoom.State {
    /// The answer to a question that counts: of those not after `limit` the one with the greatest (answeredAt,
    /// writer, position), under `answersFinal` the one with the least (R17, R43). What is held does not count.
    ///
    /// Under `answersFinal` the first answer was told what is right. Where others came by merge and are not all
    /// right or all wrong, one that is not right stands until an admin settles it (R53).
    package func countingAnswer(
        to asked: ExamRoom.Attempt.PaperQuestion, among answers: [ExamRoom.AnswerRow],
        of attempt: ExamRoom.AttemptRow, through limit: Instant
    ) -> ExamRoom.AnswerRow? {
        let given = answers.filter {
            $0.question == asked.question && !attempt.isHeld(answerAt: $0.position)
        }
        let order = { (left: ExamRoom.AnswerRow, right: ExamRoom.AnswerRow) -> Bool in
            left.stamp == right.stamp
                ? left.position < right.position : left.stamp.precedes(right.stamp, self.names)
        }
        guard attempt.answersFinal else {
            return given.filter { $0.answeredAt <= limit }.max(by: order)
        }
        let admitted = given.filter { $0.position <= attempt.admittedThrough }
        let first = (admitted.isEmpty ? given : admitted)
            .filter { $0.answeredAt <= limit }.min(by: order)
        guard admitted.isEmpty, let first, first.isRight(asked) else { return first }
        return given.filter { !$0.isRight(asked) }.min(by: order) ?? first
    }

    /// Whether of the answers to a question under `answersFinal` some are right and some are not (R53).
    package func isDoubtful(
        _ asked: ExamRoom.Attempt.PaperQuestion, in attempt: ExamRoom.AttemptRow
    ) -> Bool {
        guard attempt.answersFinal else { return false }
        let given = attempt.answerLog.answers.filter {
            $0.question == asked.question && !attempt.isHeld(answerAt: $0.position)
        }
        return given.allSatisfy { $0.position > attempt.admittedThrough }
            && Set(given.map { $0.isRight(asked) }).count > 1
    }
}

extension ExamRoom.AnswerRow {
    fileprivate func isRight(_ asked: ExamRoom.Attempt.PaperQuestion) -> Bool {
        guard let chosen else { return feedback ?? false }
        return !chosen.isEmpty && asked.isRight(chosen)
    }
}
