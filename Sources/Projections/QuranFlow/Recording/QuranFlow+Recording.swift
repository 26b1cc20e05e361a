import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What did I send in, and what came back (R18)? Every recording of every level, the newest first.
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
                    output.time("at", row.submittedAt, learner.formatter)
                    output.member("attempt", row.attempt)
                    output.member("comments", row.comments)
                    output.member("enrollment", row.enrollment)
                    output.time("feedbackAt", row.feedbackAt, learner.formatter)
                    output.member("label", row.label)
                    output.member("level", row.level)
                    output.link(
                        "link",
                        .learn(row.hasFeedback ? "feedback" : "submission", week: row.week)
                            .with("enrollment", state.text(row.enrollment)))
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
}

extension QuranFlow.RecordingRow {
    var status: String {
        !hasFeedback ? "under-review" : isReviewed ? "reviewed" : "feedback-ready"
    }

    var label: String {
        !hasFeedback ? "Under Review" : isReviewed ? "Reviewed" : "Feedback Ready"
    }
}

extension QuranFlow.EnrolledLearner {
    /// What was submitted in a week, and how often it may be submitted again (R17).
    func writeSubmission(_ week: Int, to output: inout JSONOutput) {
        let lesson = openLesson(week)
        let allowance = allowance
        let font = state.font(of: row.student)
        output.object("submission") { output in
            output.member("attemptsText", attemptsText)
            output.member(
                "catchUpText",
                week >= row.firstWeek && row.isOver(week, at: now) ? allowance.catchUpText : nil)
            output.member("font", font.name)
            output.member("fontSize", font.size)
            output.array("history", row.weekRows[week - 1].recordings) { output, id in
                guard let recording = state.recordings[id] else { return }
                output.object { output in
                    output.member("attempt", recording.attempt)
                    output.time("at", recording.submittedAt, learner.formatter)
                    output.member("label", recording.label)
                    output.member("onTime", recording.isOnTime)
                    output.member("recording", id)
                    output.member("seconds", recording.seconds)
                    output.member("status", recording.status)
                }
            }
            output.member("limit", allowance.limit)
            output.time("nextAttemptAt", allowance.nextAttemptAt, learner.formatter)
            output.member("passage", lesson?.passage)
            output.member("reference", lesson.map { QuranFlow.reference($0.passage) })
            output.member("remaining", allowance.remaining)
            output.member("text", submissionText(week, allowance))
        }
    }

    private func submissionText(_ week: Int, _ allowance: SubmissionAllowance) -> String? {
        if let opens = allowance.nextAttemptAt {
            let all =
                allowance.limit == 2 ? "both attempts" : "all \(count(allowance.limit, "attempt"))"
            return "You've used \(all) this week. Your next attempt opens "
                + "\(learner.formatter.dateText(of: opens))."
        }
        if week == 1, state.lessonState(row, week: week, at: now) == .notStarted {
            return "Watch the lesson first, then record your submission."
        }
        return nil
    }
}
