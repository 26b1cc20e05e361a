package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The result of a completed practice.
    package struct PracticeScore: Record {
        package var finishedAt = Instant.epoch
        package var score = Percent.zero
        package var tally = Outcome.Tally.empty

        package init() {}
    }
}

extension Tafawoq.State {
    static func practiceRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Practice.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Practice.Delivered.self) { state, event, metadata in
            state.delivered(
                .practice(event.practice), event.questions, event.passages, event.waitedSeconds,
                deadline: nil, metadata)
        }
        routes.on(Tafawoq.Practice.Answered.self) { state, event, metadata in
            state.answered(.practice(event.practice), event.answers, metadata)
        }
        routes.on(Tafawoq.Practice.Abandoned.self) { state, event, metadata in
            state.end(.practice(event.practice), .abandoned, metadata) {
                $0.reason = "left"
                $0.answered = event.answered
                $0.correct = event.correct
            }
        }
        routes.on(Tafawoq.Practice.Completed.self) { $0.completed($1, $2) }
    }

    private func started(_ event: Tafawoq.Practice.Started, _ metadata: EventMetadata) {
        guard let progress = learning[event.student] else { return }
        let key = Tafawoq.SittingKey.practice(event.practice)
        begin(key, of: event.student, event.tier, event.queued, until: event.generateBy, metadata) {
            $0.device = event.device
            $0.scope = event.section
            $0.chosen = event.categories
            $0.difficulty = event.difficulty
            $0.asked = event.questions
            $0.plan = event.plan
        }
        practices.append(key.id, to: event.student, at: progress.practices)
        learning.updateExisting(event.student) {
            $0.practices += 1
            $0.openPractice = key.id
        }
    }

    private func completed(_ event: Tafawoq.Practice.Completed, _ metadata: EventMetadata) {
        let key = Tafawoq.SittingKey.practice(event.practice)
        guard sittings.contains(key), let before = learning[event.student] else { return }
        var score = Tafawoq.PracticeScore()
        score.finishedAt = event.finishedAt
        score.score = event.score
        score.tally = event.tally
        end(key, .completed, metadata) {
            $0.answered = event.tally.answered
            $0.correct = event.tally.correct
            $0.score = .practice(score)
        }
        completedPractices.append(key.id, to: event.student, at: before.completedPractices)
        learning.updateExisting(event.student) {
            $0.completedPractices += 1
            // Not `totalSeconds`: asked as of an instant, a practice recorded earlier may not count.
            $0.practiceSeconds = $0.practiceSeconds.addingClamping(event.tally.seconds)
        }
        compare(key, of: event.student, event.score)
        noteActivity(event.student, metadata)
    }

    /// The completed practices in order of completion, the first `count` of them.
    package func completedPractices(
        of student: Tafawoq.StudentID, first count: Int? = nil
    ) -> [(id: Tafawoq.SittingID, row: Tafawoq.SittingRow, score: Tafawoq.PracticeScore)] {
        let all = learning[student]?.completedPractices ?? 0
        return completedPractices.elements(of: student, count: min(all, count ?? all)).compactMap {
            id in
            guard let row = sittings[.init(.practice, id)], let score = row.practiceScore else {
                return nil
            }
            return (id, row, score)
        }
    }

    /// The most questions and categories of one practice, by tier (R38).
    package func practiceLimits(_ tier: Tafawoq.Tier) -> (questions: Int?, categories: Int?) {
        tier == .premium
            ? (policy.premiumPracticeQuestions, policy.premiumPracticeCategories)
            : (policy.freePracticeQuestions, policy.freePracticeCategories)
    }
}
