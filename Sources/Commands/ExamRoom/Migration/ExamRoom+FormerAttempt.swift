import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An exam of the former system, and what its students could see there (R36, 16.3).
    struct FormerExam: Record {
        private(set) var exam = Document.ExamObject()
        private(set) var published: Bool?
        private(set) var resultsPublished: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            exam.fields(&coder)
            coder.optional("published", &published)
            coder.optional("resultsPublished", &resultsPublished)
        }
    }

    /// What is known of an attempt that was sat elsewhere (R35, R36).
    struct FormerAttempt: Record {
        /// What was chosen for a question, and the time that it took.
        struct Answer: Record {
            private(set) var question = QuestionID.none
            private(set) var chosen: [OptionID] = []
            private(set) var seconds: Int?

            mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                coder.field("chosen", &chosen)
                coder.optionalNumber("seconds", &seconds, in: Bounds.seconds)
            }
        }

        private(set) var attempt = AttemptID.none
        private(set) var exam = ExamID.none
        private(set) var student = StudentID.none
        private(set) var how = Attempt.How.student
        private(set) var startedAt = Instant.epoch
        private(set) var closedAt = Instant.epoch
        private(set) var score = 0
        private(set) var maxScore = 0
        private(set) var answers: [Answer]?

        init() {}

        init(_ result: Document.ResultObject) {
            attempt = result.attempt
            exam = result.exam
            student = result.student
            how = result.how
            startedAt = result.startedAt
            closedAt = result.closedAt
            score = result.score
            maxScore = result.maxScore
        }

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("how", &how)
            coder.field("startedAt", &startedAt)
            coder.field("closedAt", &closedAt)
            coder.field("score", &score)
            coder.field("maxScore", &maxScore)
            coder.optional("answers", &answers)
        }

        var isPossible: Bool { maxScore >= 1 && score <= maxScore && closedAt >= startedAt }

        /// Every answer is to another question, and every option is chosen once (R1).
        var answersEachOnce: Bool {
            let answers = answers ?? []
            return Set(answers.map(\.question)).count == answers.count
                && answers.allSatisfy { Set($0.chosen).count == $0.chosen.count }
        }

        /// Every answer is to a question of the exam, with options of that question (R1).
        func answersKnownQuestions(of bank: Bank?) -> Bool {
            (answers ?? []).allSatisfy { answer in
                let known = bank?.questions.first { $0.question == answer.question }
                let options = Set((known?.content.options ?? []).map(\.option))
                return known != nil && options.isSuperset(of: answer.chosen)
            }
        }
    }
}

extension ExamRoom.Document.ResultObject {
    /// Its score and instants can be those of an attempt (R36).
    var isPossible: Bool { ExamRoom.FormerAttempt(self).isPossible }
}

extension DecisionContext<ExamRoom> {
    /// The exam of an attempt that was sat elsewhere, if both exam and student are here.
    func importableExam(
        _ id: ExamRoom.ExamID, for student: ExamRoom.StudentID
    ) -> ExamRoom.ExamRow? {
        guard let exam = state.exams[id], !exam.isDeleted,
            state.accounts[.init(student)]?.isActiveStudent == true
        else { return nil }
        return exam
    }

    /// Records an attempt that was sat elsewhere. Its questions are those that the answers name, as the exam has
    /// them; its score stays as it was given there.
    func recordImport(
        of former: ExamRoom.FormerAttempt, at exam: ExamRoom.ExamRow,
        by application: ExamRoom.ImportID? = nil, in migration: ExamRoom.MigrationID? = nil
    ) {
        let answers = former.answers ?? []
        let paper = ExamRoom.Paper.questions(
            of: state.banks[former.exam] ?? .init(), details: exam.details, attempt: nil,
            names: names
        ).filter { asked in answers.contains { $0.question == asked.question } }
        let marks = paper.map { asked -> ExamRoom.Attempt.Mark in
            let answer = answers.first { $0.question == asked.question }
            let chosen = answer?.chosen ?? []
            let isRight = !chosen.isEmpty && asked.isRight(chosen)
            return .init(
                question: asked.question, answered: !chosen.isEmpty, correct: isRight,
                points: isRight ? asked.points : 0, seconds: answer?.seconds ?? 0)
        }
        let given = answers.filter { !$0.chosen.isEmpty }.map {
            ExamRoom.Attempt.FormerAnswer(question: $0.question, chosen: inOrder($0.chosen))
        }
        record(
            ExamRoom.Attempt.Imported(
                attempt: former.attempt,
                exam: former.exam,
                student: former.student,
                application: application,
                migration: migration,
                how: former.how,
                startedAt: former.startedAt,
                closedAt: former.closedAt,
                localDate: localDate(of: .init(former.student), at: former.closedAt),
                secondsTaken: Int(former.closedAt.milliseconds(since: former.startedAt) / 1000),
                score: former.score,
                maxScore: former.maxScore,
                percent: Percent(former.score, of: former.maxScore),
                passed: exam.details.passPercent.isReached(
                    by: former.score, of: former.maxScore),
                paper: paper.map { Shared($0, in: names) },
                marks: marks,
                answers: given.isEmpty ? nil : given), on: former.attempt)
    }
}
