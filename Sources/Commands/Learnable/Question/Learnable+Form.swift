import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A student's answer to a question: exactly one of the two.
    struct GivenAnswer: Record {
        private(set) var choice: SignedInt?
        private(set) var answer: AnyString?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optional("choice", &choice)
            coder.optional("answer", &answer)
        }

        var problem: String? {
            (choice == nil) == (answer == nil) ? "expected either \"choice\" or \"answer\"" : nil
        }

        /// Judges multiple choice; a free text is judged later (R16, R29).
        func judge(by form: Form) throws(Rejection) -> Verdict {
            switch (form.format, choice, answer) {
            case (.multipleChoice, let choice?, _):
                guard (form.options ?? []).indices.contains(choice.value) else {
                    throw .noSuchOption
                }
            case (.freeText, _, let answer?): if answer.text.isBlank { throw .blankAnswer }
            default: throw .wrongAnswerForm
            }
            return Verdict(choice: choice?.value, answer: answer, by: form)
        }
    }
}
