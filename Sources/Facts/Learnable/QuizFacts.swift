package import Core
package import Folding
package import LearnableEvents

extension Learnable.State {
    static func quizRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Quiz.Begun.self) { $0.begun($1, $2) }
        routes.fold(Learnable.Quiz.Answered.self) { state, event, metadata in
            state.answered(event, metadata)
        }
        routes.fold(Learnable.Quiz.SelfAssessed.self) { state, event, _ in
            state.selfAssessed(event)
        }
        routes.fold(Learnable.Quiz.Completed.self) { $0.completed($1, $2) }
        routes.fold(Learnable.Quiz.Lapsed.self) { state, event, _ in
            state.end(event.quiz, .lapsed)
        }
        routes.fold(Learnable.Quiz.Abandoned.self) { state, event, _ in
            state.end(event.quiz, .abandoned)
        }
        routes.fold(Learnable.Quiz.Skipped.self) { state, event, _ in
            state.changeEpoch(of: event.student) { $0.skipped.insert(event.day) }
        }
    }

    private func begun(_ event: Learnable.Quiz.Begun, _ metadata: EventMetadata) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        quizzes.update(event.quiz) {
            $0.student = event.student
            $0.epoch = epoch
            $0.person = Word(metadata.subject)
            $0.kind = event.kind
            $0.day = event.day
            $0.statistics = event.statistics
            $0.pages = event.questions.map { page in .with { $0.page = page } }
            $0.answers = Array(repeating: nil, count: event.questions.count)
        }
        let place = epochs.update(epoch) { row in
            switch event.kind {
            case .daily: row.dailyQuiz = event.quiz
            case .optional: row.optionalQuiz = event.quiz
            }
            row.quizzes += 1
            return row.quizzes - 1
        }
        quizLists.append(event.quiz, to: epoch, at: place)
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
            count(event.question, asked: 1, correct: event.verdict.correct == true)
        }
    }

    private func selfAssessed(_ event: Learnable.Quiz.SelfAssessed) {
        guard let row = quizzes[event.quiz], let index = row.index(of: event.question) else {
            return
        }
        quizzes.updateExisting(event.quiz) { $0.pages[index].correct = event.correct }
        if row.statistics == .eachAnswer {
            count(event.question, asked: 0, correct: event.correct)
        }
    }

    /// R23: Times Asked and Times Correct, of the question and of all that it counts in.
    private func count(_ question: Learnable.QuestionID, asked: Int, correct: Bool) {
        guard let row = questions[question] else { return }
        let right = correct ? 1 : 0
        questions.updateExisting(question) {
            $0.asked += asked
            $0.correct += right
        }
        topics.updateExisting(.init(row.subject, Ordinal(row.topic))) {
            $0.asked += asked
            $0.correct += right
            if correct, row.correct == 0 { $0.everCorrect += 1 }
        }
        epochs.updateExisting(row.epoch) {
            $0.asked += asked
            $0.correct += right
        }
    }

    private func completed(_ event: Learnable.Quiz.Completed, _ metadata: EventMetadata) {
        guard let row = quizzes[event.quiz] else { return }
        quizzes.updateExisting(event.quiz) { $0.streak = event.streak }
        end(event.quiz, .completed)
        if row.statistics == .completed {
            for page in row.pages where page.isJudged {
                count(page.page.question, asked: 1, correct: page.correct == true)
            }
        }
        let day = day(of: event.student, at: metadata.at)
        epochs.updateExisting(row.epoch) { epoch in
            switch event.kind {
            case .daily:
                let streak = event.streak ?? 0
                epoch.lastStreak = streak
                epoch.longestStreak = max(epoch.longestStreak, streak)
                let place = epoch.completedDailies.place { $0.day < event.day }
                epoch.completedDailies.insert(
                    .with { ($0.day, $0.quiz) = (event.day, event.quiz) }, at: place)
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
    /// R24: the questions of a quiz that are still in the pool and not judged in it.
    package func remaining(_ row: Learnable.QuizRow) -> Int {
        row.pages.count { !$0.isJudged && isInPool($0.page.question) }
    }

    /// R25: whether the daily quiz of a day waits.
    package func waits(_ epoch: Ordinal, on day: LocalDate) -> Bool {
        let isOver = epochs.read(epoch) { $0.hasCompleted(day) || $0.skipped.contains(day) } ?? true
        return !isOver && dueCount(epoch, on: day) > 0
    }

    /// R25: what greets the student at an instant.
    package func landing(
        of student: Learnable.StudentID, at instant: Instant
    ) -> Learnable.App.Landing {
        guard let row = students[student] else { return .home }
        let policy = policy
        if row.access(at: instant) == .none, policy.afterTrial == .wholeApp {
            return .subscription
        }
        let day = day(of: student, at: instant)
        guard waits(row.epoch, on: day) else { return .home }
        switch policy.dailyFirst {
        case .everyOpen: return .dailyQuiz
        case .firstOpen:
            let isFirst = epochs.read(row.epoch) { !$0.openDays.contains(day) } ?? true
            return isFirst ? .dailyQuiz : .home
        case .never: return .home
        }
    }

    /// R32: the present streak on a day.
    package func quizStreak(_ epoch: Ordinal, on day: LocalDate) -> Int {
        guard let row = epochs[epoch], let latest = row.completedDailies.last?.day else { return 0 }
        if day <= latest.adding(days: 1) { return row.lastStreak }
        guard policy.quizIdleDays == .neutral else { return 0 }
        if let first = row.dueDays.first?.day, first < day { return 0 }
        return row.lastStreak
    }
}

extension Learnable.EpochRow {
    package func hasCompleted(_ day: LocalDate) -> Bool {
        completedDaily(day) != nil
    }

    /// The daily quiz of a day that is completed.
    package func completedDaily(_ day: LocalDate) -> Learnable.QuizID? {
        let place = completedDailies.place { $0.day < day }
        guard place < completedDailies.count, completedDailies[place].day == day else { return nil }
        return completedDailies[place].quiz
    }
}
