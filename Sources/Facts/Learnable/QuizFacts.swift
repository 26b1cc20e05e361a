package import Core
package import Folding
package import LearnableEvents

extension Learnable.Academy {
    static func quizRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Quiz.Begun.self) { $0.begun($1, $2) }
        routes.fold(Learnable.Quiz.Answered.self) { academy, fact, event in
            academy.answered(fact, event)
        }
        routes.fold(Learnable.Quiz.SelfAssessed.self) { academy, fact, _ in
            academy.selfAssessed(fact)
        }
        routes.fold(Learnable.Quiz.Completed.self) { $0.completed($1, $2) }
        routes.fold(Learnable.Quiz.Lapsed.self) { academy, fact, _ in
            academy.end(fact.quiz, .lapsed)
        }
        routes.fold(Learnable.Quiz.Abandoned.self) { academy, fact, _ in
            academy.end(fact.quiz, .abandoned)
        }
        routes.fold(Learnable.Quiz.Skipped.self) { academy, fact, _ in
            academy.changeEpoch(of: fact.student) { $0.skipped.insert(fact.day) }
        }
    }

    private func begun(_ fact: Learnable.Quiz.Begun, _ event: Circumstances) {
        guard let epoch = students.read(fact.student, { $0.epoch }) else { return }
        quizzes.update(fact.quiz) {
            $0.student = fact.student
            $0.epoch = epoch
            $0.person = Word(event.subject)
            $0.kind = fact.kind
            $0.day = fact.day
            $0.statistics = fact.statistics
            $0.pages = fact.questions.map { page in .with { $0.page = page } }
            $0.answers = Array(repeating: nil, count: fact.questions.count)
        }
        let place = epochs.update(epoch) { row in
            switch fact.kind {
            case .daily: row.dailyQuiz = fact.quiz
            case .optional: row.optionalQuiz = fact.quiz
            }
            row.quizzes += 1
            return row.quizzes - 1
        }
        quizLists.append(fact.quiz, to: epoch, at: place)
    }

    private func answered(_ fact: Learnable.Quiz.Answered, _ event: Circumstances) {
        guard let row = quizzes[fact.quiz], let index = row.index(of: fact.question) else { return }
        quizzes.updateExisting(fact.quiz) {
            $0.pages[index].isAnswered = true
            $0.pages[index].choice = fact.verdict.choice
            $0.pages[index].correct = fact.verdict.correct
            if $0.answers.indices.contains(index) { $0.answers[index] = fact.verdict.answer }
        }
        if row.statistics == .eachAnswer {
            count(fact.question, asked: 1, correct: fact.verdict.correct == true)
        }
    }

    private func selfAssessed(_ fact: Learnable.Quiz.SelfAssessed) {
        guard let row = quizzes[fact.quiz], let index = row.index(of: fact.question) else { return }
        quizzes.updateExisting(fact.quiz) { $0.pages[index].correct = fact.correct }
        if row.statistics == .eachAnswer {
            count(fact.question, asked: 0, correct: fact.correct)
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

    private func completed(_ fact: Learnable.Quiz.Completed, _ event: Circumstances) {
        guard let row = quizzes[fact.quiz] else { return }
        quizzes.updateExisting(fact.quiz) { $0.streak = fact.streak }
        end(fact.quiz, .completed)
        if row.statistics == .completed {
            for page in row.pages where page.isJudged {
                count(page.page.question, asked: 1, correct: page.correct == true)
            }
        }
        let day = day(of: fact.student, at: event.at)
        epochs.updateExisting(row.epoch) { epoch in
            switch fact.kind {
            case .daily:
                let streak = fact.streak ?? 0
                epoch.lastStreak = streak
                epoch.longestStreak = max(epoch.longestStreak, streak)
                let place = epoch.completedDailies.place { $0.day < fact.day }
                epoch.completedDailies.insert(
                    .with { ($0.day, $0.quiz) = (fact.day, fact.quiz) }, at: place)
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

extension Learnable.Academy {
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
