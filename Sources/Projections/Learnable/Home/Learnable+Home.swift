import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What greets the student? (R25, R39, R40)
    static let homeView = ReadModel<State>(
        "learnable.home", "What greets the student?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(
            Grounds.life, Grounds.policy,
            .types(Promotion.Announced.self, Promotion.Withdrawn.self))
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let epoch = state.epoch(of: row)
        let today = state.day(of: student, at: request.now)
        let names = state.names
        output.object { output in
            output.member("access", row.access(at: request.now))
            output.array("bar", state.bar(student, row, today, at: request.now)) {
                output, entry in
                output.object { output in
                    output.member("kind", entry.kind)
                    output.member("target", entry.target)
                    output.member("text", entry.text)
                }
            }
            output.member("landing", state.landing(of: student, at: request.now))
            output.member("optionalQuizReady", state.isOptionalQuizReady(epoch))
            if let recent = state.recent(row.epoch) {
                output.object("recent") { output in
                    output.member("block", recent.block)
                    output.member("subject", recent.subject)
                    output.member("target", recent.target(names))
                    output.member("title", recent.title)
                    output.member("topic", recent.topic)
                    output.member("topicTitle", recent.topicTitle)
                }
            } else {
                output.member("recent", String?.none)
            }
            let library = state.library(epoch).filter {
                $0.row.state == .ready && !$0.row.isArchived
            }
            output.array("subjects", state.sorted(library, by: .accessed, .desc)) {
                output, entry in
                output.object { output in
                    output.member("subject", entry.id)
                    output.member("title", state.title(of: entry.id, entry.row))
                }
            }
            output.member("today", today)
        }
        return true
    }
}

/// One entry of the notification bar.
struct BarEntry {
    let kind: String
    let target: String
    let text: String
}

extension Learnable.State {
    /// The entries of the notification bar, in the order that R39 gives.
    fileprivate func bar(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, _ today: LocalDate,
        at now: Instant
    ) -> [BarEntry] {
        var entries: [BarEntry] = []
        let access = row.access(at: now)
        let due = dueCount(row.epoch, on: today)
        if isQuizShown(row, due, today), admitsQuiz(access) {
            entries.append(
                BarEntry(
                    kind: "quiz-due", target: Learnable.Target.dailyQuiz,
                    text: "Quiz due: \(counted(due, "question")) today"))
        }
        if access == .trial, let trial = row.trial {
            let left = trial.daysRemaining(at: now)
            entries.append(
                BarEntry(
                    kind: "trial", target: Learnable.Target.subscription,
                    text: "\(counted(left, "day")) remaining"))
        }
        if access == .none {
            entries.append(
                BarEntry(
                    kind: "subscribe", target: Learnable.Target.subscription,
                    text: "Subscribe to continue"))
        }
        return entries + promotions(access, at: now)
    }

    private func isQuizShown(
        _ row: Learnable.StudentRow, _ due: Int, _ today: LocalDate
    ) -> Bool {
        if waits(row.epoch, on: today) { return true }
        let epoch = epoch(of: row)
        return policy.afterSkip == .indicator && epoch.skipped.contains(today) && due > 0
            && !epoch.hasCompleted(today)
    }
}
