import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes a draft out of another exam: its details and questions, nothing that came of it (R10).
    struct DuplicateExam: Command {
        static let type = "examroom.exam.duplicate"
        /// The source.
        var exam = ExamID.none
        var copy = ExamID.none
        var title: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("copy", &copy)
            coder.optional("title", &title)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try copy(context.state, in: context)
        }

        /// R39: the source as the device knew it.
        func merge(_ merge: Merge, in context: ExamRoom.Context) throws(Rejection) {
            try copy(merge.known(exam), in: context)
        }

        private func copy(_ known: State, in context: ExamRoom.Context) throws(Rejection) {
            let policy = context.state.policy
            var details = try known.exam(exam).details
            details.title =
                title ?? Self.title(ofCopyOf: details.title, longest: policy.maxTitleLength)
            var given = GivenDetails()
            given.title = details.title
            try given.check(against: policy)
            try context.checkStorage()
            if context.state.exams.contains(copy) { throw .alreadyExists }  // R1
            let questions = (known.banks[exam] ?? Bank()).ordered(context.names).map {
                Exam.Brought(question: $0.question, content: $0.content, image: $0.image)
            }
            context.record(
                Exam.Duplicated(exam: copy, source: exam, details: details, questions: questions),
                on: context.examStream(copy))
        }

        /// As much of the title as leaves room for what marks a copy.
        private static func title(ofCopyOf title: String, longest: Int) -> String {
            let suffix = " (copy)"
            let kept = title.unicodeScalars.prefix(max(0, longest - suffix.scalarCount))
            return String(String.UnicodeScalarView(kept)) + suffix
        }
    }

    /// Puts an exam away once all of it stands in an export (R12, 11.6).
    struct ArchiveExam: Command {
        static let type = "examroom.exam.archive"
        var exam = ExamID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.editableExam(exam)
            if row.isPublished { throw .examPublished }
            if row.unclosed > 0 { throw .attemptsOpen }
            if !context.state.isExported(exam) { throw .notExported }
            context.record(Exam.Archived(exam: exam), on: context.examStream(exam))
        }
    }

    /// Takes an exam out of the archive: a draft again.
    struct UnarchiveExam: Command {
        static let type = "examroom.exam.unarchive"
        var exam = ExamID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if try !context.state.exam(exam).isArchived { throw .notArchived }
            context.record(Exam.Unarchived(exam: exam), on: context.examStream(exam))
        }
    }
}
