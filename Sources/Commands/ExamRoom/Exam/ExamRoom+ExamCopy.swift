import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes a draft with the details and questions of another exam, without its seats and attempts (R10).
    struct DuplicateExam: Command {
        static let type = "examroom.exam.duplicate"
        /// The source.
        var exam = ExamID.none
        var copy = ExamID.none
        var title: String?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try copy(context.state, in: context)
        }

        /// Copies the source as the device knew it (R39).
        func merge(_ merge: Merge, in context: Context) throws(Rejection) {
            try copy(merge.known(exam), in: context)
        }

        private func copy(_ known: State, in context: Context) throws(Rejection) {
            let policy = context.state.policy
            guard let source = known.exams[exam], !source.isDeleted else {
                throw context.notFound(exam)
            }
            var details = source.details
            details.title =
                title ?? Self.title(ofCopyOf: details.title, longest: policy.maxTitleLength)
            var given = GivenDetails()
            given.title = details.title
            try given.check(against: policy)
            try context.checkStorage()
            // An id is never used twice (R1).
            try context.checkIsFree(copy, unless: context.state.exams.contains(copy))
            let questions = (known.banks[exam] ?? Bank()).ordered(context.names).map {
                Exam.InitialQuestion(question: $0.question, content: $0.content, image: $0.image)
            }
            context.record(
                Exam.Duplicated(exam: copy, source: exam, details: details, questions: questions),
                on: copy)
        }

        /// The title with ` (copy)`, cut to fit the longest title (R10).
        private static func title(ofCopyOf title: String, longest: Int) -> String {
            let suffix = " (copy)"
            let kept = title.unicodeScalars.prefix(max(0, longest - suffix.scalarCount))
            return String(String.UnicodeScalarView(kept)) + suffix
        }
    }
}
