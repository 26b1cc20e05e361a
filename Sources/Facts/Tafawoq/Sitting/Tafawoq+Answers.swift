package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// What was answered, in the order in which it was recorded.
    package struct AnswersRow: Record {
        package var answers: [Question.Answer] = []
        /// The instants of the events that brought them.
        package var times: [Instant] = []

        package init() {}
    }
}

extension Tafawoq.State {
    /// Adds recorded answers, of an exam or a practice (R27).
    func answered(
        _ key: Tafawoq.SittingKey, _ given: [Tafawoq.Question.Answer], _ metadata: EventMetadata
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, metadata) { _ in }
        answers.update(key) {
            $0.answers += given
            $0.times.append(metadata.at)
        }
        noteActivity(student, metadata)
    }
}
