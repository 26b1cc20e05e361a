package import Core
import Folding
package import TafawoqEvents

/// What commands and read models ask alike.
extension Tafawoq.State {
    /// R24: the quota is used up until it resets.
    package func quotaResets(after instant: Instant) -> Instant? {
        guard let quota = roll[.only]?.quota, quota.usedPercent >= .hundred,
            instant < quota.resetsAt
        else { return nil }
        return quota.resetsAt
    }

    /// R23: exams of the tier that were started in the week of the instant and count.
    package func used(
        by student: Tafawoq.StudentID, _ tier: Tafawoq.Tier, at instant: Instant
    ) -> Int {
        let week = week(of: instant)
        let ids = exams.elements(of: student, count: learning[student]?.exams ?? 0)
        return ids.count { id in
            sittings.read(.init(.exam, id)) {
                $0.counts && $0.tier == tier && week.contains($0.startedAt)
            } ?? false
        }
    }

    /// R23
    package func weeklyLimit(_ tier: Tafawoq.Tier) -> Int? {
        tier == .premium ? policy.premiumExamsPerWeek : policy.freeExamsPerWeek
    }

    /// R38
    package func practiceLimits(_ tier: Tafawoq.Tier) -> (questions: Int?, categories: Int?) {
        tier == .premium
            ? (policy.premiumPracticeQuestions, policy.premiumPracticeCategories)
            : (policy.freePracticeQuestions, policy.freePracticeCategories)
    }

    /// R24: before this no other exam may be requested.
    package func nextRequest(of student: Tafawoq.StudentID) -> Instant? {
        learning[student]?.lastExamAt.map { $0 + Int64(policy.examIntervalSeconds) }
    }

    /// How an exam may not be started, in the table's order from `email-unverified` on.
    package enum ExamObstacle {
        case emailUnverified, profileIncomplete, examInProgress
        case weeklyLimit(Int)
        case rateLimited
        case unavailable(until: Instant)
    }

    package func obstacle(
        toExamOf student: Tafawoq.StudentID, at instant: Instant
    ) -> ExamObstacle? {
        guard let row = students[student], row.isVerified else { return .emailUnverified }
        if row.track == nil { return .profileIncomplete }
        if learning[student]?.openExam != nil { return .examInProgress }
        let tier = tier(of: student, at: instant)
        if let limit = weeklyLimit(tier), used(by: student, tier, at: instant) >= limit {
            return .weeklyLimit(limit)
        }
        if let next = nextRequest(of: student), instant < next { return .rateLimited }
        if tier == .free, let resetsAt = quotaResets(after: instant) {
            return .unavailable(until: resetsAt)
        }
        return nil
    }

    /// The completed exams in order of completion, the first `count` of them.
    package func completedExams(
        of student: Tafawoq.StudentID, first count: Int? = nil
    ) -> [(id: Tafawoq.SittingID, row: Tafawoq.SittingRow, score: Tafawoq.ExamScore)] {
        let all = learning[student]?.completedExams ?? 0
        return completedExams.elements(of: student, count: min(all, count ?? all)).compactMap {
            id in
            guard let row = sittings[.init(.exam, id)], let score = row.exam else { return nil }
            return (id, row, score)
        }
    }

    /// The completed practices in order of completion, the first `count` of them.
    package func completedPractices(
        of student: Tafawoq.StudentID, first count: Int? = nil
    ) -> [(id: Tafawoq.SittingID, row: Tafawoq.SittingRow, score: Tafawoq.PracticeScore)] {
        let all = learning[student]?.completedPractices ?? 0
        return completedPractices.elements(of: student, count: min(all, count ?? all)).compactMap {
            id in
            guard let row = sittings[.init(.practice, id)], let score = row.practice else {
                return nil
            }
            return (id, row, score)
        }
    }

    /// R46: the events of a kind that lie in the window, and whether administrators were told in it.
    package func marksOfGeneration(in window: Tafawoq.Window) -> [Tafawoq.GenerationMark] {
        generationMarks.entries(in: window, count: roll[.only]?.generationMarks ?? 0)
    }

    package func marksOfPayment(in window: Tafawoq.Window) -> [Tafawoq.PaymentMark] {
        paymentMarks.entries(in: window, count: roll[.only]?.paymentMarks ?? 0)
    }

    package func hasAlert(_ kind: Tafawoq.AlertKind, in window: Tafawoq.Window) -> Bool {
        alerts.entries(in: window, count: roll[.only]?.alerts ?? 0).contains { $0.kind == kind }
    }

    package func window(endingAt instant: Instant) -> Tafawoq.Window {
        Tafawoq.Window(end: instant, seconds: policy.alertWindowSeconds)
    }
}
