package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// What keeps a recording from being taken: the codes of `recording.submit` but for the confirmation,
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
}

extension QuranFlow.State {
    /// The first that holds (R14, R17, R18). Any unlocked week may be recorded, in any order, again, and
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
        if row.allowance(at: instant, policy, names).remaining == 0 { return .submissionLimit }
        return nil
    }

    /// R14: a passage is never recorded in a font that was not chosen.
    package func hasChosenFont(_ student: QuranFlow.StudentID) -> Bool {
        students.read(student) { $0.settings.font != nil } ?? false
    }

    /// R14: the font in force, and its size.
    package func font(of student: QuranFlow.StudentID) -> (name: String, size: Int) {
        let settings = students.read(student) { $0.settings }
        return (
            settings?.font ?? policy.fonts.first ?? "",
            settings?.fontSize ?? QuranFlow.SettingsState.defaultFontSize
        )
    }
}
