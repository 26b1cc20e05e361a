package import Core

extension ExamRoom.Attempt {
    /// What was chosen in the former system.
    package struct FormerAnswer: Record {
        package private(set) var question = ExamRoom.QuestionID.none
        /// Sorted, and not empty.
        package private(set) var chosen: [ExamRoom.OptionID] = []

        package init() {}

        package init(question: ExamRoom.QuestionID, chosen: [ExamRoom.OptionID]) {
            self.question = question
            self.chosen = chosen
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("chosen", &chosen)
        }
    }

    /// An attempt that was sat in another system, or is known from an archive (R35, R36).
    package struct Imported: Payload {
        package static let type = "examroom.attempt.imported"
        /// Version 1 had a score without paper and answers, always of a migration.
        package static let version: UInt16 = 2
        package static let streams = ["attempt"]
        package static let sentence = "A completed attempt was imported."
        package static let rules = [35, 36]
        /// Its paper repeats the exam's questions.
        package static let isNeverTooLarge = true
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        /// The archive that it came with.
        package internal(set) var application: ExamRoom.ImportID?
        /// The migration that moved it.
        package internal(set) var migration: ExamRoom.MigrationID?
        package internal(set) var how = How.student
        package internal(set) var startedAt = Instant.epoch
        package internal(set) var closedAt = Instant.epoch
        package internal(set) var localDate = LocalDate.epoch
        package internal(set) var secondsTaken = 0
        package internal(set) var score = 0
        package internal(set) var maxScore = 0
        package internal(set) var percent = Percent.zero
        package internal(set) var passed = false
        /// The questions that were asked, as the exam has them at import; none where the answers are not known.
        package internal(set) var paper: [Shared<PaperQuestion>] = []
        /// In paper order, by what the exam calls right at import; the score stays as it was given.
        package internal(set) var marks: [Mark] = []
        package internal(set) var answers: Personal<[FormerAnswer]> = nil

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            fields(&coder, version: Self.version)
        }

        package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            if version < 2 {
                var former = migration ?? .none
                coder.field("migration", &former)
                migration = former
            } else {
                coder.field("import", &application)
                coder.field("migration", &migration)
            }
            coder.field("how", &how)
            coder.field("startedAt", &startedAt)
            coder.field("closedAt", &closedAt)
            coder.field("localDate", &localDate)
            coder.field("secondsTaken", &secondsTaken)
            coder.field("score", &score)
            coder.field("maxScore", &maxScore)
            coder.field("percent", &percent)
            coder.field("passed", &passed)
            if version > 1 {
                coder.field("paper", &paper)
                coder.field("marks", &marks)
                coder.personal("answers", &answers)
            }
        }
    }
}
