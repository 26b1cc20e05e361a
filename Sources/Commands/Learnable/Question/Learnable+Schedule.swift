import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension DecisionContext<Learnable> {
    /// Draws an interval within the level's range, with the question and the revision of the event that
    /// records it (R3, R19).
    func interval(of question: Learnable.QuestionID, level: Int, revision: Int) -> Int {
        let limits = state.policy.level(level)
        var draw = SplitMix64(text: "\(stream(of: question)):\(revision)")
        let width = UInt64(max(0, limits.maxDays - limits.minDays) + 1)
        return limits.minDays + Int(draw.next() % width)
    }

    /// Schedules a question whose answer in a daily quiz was judged (R21).
    func schedule(
        _ question: Learnable.QuestionID, in quiz: Learnable.QuizID, correct: Bool
    ) {
        guard let row = state.questions[question] else { return }
        let policy = state.policy
        let day = day(of: row.student)
        let level = row.level
        func drawn(_ level: Int) -> Int {
            interval(of: question, level: level, revision: row.events)
        }
        var afterWrong: Int {
            switch policy.wrongAnswerDue {
            case .shortest: policy.level(level).minDays
            case .tomorrow: 1
            case .range: drawn(level)
            }
        }
        func keep(count: Int, interval: Int) {
            record(
                Learnable.Question.Scheduled(
                    student: row.student,
                    question: question,
                    quiz: quiz,
                    correct: correct,
                    level: level,
                    correctAtLevel: count,
                    mastered: row.isMastered,
                    turn: .init(on: day, after: interval)), on: question)  // due after days (R2)
        }
        if row.isMastered {
            keep(count: row.correctAtLevel, interval: policy.masteredEveryDays)
        } else if !correct {
            keep(count: policy.countAfterWrong(row.correctAtLevel), interval: afterWrong)
        } else if row.correctAtLevel + 1 < policy.level(level).correctToAdvance {
            keep(count: row.correctAtLevel + 1, interval: drawn(level))
        } else if level < 4 {
            record(
                Learnable.Question.Advanced(
                    student: row.student,
                    question: question,
                    quiz: quiz,
                    level: level + 1,
                    correctAtLevel: 0,
                    turn: .init(on: day, after: drawn(level + 1))), on: question)
        } else {
            record(
                Learnable.Question.Mastered(
                    student: row.student,
                    question: question,
                    quiz: quiz,
                    level: 4,
                    correctAtLevel: row.correctAtLevel + 1,
                    turn: .init(on: day, after: policy.masteredEveryDays)), on: question)
        }
    }
}

extension Learnable.Policy {
    /// The level's count of correct answers after a wrong one (R21).
    fileprivate func countAfterWrong(_ count: Int) -> Int {
        switch wrongAnswerCount {
        case .kept: count
        case .minusOne: max(0, count - 1)
        case .reset: 0
        }
    }
}
