package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A daily or optional quiz.
    package struct QuizRow: Record {
        package enum State: String, Choice {
            case open, completed, lapsed, abandoned
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var person = InternedText.empty
        package var kind = Quiz.Kind.daily
        package var day = LocalDate.epoch
        package var statistics = Quiz.Statistics.eachAnswer
        package var state = State.open
        package var streak: Int?
        package var pages: [QuizPage] = []
        /// The texts answered, by page.
        package var answers: [AnyString?] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("person", &person)
            coder.field("kind", &kind)
            coder.field("day", &day)
            coder.field("statistics", &statistics)
            coder.field("state", &state)
            coder.field("streak", &streak)
            coder.field("pages", &pages)
            let hasAny = answers.contains { $0 != nil }
            var texts: [AnyString?]? = hasAny ? answers : nil
            coder.kept("answers", &texts, of: person.symbol)
            answers = texts ?? Array(repeating: nil, count: pages.count)
        }

        package var judged: Int { pages.count { $0.isJudged } }
        package var right: Int { pages.count { $0.correct == true } }

        package func index(of question: QuestionID) -> Int? {
            pages.firstIndex { $0.page.question == question }
        }
    }

    /// A question of a quiz, and what was answered.
    package struct QuizPage: Record {
        package var page = Quiz.Page()
        package var isAnswered = false
        package var choice: Int?
        /// Nil until it is judged.
        package var correct: Bool?

        package init() {}

        package var isJudged: Bool { correct != nil }
    }
}

extension Learnable.State {
    static func quizRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Quiz.Begun.self) { $0.begun($1, $2) }
        routes.on(Learnable.Quiz.Answered.self) { state, event, metadata in
            state.answered(event, metadata)
        }
        routes.on(Learnable.Quiz.SelfAssessed.self) { state, event, _ in
            state.selfAssessed(event)
        }
        routes.on(Learnable.Quiz.Completed.self) { $0.completed($1, $2) }
        routes.on(Learnable.Quiz.Lapsed.self) { state, event, _ in
            state.end(event.quiz, .lapsed)
        }
        routes.on(Learnable.Quiz.Abandoned.self) { state, event, _ in
            state.end(event.quiz, .abandoned)
        }
        routes.on(Learnable.Quiz.Skipped.self) { state, event, _ in
            state.changeEpoch(of: event.student) { $0.skipped.insert(event.day) }
        }
        routes.on(Learnable.Quiz.Missed.self) { state, event, _ in
            state.changeEpoch(of: event.student) { $0.missed = event.day }
        }
    }

    private func begun(_ event: Learnable.Quiz.Begun, _ metadata: EventMetadata) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        quizzes.update(event.quiz) {
            $0.student = event.student
            $0.epoch = epoch
            $0.person = InternedText(metadata.subject)
            $0.kind = event.kind
            $0.day = event.day
            $0.statistics = event.statistics
            $0.pages = event.questions.map { page in .with { $0.page = page } }
            $0.answers = Array(repeating: nil, count: event.questions.count)
        }
        if event.statistics == .eachAnswer {
            for page in event.questions { countPresentation(of: page.question) }
        }
        let index = epochs.update(epoch) { row in
            switch event.kind {
            case .daily: row.dailyQuiz = event.quiz
            case .optional: row.optionalQuiz = event.quiz
            }
            row.quizzes += 1
            return row.quizzes - 1
        }
        quizLists.append(event.quiz, to: epoch, at: index)
    }

    private func answered(_ event: Learnable.Quiz.Answered, _ metadata: EventMetadata) {
        guard let row = quizzes[event.quiz], let index = row.index(of: event.question) else {
            return
        }
        quizzes.updateExisting(event.quiz) {
            $0.pages[index].isAnswered = true
            $0.pages[index].choice = event.verdict.choice
            $0.pages[index].correct = event.verdict.correct
            if $0.answers.indices.contains(index) { $0.answers[index] = event.verdict.answer }
        }
        if row.statistics == .eachAnswer {
            count(event.question, answered: 1, correct: event.verdict.correct == true)
        }
    }

    private func selfAssessed(_ event: Learnable.Quiz.SelfAssessed) {
        guard let row = quizzes[event.quiz], let index = row.index(of: event.question) else {
            return
        }
        quizzes.updateExisting(event.quiz) { $0.pages[index].correct = event.correct }
        if row.statistics == .eachAnswer {
            count(event.question, answered: 0, correct: event.correct)
        }
    }

    private func completed(_ event: Learnable.Quiz.Completed, _ metadata: EventMetadata) {
        guard let row = quizzes[event.quiz] else { return }
        quizzes.updateExisting(event.quiz) { $0.streak = event.streak }
        end(event.quiz, .completed)
        if row.statistics == .completed {
            for page in row.pages {
                countPresentation(of: page.page.question)
                guard page.isJudged else { continue }
                count(page.page.question, answered: 1, correct: page.correct == true)
            }
        }
        let day = day(of: event.student, at: metadata.at)
        epochs.updateExisting(row.epoch) { epoch in
            switch event.kind {
            case .daily:
                let streak = event.streak ?? 0
                epoch.lastStreak = streak
                epoch.longestStreak = max(epoch.longestStreak, streak)
                let index = epoch.completedDailies.insertionIndex { $0.day < event.day }
                epoch.completedDailies.insert(
                    .with { ($0.day, $0.quiz) = (event.day, event.quiz) }, at: index)
            case .optional: epoch.optionalDays.insert(day)
            }
        }
    }

    private func end(_ quiz: Learnable.QuizID, _ state: Learnable.QuizRow.State) {
        guard let row = quizzes[quiz] else { return }
        quizzes.updateExisting(quiz) { $0.state = state }
        epochs.updateExisting(row.epoch) { epoch in
            if epoch.dailyQuiz == quiz { epoch.dailyQuiz = nil }
            if epoch.optionalQuiz == quiz { epoch.optionalQuiz = nil }
        }
    }
}

extension Learnable.State {
    /// How many questions of a quiz are still in the pool and not judged in it (R24).
    package func remaining(_ row: Learnable.QuizRow) -> Int {
        row.pages.count { !$0.isJudged && isInPool($0.page.question) }
    }

    /// Whether the daily quiz of a day waits (R25).
    package func waits(_ epoch: Ordinal, on day: LocalDate) -> Bool {
        let isOver = epochs.read(epoch) { $0.hasCompleted(day) || $0.skipped.contains(day) } ?? true
        return !isOver && dueCount(epoch, on: day) > 0
    }
}

extension Learnable.Policy {
    /// How many questions the pool must have for an optional quiz (R30).
    package var leastForOptionalQuiz: Int { optionalWhenFewer == .askAll ? 1 : optionalQuestions }
}
