package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The questions of an exam in the order in which an attempt shows them (R8, R13).
    ///
    /// Rules and views make papers here: a preview must show what a start will record.
    package enum Paper {
        /// - Parameter attempt: the attempt's id; nil for the unshuffled paper.
        package static func questions(
            of bank: Bank, details: Exam.Details, attempt: String?, names: Names
        ) -> [Attempt.PaperQuestion] {
            let ordered = bank.ordered(names)
            guard let attempt else {
                return ordered.map { shown($0, options: $0.content.options) }
            }
            let seed = "examroom/attempt/\(attempt)"
            let asked =
                details.shuffleQuestions ? ordered.permuted(with: "\(seed):questions") : ordered
            return asked.map { question in
                let options = question.content.options
                guard details.shuffleOptions else { return shown(question, options: options) }
                let name = names.text(question.question)
                return shown(question, options: options.permuted(with: "\(seed):options:\(name)"))
            }
        }

        package static func questions(
            of bank: Bank, details: Exam.Details, attempt: AttemptID, names: Names
        ) -> [Attempt.PaperQuestion] {
            questions(of: bank, details: details, attempt: names.text(attempt), names: names)
        }

        /// The sum of the points (R13).
        package static func maxScore(of questions: [Attempt.PaperQuestion]) -> Int {
            questions.reduce(0) { $0 + $1.points }
        }

        private static func shown(
            _ question: BankQuestion, options: [Question.Choice]
        ) -> Attempt.PaperQuestion {
            Attempt.PaperQuestion(
                question: question.question, content: question.content, options: options,
                image: question.image)
        }
    }
}

extension ExamRoom.Attempt.PaperQuestion {
    /// An answer is right when the chosen set equals the correct set (R16).
    package func isRight(_ chosen: [ExamRoom.OptionID]) -> Bool { Set(chosen) == Set(correct) }
}
