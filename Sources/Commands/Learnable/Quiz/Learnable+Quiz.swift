import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Begins a quiz: draws its questions and their wordings (R28, R30).
    struct BeginQuiz: Command {
        static let type = "learnable.quiz.begin"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var quiz = QuizID.none
        var kind = Quiz.Kind.daily

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: kind == .daily ? .quiz : .app)
            try context.checkIsFree(quiz, unless: context.state.quizzes.contains(quiz))
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
            let stream = context.stream(of: quiz)
            let pages = questions.map { page(of: $0, drawnWith: stream, policy, context) }
            context.record(
                Quiz.Begun(
                    student: student,
                    quiz: quiz,
                    kind: kind,
                    day: day,
                    timeZone: row.zone,
                    statistics: kind == .daily ? .eachAnswer : policy.optionalStatistics,
                    questions: pages), on: quiz)
        }

        /// The questions due today that come first, one quiz a day (R28).
        private func daily(
            _ row: StudentRow, _ day: LocalDate, _ context: Learnable.Context
        ) throws(Rejection) -> [QuestionID] {
            let epoch = context.state.epoch(of: row)
            if epoch.hasCompleted(day) { throw .dailyQuizTaken }
            if let open = epoch.dailyQuiz, context.state.quizzes.read(open, { $0.day }) == day {
                throw .dailyQuizOpen
            }
            let due = context.state.due(row.epoch, on: day)
            if due.isEmpty { throw .nothingDue }
            return Array(due.prefix(Self.mostDaily))
        }

        /// So many that one event with them can be proved, however long their ids are (R28, `too-large`).
        private static let mostDaily = 400

        /// The first questions of the shuffled pool (R30).
        private func optional(
            _ row: StudentRow, _ context: Learnable.Context
        ) throws(Rejection) -> [QuestionID] {
            let policy = context.state.policy
            let pool = context.state.pool(row.epoch)
            if pool.count < policy.leastForOptionalQuiz { throw .tooFewQuestions }
            let sorted = pool.map { (id: $0, text: context.names.text($0)) }
                .sorted { $0.text.precedes($1.text) }.map(\.id)
            return Array(
                sorted.permuted(with: context.stream(of: quiz)).prefix(policy.optionalQuestions))
        }

        /// Draws a question's level and wording (R3, R31).
        private func page(
            of question: QuestionID, drawnWith stream: String, _ policy: Policy,
            _ context: Learnable.Context
        ) -> Quiz.Page {
            let row = context.state.questions[question] ?? QuestionRow()
            let variants = context.state.variants[question]?.list ?? []
            var draw = SplitMix64(text: "\(stream):\(context.names.text(question))")
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

    /// Skips the daily quiz of today; it may still be taken (R28).
    struct SkipQuiz: StudentAlone {
        static let type = "learnable.quiz.skip"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: .quiz)
            let day = context.day(of: student)
            let epoch = context.state.epoch(of: row)
            if epoch.hasCompleted(day) { throw .dailyQuizTaken }
            if epoch.skipped.contains(day) { throw .alreadySkipped }
            let due = context.state.dueCount(row.epoch, on: day)
            if due == 0 { throw .nothingDue }
            let open = epoch.dailyQuiz.flatMap { quiz in
                context.state.quizzes.read(quiz) { $0.day } == day ? quiz : nil
            }
            context.record(
                Quiz.Skipped(
                    student: student,
                    day: day,
                    quiz: open,
                    due: due), on: student)
        }
    }
}

extension DecisionContext<Learnable> {
    /// Whether the latest opening led to the daily quiz of today, and that still waits and may be taken (R27).
    func isDailyQuizFirst(_ student: Learnable.StudentID) -> Bool {
        guard let row = state.students[student],
            let opened = state.epochs.read(row.epoch, { $0.opened }) ?? nil
        else { return false }
        let today = day(of: student)
        return opened.landing == .dailyQuiz && opened.day == today
            && state.waits(row.epoch, on: today) && state.admitsQuiz(row.access(at: at))
    }
}
