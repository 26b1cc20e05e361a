import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Where am I, what do I do now, what comes next? (S1: one document answers it.)
    static let todayView = ReadModel<State>(
        "quranflow.today", "Where am I, what do I do now, what comes next?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(
            Grounds.wholeLife, Grounds.lessons, Grounds.semesters, Grounds.orientation,
            Grounds.sessions, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        output.object { output in
            learner.writeBanner(to: &output)
            learner.writeCards(to: &output)
            output.member("enrollment", learner.current?.id)
            learner.writeHeader(to: &output)
            learner.writeInfoCards(to: &output)
            learner.writeNext(learner.nextStep, to: &output)
            learner.writeOnboarding(to: &output)
            output.member("phase", learner.phase)
            learner.primary.write(to: &output)
            learner.writeTodaysSessions(to: &output)
            output.member("student", learner.id)
            output.link("support", .tab("profile").with("section", "help"))
            output.member("unread", state.inboxes[.init(learner.id)]?.unread ?? 0)
        }
        return true
    }
}

extension QuranFlow.Learner {
    // MARK: Header

    fileprivate struct Header {
        var title = ""
        var level: String?
        var week = 0
        var weeks: Int?
        var progress = QuranFlow.Progress.none
        var countdown: String?
        var nextUnlockAt: Instant?
    }

    fileprivate func writeHeader(to output: inout JSONOutput) {
        let header = header
        output.object("header") { output in
            output.member("countdown", header.countdown)
            output.member("level", header.level)
            output.time("nextUnlockAt", header.nextUnlockAt, teller)
            output.member("progressPercent", header.progress.percent)
            output.member("title", header.title)
            output.member("week", header.week)
            output.member("weeks", header.weeks)
        }
    }

    private var header: Header {
        var header = Header()
        header.level = levelLine
        switch phase {
        case .unassessed: header.title = "Welcome to QuranFlow"
        case .awaitingPlacement:
            header.title = "Welcome to QuranFlow"
            header.level = "Pending Assessment Review"
        case .lapsed, .withdrawn: header.title = "Between Semesters"
        case .preSemester, .active, .eoc, .graduated, .advanced:
            if let enrollment = current?.row { fill(&header, enrollment) }
        }
        return header
    }

    private func fill(_ header: inout Header, _ enrollment: QuranFlow.EnrollmentRow) {
        let weeks = enrollment.weeks
        header.weeks = weeks
        switch phase {
        case .preSemester:
            let start = enrollment.weekStarts[0]
            header.title = "Semester starts in \(teller.countdown(to: start, policy))"
            header.countdown = teller.dateAndWeekday(of: start)
            header.nextUnlockAt = start
        case .graduated, .advanced:
            header.title =
                phase == .advanced ? "QuranFlow Advanced" : "Level \(enrollment.level) -- Complete"
            header.week = weeks
            header.progress = .complete
        default:
            let week = enrollment.currentWeek(at: now)
            header.title = "Week \(week) of \(weeks)"
            header.week = week
            header.progress = state.progress(enrollment, at: now)
            if enrollment.isOver(weeks, at: now) {
                header.countdown = "Open until \(teller.dateText(of: enrollment.closing))"
            } else if week == weeks {
                header.countdown = "Final Week"
            } else {
                let unlock = enrollment.weekStarts[week]
                header.nextUnlockAt = unlock
                header.countdown =
                    "\(teller.countdown(to: unlock, policy)) until Week \(week + 1) unlocks"
            }
        }
    }

    // MARK: Banner and cards

    /// R32.
    fileprivate func writeBanner(to output: inout JSONOutput) {
        guard let running, case let behind = running.weeksBehind(at: now), let oldest = behind.first
        else { return output.null("banner") }
        let allowance = running.allowance(at: now, policy, state.names)
        let rest =
            allowance.nextAttemptAt.map { "Your next attempt opens \(teller.dateText(of: $0))." }
            ?? "You can submit up to \(allowance.remaining) this week."
        output.object("banner") { output in
            output.member("behind", behind.count)
            output.member("button", "Catch Up")
            output.member("kind", "catch-up")
            output.link("link", .learn(week: oldest))
            output.member("oldestWeek", oldest)
            output.member("remaining", allowance.remaining)
            output.member(
                "text", "You have \(count(behind.count, "submission")) to catch up on. \(rest)")
        }
    }

    fileprivate func writeCards(to output: inout JSONOutput) {
        guard let running else { return output.null("cards") }
        let week = running.currentWeek(at: now)
        output.object("cards") { output in
            writeFeedbackCard(running, week, to: &output)
            writeLessonCard(running, week, to: &output)
            writeSubmissionCard(running, week, to: &output)
        }
    }

    private func writeFeedbackCard(
        _ row: QuranFlow.EnrollmentRow, _ week: Int, to output: inout JSONOutput
    ) {
        let newest = row.unreviewed.last.flatMap { state.recordings.read($0) { $0.week } }
        let shown = newest ?? week
        output.object("feedback") { output in
            output.member("badge", row.unreviewed.count)
            output.member("done", row.unreviewed.isEmpty && row.weekRows[week - 1].isAllReviewed)
            output.link("link", .learn("feedback", week: shown))
            output.member(
                "text",
                newest.map { "\(row.unreviewed.count) new -- Week \($0)" }
                    ?? (row.hasFeedback ? "No new feedback" : "No feedback yet"))
            output.member("week", shown)
        }
    }

    private func writeLessonCard(
        _ row: QuranFlow.EnrollmentRow, _ week: Int, to output: inout JSONOutput
    ) {
        let lesson = state.lesson(level: row.level, week: week)
        let status = state.lessonState(row, week: week, at: now)
        let watched = lesson.map { state.watchedCount($0, by: id) } ?? 0
        let videos = lesson?.videos.count ?? 0
        let isBehind = !row.weeksBehind(at: now).isEmpty
        let text =
            switch status {
            case .unpublished, .locked: "Lesson coming soon"
            case .complete: "Complete"
            case _ where isBehind: "Week \(week) lesson available"
            case .notStarted: "Not started"
            case .inProgress, .watched: "\(watched) of \(count(videos, "video")) watched"
            }
        output.object("lesson") { output in
            output.member("done", status == .complete)
            output.link("link", .learn("lesson", week: week))
            output.member("text", text)
            output.member("videos", videos)
            output.member("watched", watched)
        }
    }

    private func writeSubmissionCard(
        _ row: QuranFlow.EnrollmentRow, _ week: Int, to output: inout JSONOutput
    ) {
        let recordings = row.weekRows[week - 1].recordings
        let behind = row.weeksBehind(at: now).count
        let text: String
        if behind > 0 {
            text = "\(behind) to catch up"
        } else if let latest = recordings.last.flatMap({ state.recordings[$0] }) {
            text = "Submitted \(teller.dateText(of: latest.submittedAt))"
        } else {
            text = week == 1 ? "Not started" : "Not submitted"
        }
        output.object("submission") { output in
            output.member(
                "deadline", recordings.isEmpty ? deadlineText(row.dueAt(week)) : nil)
            output.member("done", !recordings.isEmpty)
            output.link("link", .learn("submission", week: week))
            output.member(
                "remaining", row.allowance(at: now, policy, state.names).remaining)
            output.member("text", text)
        }
    }

    /// R34.
    func deadlineText(_ dueAt: Instant) -> String? {
        switch teller.date(of: dueAt).days(since: teller.today) {
        case 2: "Due in 2 days"
        case 1: "Due tomorrow"
        case 0: "Due today"
        default: nil
        }
    }

    // MARK: Before the semester

    /// L1: level, coach and start.
    fileprivate func writeInfoCards(to output: inout JSONOutput) {
        guard phase == .preSemester, let enrollment = current?.row else {
            return output.null("infoCards")
        }
        let coach = enrollment.coach
        let days = policy.classesStartAfterDays
        let cards: [(kind: String, text: String, detail: String?)] = [
            (
                "level", policy.levelLine(enrollment.level),
                policy.levelDescription(enrollment.level)
            ),
            (
                "coach", coach == nil ? "To be assigned" : state.coachText(coach),
                coach.flatMap { state.people[.init($0)]?.bio }
            ),
            (
                "start-date", teller.dateAndWeekday(of: enrollment.weekStarts[0]),
                "Lessons begin unlocking \(count(days, "day")) before semester classes start"
            ),
        ]
        output.array("infoCards", cards) { output, card in
            output.object { output in
                output.member("detail", card.detail)
                output.member("kind", card.kind)
                output.member("text", card.text)
            }
        }
    }

    /// R13: while it is open and not complete.
    fileprivate func writeOnboarding(to output: inout JSONOutput) {
        guard row.isPlaced, !row.onboarding.isComplete, let next = row.onboarding.next else {
            return output.null("onboarding")
        }
        output.object("onboarding") { output in
            output.member("name", QuranFlow.Onboarding.Step(number: next))
            output.member("nextStep", next)
            output.member("steps", QuranFlow.Onboarding.Step.allCases.count)
        }
    }
}

extension QuranFlow {
    /// R9: how much of a semester is done.
    struct Progress {
        private let part: Int
        private let whole: Int

        init(_ part: Int, of whole: Int) {
            self.part = part
            self.whole = whole
        }

        static let none = Progress(0, of: 1)
        static let complete = Progress(1, of: 1)

        var percent: Percent { Percent(part, of: whole) }
    }
}

extension QuranFlow.State {
    /// R9.
    func progress(_ row: QuranFlow.EnrollmentRow, at now: Instant) -> QuranFlow.Progress {
        let week = row.currentWeek(at: now)
        if week == 0 { return .none }
        switch policy.progressRing {
        case .weeksElapsed:
            return row.isOver(row.weeks, at: now) ? .complete : .init(week - 1, of: row.weeks)
        case .weekNumber: return .init(week, of: row.weeks)
        case .weeksCompleted: return .init(completeWeeks(row, at: now), of: row.weeks)
        }
    }

    /// R30: the weeks whose status is `complete`.
    func completeWeeks(_ row: QuranFlow.EnrollmentRow, at now: Instant) -> Int {
        (1...max(1, row.weeks)).count { weekStatus(row, week: $0, at: now) == .complete }
    }
}
