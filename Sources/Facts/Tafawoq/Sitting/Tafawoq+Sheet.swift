import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The questions of an exam or practice with their answers, from which it is shown, scored and
    /// flagged.
    package struct Sheet {
        /// A question with what was answered.
        package struct Line {
            package let content: Question.Content
            /// The choice of the answer with the latest instant (R27).
            package fileprivate(set) var choice: Int?
            /// The time of all its answers (R27).
            package fileprivate(set) var seconds = 0
            package let isVoided: Bool
            fileprivate var latest: Instant?

            package var isCorrect: Bool { choice == content.answer }
        }

        package private(set) var lines: [Line]
        private let indices: [QuestionID: Int]

        package init(
            _ questions: [Question.Content], voided: [QuestionID], _ answers: [Question.Answer]
        ) {
            lines = questions.map { Line(content: $0, isVoided: voided.contains($0.question)) }
            indices = Dictionary(
                questions.enumerated().map { ($1.question, $0) },
                uniquingKeysWith: { first, _ in first })
            for answer in answers { take(answer) }
        }

        private mutating func take(_ answer: Question.Answer) {
            guard let index = indices[answer.question] else { return }
            lines[index].seconds = lines[index].seconds.addingClamping(answer.seconds)
            // Of equals the one recorded last.
            if let latest = lines[index].latest, answer.answeredAt < latest { return }
            lines[index].latest = answer.answeredAt
            lines[index].choice = answer.choice
        }

        package func index(of question: QuestionID) -> Int? { indices[question] }

        /// The questions that count: all but the voided ones (R30).
        package var scored: [Line] { lines.filter { !$0.isVoided } }

        /// What scores are made of (R32).
        package var answered: Int { scored.count { $0.choice != nil } }
        package var correct: Int { scored.count { $0.isCorrect } }

        /// The time of all questions, the voided ones too (R31).
        package var seconds: Int { lines.reduce(0) { $0.addingClamping($1.seconds) } }
    }
}

extension Tafawoq.State {
    /// The questions and answers of an exam or practice, with further answers behind those that are
    /// recorded.
    package func sheet(
        _ key: Tafawoq.SittingKey, adding further: [Tafawoq.Question.Answer] = []
    ) -> Tafawoq.Sheet {
        Tafawoq.Sheet(
            papers.read(key) { $0.questions.value } ?? [],
            voided: sittings.read(key) { $0.voided } ?? [],
            (answers[key]?.answers ?? []) + further)
    }
}
