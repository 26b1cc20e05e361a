package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The questions that were delivered for an exam or practice.
    package struct PaperRow: Record {
        package var questions = Packed<[Question.Content]>.empty
        /// What answers are checked against (R27): an answer decodes no questions.
        package var outline: [AskedQuestion] = []
        package var passages: [Question.Text] = []

        package init() {}
    }

    /// A question of a paper, and how many options it has.
    package struct AskedQuestion: Record {
        package var question = QuestionID.none
        package var options = 0

        package init() {}
    }

    /// When a student was last delivered a question with a content (R26).
    package struct SeenRow: Record {
        package var at = Instant.epoch

        package init() {}
    }
}

extension Tafawoq.State {
    static func questionRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Question.Voided.self) { state, event, metadata in
            let key = Tafawoq.SittingKey(event.of, event.id)
            guard let before = state.sittings.read(key, { $0.voided.count }) else { return }
            state.change(key, metadata) { $0.voided.append(event.question) }
            guard event.of == .exam else { return }
            state.flag(.init(event.id), of: event.student, .imageVoided, before + 1, metadata)
        }
    }
}
