import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Imports one item: an account, an exam, a completed attempt, or an image that exists now (R36).
    struct ImportItem: Command {
        static let type = "examroom.item.import"
        var migration = MigrationID.none
        var item = ItemID.none
        var content: JSON = .null

        func problem(_ names: Names) -> String? {
            content.members == nil ? "expected \"content\" as an object" : nil
        }

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findPending(item, of: migration)
            let digest = Document.digest(of: content)
            guard row.digest.isExactly(digest) else { throw .digestMismatch }
            let thing =
                switch row.kind {
                case .account: try account(in: context)
                case .exam: try exam(in: context)
                case .attempt: try attempt(in: context)
                case .image: try image(in: context)
                }
            context.record(
                Item.Imported(
                    migration: migration, item: item, kind: row.kind, digest: digest, thing: thing,
                    tries: row.failures + 1),
                on: migration)
        }

        /// The data of `account.register`, with its codes.
        private func account(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let account = RegisterAccount(content, context.names) else {
                throw .contentInvalid
            }
            do throws(Rejection) {
                try account.checkContent(in: context.state)
            } catch {
                throw .contentInvalid
            }
            // An id is never used twice (R1).
            try context.checkIsFree(
                account.account, unless: context.state.accounts.contains(account.account))
            account.record(.migration, in: context)
            return .init(account.account)
        }

        private func exam(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let former = FormerExam(content, context.names),
                former.exam.isAccepted(in: context.state),
                former.published != true || !former.exam.questions.isEmpty
            else { throw .contentInvalid }
            let exam = former.exam.exam
            // An id is never used twice (R1).
            try context.checkIsFree(exam, unless: context.state.exams.contains(exam))
            context.recordImport(of: former.exam, in: migration)
            // 16.3: as students saw it there.
            if former.published == true, let row = context.state.exams[exam] {
                context.record(
                    Exam.Published(exam: exam, questions: row.questions, maxScore: row.maxScore),
                    on: exam)
            }
            if former.resultsPublished == true {
                context.record(Results.Published(exam: exam), on: exam)
            }
            return .init(exam)
        }

        private func attempt(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let former = FormerAttempt(content, context.names), former.isPossible,
                former.answersEachOnce
            else { throw .contentInvalid }
            guard let exam = context.importableExam(former.exam, for: former.student) else {
                throw .dependencyMissing
            }
            guard former.answersKnownQuestions(of: context.state.banks[former.exam]) else {
                throw .contentInvalid
            }
            // An id is never used twice (R1).
            try context.checkIsFree(
                former.attempt, unless: context.state.attempts.contains(former.attempt))
            context.recordImport(of: former, at: exam, in: migration)
            return .init(former.attempt)
        }

        /// The client keeps the file; only its existence is recorded.
        private func image(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let file = Image.File(content, context.names), file.isAccepted(in: context.state)
            else { throw .contentInvalid }
            return .init(file.hash)
        }
    }
}
