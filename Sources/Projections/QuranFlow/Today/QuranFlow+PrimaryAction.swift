import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// The primary action on Today (R31).
    struct PrimaryAction {
        var state = ""
        var title = ""
        var subtitle = ""
        var button: String?
        var link: Link?
        var week: Int?

        init(
            _ state: String, _ title: String, _ subtitle: String, _ button: String? = nil,
            _ link: Link? = nil, week: Int? = nil
        ) {
            self.state = state
            self.title = title
            self.subtitle = subtitle
            self.button = button
            self.link = link
            self.week = week
        }

        func write(to output: inout JSONOutput) {
            output.object("primary") { output in
                output.member("button", button)
                output.link("link", link)
                output.member("state", state)
                output.member("subtitle", subtitle)
                output.member("title", title)
                output.member("week", week)
            }
        }
    }
}

extension QuranFlow.Learner {
    typealias Action = QuranFlow.PrimaryAction

    /// The primary action: the first row of the table that holds; the last one always does (R31).
    var primary: Action {
        switch phase {
        case .unassessed:
            return Action(
                "assessment-due", "Your Initial Assessment",
                "Record a reading sample so that a Quran Coach can place you.", "Record Assessment",
                .screen("assessment"))
        case .awaitingPlacement:
            return Action("placement-pending", "Assessment Received", placementText)
        default: break
        }
        if let step = row.onboarding.next, !row.onboarding.isComplete {
            return Action(
                "onboarding", "Let's Get You Set Up", "Step \(step) of 5", "Continue",
                .screen("onboarding").with("step", step))
        }
        guard let current else { return advancedAction }
        switch phase {
        case .advanced: return advancedAction
        case .graduated: return graduatedAction(current.row)
        case .lapsed, .withdrawn:
            let level = current.row.level
            let isOpen = nextStep?.isOpen == true
            return Action(
                "repeat-level", "Continue with Level \(level)",
                "You can take this level again in a coming semester.",
                isOpen ? "Enroll in Level \(level)" : nil, isOpen ? .screen("enroll") : nil)
        case .preSemester: return preSemesterAction(current.row)
        case .unassessed, .awaitingPlacement, .active, .eoc: break
        }
        return eocResultAction(current.row) ?? feedbackAction(current.row)
            ?? eocWaitAction(current) ?? catchUpAction(current.row) ?? weekAction(current.row)
    }

    /// Rows 4 and 5 of the table (R31).
    private var advancedAction: Action {
        guard let next = upcomingAppointments.first else {
            return Action(
                "book-appointment", "Book an Appointment", "Meet a Quran Coach one-on-one.",
                "See Times", .tab("schedule").with("section", "appointments"))
        }
        return Action(
            "appointment-next", "Your Next Appointment",
            "With \(state.coachText(next.row.coach))", "View Appointment",
            .tab("schedule").with("appointment", state.text(next.id)))
    }

    /// Rows 6 to 8 of the table (R31).
    private func graduatedAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action {
        let level = enrollment.level
        if !enrollment.areResultsReviewed {
            return Action(
                "results-passed", "Congratulations! You've graduated Level \(level).",
                "\(count(enrollment.completedWeeks, "submission")) completed, EOC passed.",
                "View Results", .learn("eoc"))
        }
        let isOpen = nextStep?.isOpen == true
        if level < QuranFlow.Policy.levels.upperBound {
            return Action(
                "next-level", "You're moving to Level \(level + 1)!",
                policy.levelDescription(level + 1), isOpen ? "Enroll in Level \(level + 1)" : nil,
                isOpen ? .screen("enroll") : nil)
        }
        return Action(
            "advanced-invitation", "You've Completed QuranFlow Essentials!",
            "You're eligible for QuranFlow Advanced.",
            isOpen ? "Enroll in QuranFlow Advanced" : "Learn More", .screen("advanced"))
    }

    /// Row 10 of the table (R31).
    private func preSemesterAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action {
        let unwatched = state.catalogue.orientation.first {
            !state.isWatched($0, by: id)
        }
        let start = formatter.calendarCountdown(to: enrollment.weekStarts[0])
        return Action(
            "get-ready", "Get Ready for Your Semester", "Semester starts in \(start)",
            unwatched == nil ? "Explore Your Resources" : "Watch Now",
            unwatched.map { .tab("learn").with("video", state.text($0)) }
                ?? .tab("profile").with("section", "resources"))
    }

    /// Rows 11 to 13 of the table (R31).
    private func eocResultAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action? {
        if enrollment.isRetaking, !enrollment.areResultsReviewed {
            return Action(
                "results-failed", "Your EOC assessment needs a bit more work.",
                "Your coach has feedback to help you prepare for a retake.", "Listen to Feedback",
                .learn("eoc"))
        }
        if enrollment.isRetaking {
            let until = state.lastDay(of: enrollment, before: enrollment.closing)
            return Action(
                "eoc-retake", "End of Course Assessment", "A retake is open until \(until).",
                "Record EOC Submission", .learn("eoc"))
        }
        guard enrollment.isEOCUnlocked, enrollment.attempts == 0 else { return nil }
        let weeks = enrollment.weeks
        return Action(
            "eoc-available", "End of Course Assessment",
            "You've completed \(enrollment.completedWeeks) of \(count(weeks, "submission")) and are "
                + "eligible. This assessment covers all concepts from Level \(enrollment.level).",
            "Begin Assessment", .learn("eoc"))
    }

    /// Row 14 of the table (R31).
    private func feedbackAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action? {
        guard let newest = enrollment.unreviewed.last, let row = state.recordings[newest] else {
            return nil
        }
        return Action(
            "feedback-ready", "Feedback from \(state.coachText(row.coach))",
            "Week \(row.week) feedback is ready to review", "Listen to Feedback",
            .learn("feedback", week: row.week), week: row.week)
    }

    /// Rows 15 and 16 of the table (R31).
    private func eocWaitAction(
        _ enrollment: (id: QuranFlow.EnrollmentID, row: QuranFlow.EnrollmentRow)
    ) -> Action? {
        let row = enrollment.row
        if row.isEOCAwaited {
            let dueOn = state.lastAttempt(enrollment.id, row)?.resultsDueOn ?? .epoch
            return Action(
                "eoc-under-review", "EOC Under Review",
                "Your coach is evaluating your assessment. Results expected by "
                    + "\(QuranFlow.Formatter.text(dueOn)).", "View Submission", .learn("eoc"))
        }
        guard phase == .eoc, !row.isEOCUnlocked else { return nil }
        let missing = row.weeksNeeded
        let gap = row.oldestGap(at: now)
        return Action(
            "eoc-locked", "End of Course Assessment",
            "Complete \(missing) more \(plural("submission", missing)) to unlock.", "Continue",
            .learn(week: gap), week: gap)
    }

    /// Rows 17 and 18 of the table (R31).
    private func catchUpAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action? {
        guard let week = enrollment.weeksBehind(at: now).first,
            state.allowance(enrollment, at: now).remaining > 0
        else { return nil }
        let topic = state.topic(level: enrollment.level, week: week) ?? ""
        if state.lessonState(enrollment, week: week, at: now) != .complete {
            return Action(
                "catch-up-lesson", "Catch Up on Week \(week)", topic, "Start Week \(week) Lesson",
                .learn("lesson", week: week), week: week)
        }
        return Action(
            "catch-up-submission", "Catch Up on Week \(week)", topic, "Submit Week \(week)",
            .learn("submission", week: week), week: week)
    }

    /// Rows 19 to 25 of the table (R31).
    private func weekAction(_ enrollment: QuranFlow.EnrollmentRow) -> Action {
        let week = enrollment.currentWeek(at: now)
        return lessonAction(enrollment, week) ?? submissionAction(enrollment, week)
    }

    private func lessonAction(_ enrollment: QuranFlow.EnrollmentRow, _ week: Int) -> Action? {
        guard let lesson = state.lesson(level: enrollment.level, week: week) else {
            return Action(
                "lesson-awaited", "This Week's Lesson", "Week \(week): your lesson is on its way.",
                week: week)
        }
        let videos = lesson.videos.count
        switch state.lessonState(enrollment, week: week, at: now) {
        case .notStarted:
            let minutes = (lesson.seconds.addingClamping(59)) / 60
            return Action(
                "lesson-not-started", week == 1 ? "Your First Lesson" : "This Week's Lesson",
                "Week \(week): \(lesson.topic) -- \(count(videos, "video")), \(minutes) min total",
                "Start Lesson", .learn("lesson", week: week), week: week)
        case .inProgress, .watched:
            let next = lesson.videos.firstIndex { !state.isWatched($0.video, by: id) }
            let progress =
                next.map { "Video \($0 + 1) of \(videos) remaining" }
                ?? "\(videos) of \(count(videos, "video")) watched"
            return Action(
                "lesson-in-progress", "Continue Your Lesson", "\(progress) -- \(lesson.topic)",
                "Continue", .learn("lesson", week: week), week: week)
        case .locked, .unpublished, .complete: return nil
        }
    }

    private func submissionAction(_ enrollment: QuranFlow.EnrollmentRow, _ week: Int) -> Action {
        let content = enrollment.weekRows[week - 1]
        let link = QuranFlow.Link.learn("submission", week: week)
        if content.recordings.isEmpty {
            if let opens = state.allowance(enrollment, at: now).nextAttemptAt {
                return Action(
                    "submission-limit", "All Attempts Used",
                    "Your next attempt opens \(formatter.dateText(of: opens)).", week: week)
            }
            let passage = state.lesson(level: enrollment.level, week: week)?.passage
            return Action(
                "ready-to-submit", "Ready to Submit",
                "Week \(week) submission -- \(passage.map(QuranFlow.reference) ?? "")",
                "Record Submission", link, week: week)
        }
        if content.withFeedback < content.recordings.count,
            let latest = content.recordings.last.flatMap({ state.recordings[$0] })
        {
            return Action(
                "awaiting-feedback", "Submission Sent",
                "Submitted \(formatter.relative(latest.submittedAt)). Your coach typically responds "
                    + "within \(count(policy.feedbackHours.count, "hour")).", "View Submission",
                link, week: week)
        }
        let unlock =
            week < enrollment.weeks
            ? " Your next lesson unlocks in "
                + "\(formatter.countdown(to: enrollment.weekStarts[week], policy))."
            : ""
        return Action(
            "caught-up", "You're All Caught Up", "Great work this week.\(unlock)",
            "Review Past Weeks", .tab("learn").with("view", "all"), week: week)
    }
}
