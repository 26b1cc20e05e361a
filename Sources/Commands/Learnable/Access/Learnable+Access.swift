import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// What the student's access must allow (R6; page, Needs).
    enum Need {
        case settings, quiz, app, chat, create, publish
    }
}

extension DecisionContext<Learnable> {
    /// `subscription-required` if the access does not allow it (R6), `daily-quiz-first` if the daily quiz
    /// comes before it (R27). Only checked when a student sends the command.
    func checkNeed(
        _ need: Learnable.Need, of student: Learnable.StudentID
    ) throws(Learnable.Rejection) {
        guard actor.kind == .student, !isToldAgain else { return }
        if state.access(of: student, at: at) == .none {
            switch (state.policy.afterTrial, need) {
            case (_, .settings): break
            case (.wholeApp, _), (.premiumFeatures, .chat), (.premiumFeatures, .publish):
                throw .subscriptionRequired
            case (.premiumFeatures, .quiz), (.premiumFeatures, .app), (.premiumFeatures, .create):
                break
            }
        }
        if need != .quiz { try check(!isDailyQuizFirst(student), else: .dailyQuizFirst) }
    }

    /// `subject-limit` if a student without access has made as many subjects as they may (R6).
    func checkSubjectLimit(_ student: Learnable.StudentID) throws(Learnable.Rejection) {
        guard state.access(of: student, at: at) == .none,
            state.policy.afterTrial == .premiumFeatures
        else { return }
        let (made, limit) = (state.subjectsCounted(student), state.policy.freeLimit)
        try check(made < limit, else: .subjectLimit) {
            [("limit", "\(limit)"), ("made", "\(made)")]
        }
    }
}
