import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Where am I, what do I do now, what comes next? One document answers it (S1, R7, R31-R34).
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
            output.time("placementDueAt", learner.placementDueAt, learner.formatter)
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
            output.time("nextUnlockAt", header.nextUnlockAt, formatter)
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
            header.title = "Semester starts in \(formatter.calendarCountdown(to: start))"
            header.countdown = formatter.dateAndWeekday(of: start)
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
                header.countdown =
                    "Open until \(state.lastDay(of: enrollment, before: enrollment.closing))"
            } else if week == weeks {
                header.countdown = "Final Week"
            } else {
                let unlock = enrollment.weekStarts[week]
                header.nextUnlockAt = unlock
                header.countdown =
                    "\(formatter.countdown(to: unlock, policy)) until Week \(week + 1) unlocks"
            }
        }
    }

    // MARK: Banner and cards

    /// The banner about the weeks to catch up on; while the assessment is open and locked, it counts those that
    /// are needed for it (R32).
    fileprivate func writeBanner(to output: inout JSONOutput) {
        guard let running, case let behind = running.weeksBehind(at: now), let oldest = behind.first
        else { return output.null("banner") }
        let needed = phase == .eoc && !running.isEOCUnlocked ? running.weeksNeeded : nil
        let allowance = state.allowance(running, at: now)
        let rest =
            allowance.nextAttemptAt.map { "Your next attempt opens \(formatter.dateText(of: $0))." }
            ?? "You can submit up to \(allowance.remaining) this week."
        let first = "You have \(count(needed ?? behind.count, "submission")) to catch up on."
        output.object("banner") { output in
            output.member("behind", behind.count)
            output.member("button", "Catch Up")
            output.member("kind", "catch-up")
            output.link("link", .learn(week: oldest))
            output.member("needed", needed)
            output.member("oldestWeek", oldest)
            output.member("remaining", allowance.remaining)
            output.member("text", "\(first) \(rest)")
            output.member("usedText", allowance.catchUpText)
        }
    }

    // MARK: Before the semester

    /// The cards about level, coach and start before the first week (L1).
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
                "start-date", formatter.dateAndWeekday(of: enrollment.weekStarts[0]),
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
}
