import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

/// What the timers do when they fire (page, Timers).
extension DecisionContext<Learnable> {
    func fire(_ timer: DueTimer) {
        let parts = timer.stream.text(in: names).split(separator: "/")
        guard parts.count == 3, let id = names.known(String(parts[2])) else { return }
        if timer.name == Learnable.DraftTimer.name {
            discard(Learnable.DraftID(id))
            return
        }
        let student = Learnable.StudentID(id)
        guard let row = state.students[student], row.isActive else { return }
        switch timer.name {
        case Learnable.AccessTimer.trialReminder: remindOfTrial(student, row)
        case Learnable.AccessTimer.trialEnd: endTrial(student, row)
        case Learnable.AccessTimer.subscriptionEnd: endSubscription(student, row)
        default:
            if let kind = Learnable.ReminderKind(timer: timer.name) { remind(student, row, kind) }
        }
    }

    /// Warns that the trial is about to end (R7).
    private func remindOfTrial(_ student: Learnable.StudentID, _ row: Learnable.StudentRow) {
        guard let trial = row.trial else { return }
        notify(
            student, .trialEnding,
            [("daysRemaining", .integer(Int64(trial.daysRemaining(at: at))))],
            target: Learnable.Target.subscription)
    }

    /// Ends the trial for good (R7).
    private func endTrial(_ student: Learnable.StudentID, _ row: Learnable.StudentRow) {
        guard row.trial != nil else { return }
        record(
            Learnable.Trial.Ended(
                student: student,
                reason: .expired), on: student)
        notify(student, .trialEnded, [], target: Learnable.Target.subscription)
    }

    /// Ends a subscription whose paid time is used up (R8).
    private func endSubscription(_ student: Learnable.StudentID, _ row: Learnable.StudentRow) {
        guard let subscription = row.subscription else { return }
        let reason: Learnable.Subscription.End = subscription.isCancelled ? .cancelled : .notRenewed
        record(
            Learnable.Subscription.Ended(
                student: student,
                reason: reason), on: student)
        notify(
            student, .subscriptionEnded, [("reason", .string(reason.rawValue))],
            target: Learnable.Target.subscription)
    }

    /// Raises a reminder, if it is still due; its `day` is the day on which it was due (R44).
    private func remind(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, _ kind: Learnable.ReminderKind
    ) {
        guard let (day, due) = state.reminder(kind, of: student), due == at,
            let epoch = state.epochs[row.epoch]
        else { return }
        let facts: [(String, JSON)]
        let target: String
        switch kind {
        case .dailyQuiz:
            facts = [("due", .integer(Int64(state.dueCount(row.epoch, on: day))))]
            target = Learnable.Target.dailyQuiz
        case .study:
            facts = [("minutes", .integer(Int64(state.policy.studyMinutes)))]
            target = state.recent(row.epoch).map { $0.target(names) } ?? Learnable.Target.home
        case .quickQuiz:
            facts = [("frequency", .string(epoch.quickQuizFrequency.rawValue))]
            target = Learnable.Target.optionalQuiz
        }
        notify(student, kind.notification, facts, target: target, on: day)
    }

    /// Discards a draft that nobody changed for long.
    private func discard(_ draft: Learnable.DraftID) {
        guard let row = try? find(draft), row.state == .open else { return }
        record(
            Learnable.Draft.Discarded(
                student: row.student,
                draft: draft,
                reason: .expired), on: draft)
    }
}
