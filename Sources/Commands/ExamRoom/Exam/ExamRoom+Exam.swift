import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Creates an exam, a draft without questions (R7, 4.1).
    struct CreateExam: Command {
        static let type = "examroom.exam.create"
        var exam = ExamID.none
        var given = GivenDetails()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? {
            given.title == nil ? "missing field \"title\"" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try create(in: context)
        }

        func create(in context: Context) throws(Rejection) {
            let policy = context.state.policy
            var details = Exam.Details(from: policy)
            given.apply(to: &details)
            try details.check(against: policy)
            try context.checkStorage()
            // An id is never used twice (R1).
            try context.checkIsFree(exam, unless: context.state.exams.contains(exam))
            context.record(Exam.Created(exam: exam, details: details), on: exam)
        }
    }

    /// Changes details. The exam as it would become is checked as a whole (R7, R9).
    struct ReviseExam: Command {
        static let type = "examroom.exam.revise"
        var exam = ExamID.none
        var changes = GivenDetails()

        func problem(_ names: Names) -> String? {
            changes.isEmpty ? "expected \"changes\" with at least one detail" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findEditable(exam)
            var details = row.details
            changes.apply(to: &details)
            try details.check(against: context.state.policy)
            let different = Exam.DetailChanges(from: row.details, to: details)
            if different.isEmpty { throw .nothingToChange }
            context.record(Exam.Revised(exam: exam, changes: different), on: exam)
            if different.maxAttempts != nil { context.releaseWithinLimit(at: exam) }
        }
    }

    /// Lets students start the exam (4.3).
    struct PublishExam: ExamCommand {
        static let type = "examroom.exam.publish"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findEditable(exam)
            if row.isPublished { throw .alreadyPublished }
            if row.questions == 0 { throw .noQuestions }
            if let closesAt = row.details.window.closesAt, closesAt <= context.at {
                throw .windowOver
            }
            context.record(
                Exam.Published(exam: exam, questions: row.questions, maxScore: row.maxScore),
                on: exam)
        }
    }

    /// Withdraws the exam: nobody may start it any more.
    struct WithdrawExam: ExamCommand {
        static let type = "examroom.exam.withdraw"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            if try !context.find(exam).isPublished { throw .notPublished }
            context.record(Exam.Withdrawn(exam: exam), on: exam)
        }
    }

    /// Deletes the exam; images that lose their last reference are orphaned (R11).
    struct DeleteExam: ExamCommand {
        static let type = "examroom.exam.delete"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(exam)
            if row.unclosed > 0 { throw .attemptsOpen }
            context.delete(exam, row)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Deletes an exam; images that lose their last reference are orphaned (R11).
    func delete(_ exam: ExamRoom.ExamID, _ row: ExamRoom.ExamRow) {
        let images = (state.banks[exam]?.questions ?? []).compactMap(\.image)
        record(ExamRoom.Exam.Deleted(exam: exam, title: row.details.title), on: exam)
        recordOrphans(among: images)
    }
}
