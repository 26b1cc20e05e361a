package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.State {
    /// Why an exam may not be started, in the order of the page's row from `email-unverified` on.
    package enum ExamObstacle {
        case emailUnverified, profileIncomplete, examInProgress
        case weeklyLimit(Int)
        case rateLimited
        case unavailable(until: Instant)
    }

    /// The first reason why the student may not start an exam (R9, R23, R24).
    package func obstacle(
        toExamOf student: Tafawoq.StudentID, at instant: Instant
    ) -> ExamObstacle? {
        guard let row = students[student], row.isVerified else { return .emailUnverified }
        if row.track == nil { return .profileIncomplete }
        let tier = tier(of: student, at: instant)
        let limit = weeklyLimit(tier)
        // One that was left is ended by another, unless that could cost the week's exam (R29).
        if learning[student]?.openExam != nil, limit != nil || suspendedExam(of: student) == nil {
            return .examInProgress
        }
        if let limit, used(by: student, tier, at: instant) >= limit { return .weeklyLimit(limit) }
        if let next = nextRequest(of: student), instant < next { return .rateLimited }
        if tier == .free, let resetsAt = quotaResets(after: instant) {
            return .unavailable(until: resetsAt)
        }
        return nil
    }

    /// How many exams of the tier were started in the week of the instant and count (R23).
    package func used(
        by student: Tafawoq.StudentID, _ tier: Tafawoq.Tier, at instant: Instant
    ) -> Int {
        let window = limitWindow(at: instant)
        let ids = exams.elements(of: student, count: learning[student]?.exams ?? 0)
        return ids.count { id in
            sittings.read(.init(.exam, id)) {
                $0.counts && $0.tier == tier && window.contains($0.startedAt)
            } ?? false
        }
    }

    /// The exam that the student left and may resume or replace (R29).
    package func suspendedExam(
        of student: Tafawoq.StudentID
    ) -> (key: Tafawoq.SittingKey, row: Tafawoq.SittingRow)? {
        guard let open = learning[student]?.openExam,
            let row = sittings[.init(.exam, open)], row.stage == .suspended
        else { return nil }
        return (.init(.exam, open), row)
    }

    /// Whether an exam counts that is not completed (R23).
    package func incompleteCounts(_ row: Tafawoq.SittingRow) -> Bool {
        policy.examIncompleteCounts && row.deliveredAt != nil && row.tier == .free
    }

    /// How many exams of a tier count in a week; none for no limit (R23).
    package func weeklyLimit(_ tier: Tafawoq.Tier) -> Int? {
        tier == .premium ? policy.premiumExamsPerWeek : policy.freeExamsPerWeek
    }

    /// The earliest instant at which another exam may be requested (R24).
    package func nextRequest(of student: Tafawoq.StudentID) -> Instant? {
        learning[student]?.lastExamAt.map { $0 + Int64(policy.examIntervalSeconds) }
    }
}
