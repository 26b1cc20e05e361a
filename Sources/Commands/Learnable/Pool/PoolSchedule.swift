import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable.Policy {
    /// R19: an interval within the level's range, drawn with the question and the revision of the event
    /// that records it.
    func interval(level: Int, question: String, revision: Int) -> Int {
        let limits = self.level(level)
        var draw = SplitMix64(text: "learnable/question/\(question):\(revision)")
        let width = UInt64(max(0, limits.maxDays - limits.minDays) + 1)
        return limits.minDays + Int(draw.next() % width)
    }
}

extension DecisionContext<Learnable> {
    /// R21: what a daily answer does to its question, once it is judged.
    func schedule(
        _ question: Learnable.QuestionID, in quiz: Learnable.QuizID, correct: Bool
    ) {
        guard let row = state.questions[question] else { return }
        let policy = state.policy
        let day = day(of: row.student)
        let level = row.level
        /// R19.
        func drawn(_ level: Int) -> Int {
            policy.interval(
                level: level, question: names.text(question), revision: row.events)
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
                Learnable.Question.Scheduled.with {
                    $0.student = row.student
                    $0.question = question
                    $0.quiz = quiz
                    $0.correct = correct
                    $0.level = level
                    $0.correctAtLevel = count
                    $0.mastered = row.isMastered
                    $0.turn = .init(on: day, after: interval)
                }, on: stream(question))
        }
        if row.isMastered {
            keep(count: row.correctAtLevel, interval: policy.masteredEveryDays)
        } else if !correct {
            keep(count: policy.countAfterWrong(row.correctAtLevel), interval: afterWrong)
        } else if row.correctAtLevel + 1 < policy.level(level).correctToAdvance {
            keep(count: row.correctAtLevel + 1, interval: drawn(level))
        } else if level < 4 {
            record(
                Learnable.Question.Advanced.with {
                    $0.student = row.student
                    $0.question = question
                    $0.quiz = quiz
                    $0.level = level + 1
                    $0.turn = .init(on: day, after: drawn(level + 1))
                }, on: stream(question))
        } else {
            record(
                Learnable.Question.Mastered.with {
                    $0.student = row.student
                    $0.question = question
                    $0.quiz = quiz
                    $0.correctAtLevel = row.correctAtLevel + 1
                    $0.turn = .init(on: day, after: policy.masteredEveryDays)
                }, on: stream(question))
        }
    }
}

extension Learnable.Policy {
    /// R21: the level's count after a wrong answer.
    fileprivate func countAfterWrong(_ count: Int) -> Int {
        switch wrongAnswerCount {
        case .kept: count
        case .minusOne: max(0, count - 1)
        case .reset: 0
        }
    }
}
