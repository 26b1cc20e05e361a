package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// Why a recording is not accepted: the codes of `recording.submit` but for the confirmation,
    /// in the order of its row. The rule and `quranflow.submission-check` ask the same question.
    package enum SubmissionObstacle: String, Choice {
        case enrollmentNotActive = "enrollment-not-active"
        case noSuchWeek = "no-such-week"
        case semesterClosed = "semester-closed"
        case weekLocked = "week-locked"
        case lessonNotPublished = "lesson-not-published"
        case fontNotChosen = "font-not-chosen"
        case lessonNotComplete = "lesson-not-complete"
        case submissionLimit = "submission-limit"
    }

    /// The programme week around an instant: from the latest 00:00 on the weekday that is not after it to
    /// the next one (R17).
    package static func programmeWeek(
        around instant: Instant, weekday: Weekday, in zone: TimeZoneRules
    ) -> Range<Instant> {
        // A day more, since of a midnight that occurs twice the earlier counts.
        let last = zone.localDate(at: instant).adding(days: 1)
        for back in 0...8 {
            let date = last.adding(days: -back)
            guard date.weekday == weekday else { continue }
            let start = zone.instant(of: date)
            let end = zone.instant(of: date.adding(days: 7))
            if start <= instant, start < end { return start..<end }
        }
        return instant..<instant + 1
    }
}

/// How many recordings may still be submitted at an instant (R17).
package struct SubmissionAllowance: Hashable, Sendable {
    package let used: Int
    package let limit: Int
    package let periodStartsAt: Instant
    /// Only when nothing remains.
    package let nextAttemptAt: Instant?

    package var remaining: Int { max(0, limit - used) }

    /// How many of the attempts are used, as shown to a student who catches up (R32); nil for none.
    package var catchUpText: String? {
        if used == 0 { return nil }
        let noun = limit == 1 ? "submission" : "submissions"
        return "\(used) of \(limit) catch-up \(noun) used this week."
    }
}

extension QuranFlow.State {
    /// What the student may still submit in the period of the instant, all weeks and all their enrolments
    /// together: leaving a level and opening it again leaves the count as it is (R17).
    package func allowance(
        _ row: QuranFlow.EnrollmentRow, at instant: Instant
    ) -> SubmissionAllowance {
        let limit = policy.submissionsPerPeriod
        let enrollments = students.read(row.student) { $0.enrollments } ?? []
        let submissions = enrollments.flatMap { id in
            self.enrollments.read(id) { $0.submissions } ?? []
        }
        switch policy.submissionPeriod {
        case .programmeWeek:
            let week = QuranFlow.programmeWeek(
                around: instant, weekday: policy.unlockWeekday,
                in: QuranFlow.zone(row.weekZone, names))
            let used = submissions.count { week.contains($0) }
            return SubmissionAllowance(
                used: used, limit: limit, periodStartsAt: week.lowerBound,
                nextAttemptAt: used < limit ? nil : week.upperBound)
        case .rolling:
            let length = policy.submissionPeriodDays
            let start = instant - length
            let counted = submissions.filter { $0 > start }.sorted()
            return SubmissionAllowance(
                used: counted.count, limit: limit, periodStartsAt: start,
                nextAttemptAt: counted.count < limit ? nil : counted[counted.count - limit] + length
            )
        }
    }
}

extension QuranFlow.State {
    /// The first obstacle (R14, R17, R18). Any unlocked week may be recorded, in any order, again, and
    /// before the first week of the enrolment too.
    package func obstacle(
        to row: QuranFlow.EnrollmentRow, week: Int, at instant: Instant
    ) -> QuranFlow.SubmissionObstacle? {
        if !row.isActive { return .enrollmentNotActive }
        if !row.isWeek(week) { return .noSuchWeek }
        if instant >= row.closesAt { return .semesterClosed }
        let lesson = lessonState(row, week: week, at: instant)
        if lesson == .locked { return .weekLocked }
        if lesson == .unpublished { return .lessonNotPublished }
        if !hasChosenFont(row.student) { return .fontNotChosen }
        if policy.lessonBeforeSubmission, lesson != .complete { return .lessonNotComplete }
        if allowance(row, at: instant).remaining == 0 { return .submissionLimit }
        return nil
    }
}
