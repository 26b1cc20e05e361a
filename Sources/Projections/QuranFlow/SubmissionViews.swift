import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// May I submit now, and what does the confirmation say?
    static let submissionCheckView = ReadModel<State>(
        "quranflow.submission-check", "May I submit now, and what does the confirmation say?",
        key: "enrollment", arguments: ["week"], keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollment, Grounds.lessons, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let asked = try request.whole("week")
        guard let standing = Standing(request.key, state, at: request.now) else {
            return false
        }
        let week = asked ?? standing.currentWeek
        let code = state.obstacle(to: standing.row, week: week, at: standing.now)
        let isAllowed = code == nil
        let coach = state.coachText(standing.row.coach)
        let within = "within \(count(standing.learner.policy.feedbackHours, "hour"))"
        let allowance = standing.allowance
        output.object { output in
            output.member("allowed", isAllowed)
            output.member("attemptsText", standing.attemptsText)
            output.member(
                "body",
                isAllowed
                    ? "This will be sent to \(coach) for review. You will receive feedback "
                        + "\(within). You will have \(count(allowance.remaining - 1, "attempt")) "
                        + "remaining after this submission." : nil)
            output.member("code", code)
            output.member("enrollment", standing.id)
            output.time("nextAttemptAt", allowance.nextAttemptAt, standing.learner.teller)
            output.member(
                "success",
                isAllowed
                    ? "\(coach) will review your submission and send feedback \(within)." : nil)
            output.member("title", isAllowed ? "Submit This Recording?" : nil)
            output.member("week", week)
        }
        return true
    }

    /// What did I send in, and what came back? Every recording of every level, newest first.
    static let submissionsView = ReadModel<State>(
        "quranflow.submissions", "What did I send in, and what came back?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.lessons)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let all = learner.row.enrollments.flatMap { state.enrollments[$0]?.recordings ?? [] }
            .compactMap { id in state.recordings[id].map { (id: id, row: $0) } }
            .sorted { $0.row.position > $1.row.position }
        output.object { output in
            output.member("awaiting", all.count { !$0.row.hasFeedback })
            output.array("items", all[page.range(of: all.count)]) { output, entry in
                let row = entry.row
                output.object { output in
                    output.time("at", row.submittedAt, learner.teller)
                    output.member("attempt", row.attempt)
                    output.member("comments", row.comments)
                    output.member("enrollment", row.enrollment)
                    output.time("feedbackAt", row.feedbackAt, learner.teller)
                    output.member("label", row.label)
                    output.member("level", row.level)
                    output.link(
                        "link", .learn(row.hasFeedback ? "feedback" : "submission", week: row.week))
                    output.member("onTime", row.isOnTime)
                    output.member("recording", entry.id)
                    output.member("status", row.status)
                    output.member("topic", state.topic(level: row.level, week: row.week))
                    output.member("week", row.week)
                }
            }
            page.write(total: all.count, to: &output)
            output.member("student", learner.id)
        }
        return true
    }

    /// How does the End of Course Assessment stand?
    static let eocView = ReadModel<State>(
        "quranflow.eoc", "How does the End of Course Assessment stand?", key: "enrollment",
        keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollment, Grounds.eocs, Grounds.semesters, Grounds.policy)
    ) { state, request, output in
        guard let standing = Standing(request.key, state, at: request.now) else {
            return false
        }
        let (learner, row) = (standing.learner, standing.row)
        let teller = learner.teller
        let definition = state.eocs[Ordinal(row.level)]
        let status = row.eocState(at: standing.now)
        let isShown = status == .available || status == .retake
        let last = state.lastAttempt(standing.id, row)
        let isPassedAndCurrent = status == .passed && learner.current?.id == standing.id
        output.object { output in
            output.member("attempts", row.attempts)
            output.time("closesAt", row.closing, teller)
            output.member("completed", row.completedWeeks)
            output.member(
                "coveredText", "This assessment covers all concepts from Level \(row.level).")
            output.member("description", definition?.description)
            output.member("enrollment", standing.id)
            output.member("level", row.level)
            output.member("moreNeeded", max(0, row.requiredSubmissions - row.completedWeeks))
            learner.writeNext(isPassedAndCurrent ? learner.nextStep : nil, to: &output)
            output.time("opensAt", row.eocOpensAt, teller)
            output.member("passage", isShown ? definition?.passage : nil)
            output.member(
                "reference", isShown ? definition.map { reference($0.passage) } : nil)
            output.member("required", row.requiredSubmissions)
            standing.writeResults(last, to: &output)
            output.time("resultsDueAt", last?.resultsDueAt, teller)
            output.member("resultsDueOn", last?.resultsDueOn)
            output.time("retakeUntil", last?.retakeUntil, teller)
            output.member("state", status)
            output.time("submittedAt", last?.submittedAt, teller)
            output.member("weeks", row.weeks)
        }
        return true
    }
}

extension QuranFlow.Standing {
    /// The last attempt's results; null while it has none.
    fileprivate func writeResults(
        _ attempt: QuranFlow.EOCAttemptRow?, to output: inout JSONOutput
    ) {
        guard let attempt, let outcome = attempt.outcome else { return output.null("results") }
        output.object("results") { output in
            output.member("audio", attempt.audio)
            output.member("coachName", state.name(attempt.coach))
            output.time("evaluatedAt", attempt.evaluatedAt, learner.teller)
            output.member("notes", attempt.notes)
            output.member("outcome", outcome)
            output.member("reviewed", attempt.isReviewed)
            output.member("seconds", attempt.seconds)
        }
    }
}
