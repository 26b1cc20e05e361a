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
            if context.state.accounts.contains(account.account) {
                throw context.alreadyExists(account.account)
            }
            account.record(.migration, in: context)
            return .init(account.account)
        }

        private func exam(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let object = Document.ExamObject(content, context.names),
                object.isAccepted(in: context.state)
            else { throw .contentInvalid }
            // An id is never used twice (R1).
            if context.state.exams.contains(object.exam) {
                throw context.alreadyExists(object.exam)
            }
            context.recordImport(of: object, in: migration)
            return .init(object.exam)
        }

        private func attempt(in context: Context) throws(Rejection) -> Item.MovedID {
            let state = context.state
            guard let content = AttemptContent(content, context.names), content.isPossible else {
                throw .contentInvalid
            }
            guard let exam = state.exams[content.exam], !exam.isDeleted,
                state.accounts[.init(content.student)]?.isActiveStudent == true
            else { throw .dependencyMissing }
            // An id is never used twice (R1).
            if state.attempts.contains(content.attempt) {
                throw context.alreadyExists(content.attempt)
            }
            context.record(
                Attempt.Imported(
                    attempt: content.attempt,
                    exam: content.exam,
                    student: content.student,
                    migration: migration,
                    how: content.how,
                    startedAt: content.startedAt,
                    closedAt: content.closedAt,
                    localDate: context.localDate(
                        of: .init(content.student), at: content.closedAt),
                    secondsTaken: Int(
                        content.closedAt.milliseconds(since: content.startedAt) / 1000),
                    score: content.score,
                    maxScore: content.maxScore,
                    percent: Percent(content.score, of: content.maxScore),
                    passed: exam.details.passPercent.isReached(
                        by: content.score, of: content.maxScore)), on: content.attempt)
            return .init(content.attempt)
        }

        /// The client keeps the file; only its existence is recorded.
        private func image(in context: Context) throws(Rejection) -> Item.MovedID {
            guard let file = Image.File(content, context.names), file.isAccepted(in: context.state)
            else { throw .contentInvalid }
            return .init(file.hash)
        }
    }

    /// What is known of an attempt in the former system.
    private struct AttemptContent: Record {
        var attempt = AttemptID.none
        var exam = ExamID.none
        var student = StudentID.none
        var how = Attempt.How.student
        var startedAt = Instant.epoch
        var closedAt = Instant.epoch
        var score = 0
        var maxScore = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("how", &how)
            coder.field("startedAt", &startedAt)
            coder.field("closedAt", &closedAt)
            coder.field("score", &score)
            coder.field("maxScore", &maxScore)
        }

        var isPossible: Bool { maxScore >= 1 && score <= maxScore && closedAt >= startedAt }
    }
}
