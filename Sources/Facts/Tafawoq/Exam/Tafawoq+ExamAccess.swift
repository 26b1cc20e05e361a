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

    /// How many exams of the tier were started in the window of the instant and count (R23).
    package func used(
        by student: Tafawoq.StudentID, _ tier: Tafawoq.Tier, at instant: Instant
    ) -> Int {
        countedStarts(by: student, tier, at: instant).count
    }

    /// When the exams of the window that count were started (R23).
    private func countedStarts(
        by student: Tafawoq.StudentID, _ tier: Tafawoq.Tier, at instant: Instant
    ) -> [Instant] {
        let window = limitWindow(at: instant)
        let ids = exams.elements(of: student, count: learning[student]?.exams ?? 0)
        return ids.compactMap { id -> Instant? in
            sittings.read(.init(.exam, id)) { row -> Instant? in
                let counts =
                    window.contains(row.startedAt) && row.tier == tier && row.end?.counts == true
                return counts ? row.startedAt : nil
            } ?? nil
        }
    }

    /// When exams that counted count no more: the end of the week, or the first instant at which enough of them
    /// are seven days old; none while another exam is within the limit (R23).
    package func limitResets(of student: Tafawoq.StudentID, at instant: Instant) -> Instant? {
        guard policy.limitWindow == .rollingDays else { return week(of: instant).end }
        let tier = tier(of: student, at: instant)
        let starts = countedStarts(by: student, tier, at: instant).sorted()
        guard let limit = weeklyLimit(tier), limit > 0, starts.count >= limit else { return nil }
        return starts[starts.count - limit] + 7 * Tafawoq.day
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
        learning[student]?.lastExamAt.map { $0 + policy.examIntervalSeconds }
    }
}
