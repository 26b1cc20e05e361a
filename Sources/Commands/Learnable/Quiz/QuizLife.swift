import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R28, R30: a quiz with its questions and their wordings drawn.
    struct BeginQuiz: Command {
        static let type = "learnable.quiz.begin"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var quiz = QuizID.none
        var kind = Quiz.Kind.daily

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("quiz", &quiz)
            coder.field("kind", &kind)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            try context.need(kind == .daily ? .quiz : .app, of: student)
            if context.state.quizzes.contains(quiz) { throw .alreadyExists }
            let day = context.day(of: student)
            let questions =
                switch kind {
                case .daily: try daily(row, day, context)
                case .optional: try optional(row, context)
                }
            switch kind {
            case .daily: context.lapseDaily(of: row, unless: day)
            case .optional: context.abandonOptional(of: row, .begunAgain)
            }
            let policy = context.state.policy
            let quizName = context.names.text(quiz)
            let pages = questions.map { page(of: $0, quizName, policy, context) }
            context.record(
                Quiz.Begun.with {
                    $0.student = student
                    $0.quiz = quiz
                    $0.kind = kind
                    $0.day = day
                    $0.timeZone = row.zone
                    $0.statistics = kind == .daily ? .eachAnswer : policy.optionalStatistics
                    $0.questions = pages
                }, on: context.stream(quiz))
        }

        /// R28: every question due today, one quiz a day.
        private func daily(
            _ row: StudentRow, _ day: LocalDate, _ context: Learnable.Context
        ) throws(Rejection) -> [QuestionID] {
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            if epoch.hasCompleted(day) { throw .dailyQuizTaken }
            if let open = epoch.dailyQuiz, context.state.quizzes.read(open, { $0.day }) == day {
                throw .dailyQuizOpen
            }
            let due = context.state.due(row.epoch, on: day)
            if due.isEmpty { throw .nothingDue }
            return due
        }

        /// R30: the first of the pool, shuffled.
        private func optional(
            _ row: StudentRow, _ context: Learnable.Context
        ) throws(Rejection) -> [QuestionID] {
            let policy = context.state.policy
            let pool = context.state.pool(row.epoch)
            let least = policy.optionalWhenFewer == .askAll ? 1 : policy.optionalQuestions
            if pool.count < least { throw .tooFewQuestions }
            let sorted = pool.map { (id: $0, text: context.names.text($0)) }
                .sorted { $0.text.precedes($1.text) }.map(\.id)
            return Array(
                sorted.permuted(with: context.stream(quiz)).prefix(policy.optionalQuestions))
        }

        /// R31: the level and the wording.
        private func page(
            of question: QuestionID, _ quizName: String, _ policy: Policy,
            _ context: Learnable.Context
        ) -> Quiz.Page {
            let row = context.state.questions[question] ?? QuestionRow()
            let variants = context.state.variants[question]?.list ?? []
            var draw = SplitMix64(
                text: "learnable/quiz/\(quizName):\(context.names.text(question))")
            let level: Int
            if kind == .daily, !row.isMastered {
                level = row.level
            } else {
                level = 1 + Int(draw.next() % 4)
            }
            let ofLevel = variants.indices.filter { variants[$0].level == level }
            let formats = policy.level(level).formats
            let allowed = ofLevel.filter { formats.contains(variants[$0].form.format) }
            let candidates = kind == .daily && !allowed.isEmpty ? allowed : ofLevel
            let variant =
                candidates.isEmpty ? 0 : candidates[Int(draw.next() % UInt64(candidates.count))]
            return .with {
                $0.question = question
                $0.level = level
                $0.variant = variant
                $0.format =
                    variants.indices.contains(variant)
                    ? variants[variant].form.format : .multipleChoice
                $0.due = row.isRecurring ? row.due : nil
            }
        }
    }

    /// R28: nothing comes first today any more; the quiz may still be taken.
    struct SkipQuiz: Command {
        static let type = "learnable.quiz.skip"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            try context.need(.quiz, of: student)
            let day = context.day(of: student)
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            if epoch.hasCompleted(day) { throw .dailyQuizTaken }
            if epoch.skipped.contains(day) { throw .alreadySkipped }
            let due = context.state.dueCount(row.epoch, on: day)
            if due == 0 { throw .nothingDue }
            let open = epoch.dailyQuiz.flatMap { quiz in
                context.state.quizzes.read(quiz) { $0.day } == day ? quiz : nil
            }
            context.record(
                Quiz.Skipped.with {
                    $0.student = student
                    $0.day = day
                    $0.quiz = open
                    $0.due = due
                }, on: context.stream(student))
        }
    }
}

extension DecisionContext<Learnable> {
    /// R26: a daily quiz of another day that was left open.
    func lapseDaily(of row: Learnable.StudentRow, unless day: LocalDate) {
        guard let quiz = state.epochs.read(row.epoch, { $0.dailyQuiz }) ?? nil,
            let open = state.quizzes[quiz], open.day != day
        else { return }
        let remaining = state.remaining(open)
        record(
            Learnable.Quiz.Lapsed.with {
                $0.student = open.student
                $0.quiz = quiz
                $0.day = open.day
                $0.asked = open.judged
                $0.correct = open.right
                $0.remaining = remaining
            }, on: stream(quiz))
    }

    /// R26: an optional quiz that was left open leaves no trace.
    func abandonOptional(of row: Learnable.StudentRow, _ reason: Learnable.Quiz.Reason) {
        guard let quiz = state.epochs.read(row.epoch, { $0.optionalQuiz }) ?? nil else { return }
        abandon(quiz, reason)
    }

    private func abandon(_ quiz: Learnable.QuizID, _ reason: Learnable.Quiz.Reason) {
        guard let open = state.quizzes[quiz] else { return }
        record(
            Learnable.Quiz.Abandoned.with {
                $0.student = open.student
                $0.quiz = quiz
                $0.kind = open.kind
                $0.reason = reason
            }, on: stream(quiz))
    }

    /// R24: open quizzes without any remaining question end, the daily one before the optional one.
    func endEmptyQuizzes(of student: Learnable.StudentID) {
        guard let epoch = state.epoch(of: student) else { return }
        for quiz in [epoch.dailyQuiz, epoch.optionalQuiz] {
            guard let quiz, let row = state.quizzes[quiz], state.remaining(row) == 0 else {
                continue
            }
            if row.judged == 0 {
                abandon(quiz, .emptied)
                continue
            }
            let streak = row.kind == .daily ? state.streakCompleting(row) : nil
            record(
                Learnable.Quiz.Completed.with {
                    $0.student = student
                    $0.quiz = quiz
                    $0.kind = row.kind
                    $0.day = row.day
                    $0.asked = row.judged
                    $0.correct = row.right
                    $0.streak = streak
                }, on: stream(quiz))
        }
    }
}

extension Learnable.State {
    /// R32: the streak that the completion of a daily quiz records.
    fileprivate func streakCompleting(_ quiz: Learnable.QuizRow) -> Int {
        guard let epoch = epochs[quiz.epoch], let latest = epoch.completedDailies.last?.day else {
            return 1
        }
        if quiz.day <= latest { return epoch.lastStreak }
        if quiz.day == latest.adding(days: 1) { return epoch.lastStreak + 1 }
        let wasOverdue = quiz.pages.contains { page in
            page.page.due.map { $0 < quiz.day } ?? false
        }
        return policy.quizIdleDays == .neutral && !wasOverdue ? epoch.lastStreak + 1 : 1
    }
}
