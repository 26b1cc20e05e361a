import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// An enrolment with its student, as the views keyed by it begin.
    struct Standing {
        let learner: Learner
        let id: EnrollmentID
        let row: EnrollmentRow

        init?(_ key: String, _ state: State, at now: Instant) {
            guard let id: EnrollmentID = state.id(key), let row = state.enrollments[id],
                let learner = Learner(row.student, state, at: now)
            else { return nil }
            self.learner = learner
            self.id = id
            self.row = row
        }

        var state: State { learner.state }
        var now: Instant { learner.now }
        /// The current week, at least 1.
        var currentWeek: Int { max(1, row.currentWeek(at: now)) }

        var allowance: SubmissionAllowance {
            row.allowance(at: now, learner.policy, state.names)
        }

        var attemptsText: String {
            let allowance = allowance
            return "\(allowance.remaining) of \(allowance.limit) Attempts Remaining"
        }
    }

    /// What is there to do in a week? (C3: lesson, submission and feedback in one place.)
    static let weekView = ReadModel<State>(
        "quranflow.week", "What is there to do in a week, and what was done?", key: "enrollment",
        arguments: ["week"], keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollment, Grounds.lessons, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let asked = try request.whole("week")
        guard let standing = Standing(request.key, state, at: request.now),
            case let week = asked ?? standing.currentWeek, standing.row.isWeek(week)
        else { return false }
        let topic = state.topic(level: standing.row.level, week: week)
        let status = state.weekStatus(standing.row, week: week, at: standing.now)
        output.object { output in
            output.time("dueAt", standing.row.dueAt(week), standing.learner.teller)
            output.member("enrollment", standing.id)
            standing.writeFeedback(week, to: &output)
            standing.writeLesson(week, to: &output)
            output.member("level", standing.row.level)
            output.member("status", status)
            output.member("statusLabel", status.label)
            standing.writeSubmission(week, to: &output)
            output.member("title", title(week: week, topic: topic))
            output.member("topic", topic)
            output.member("week", week)
            output.member("weeks", standing.row.weeks)
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

extension QuranFlow.Standing {
    /// The lesson, if its week is unlocked: a locked week prints no content.
    private func openLesson(_ week: Int) -> QuranFlow.LessonRow? {
        row.isUnlocked(week, at: now) ? state.lesson(level: row.level, week: week) : nil
    }

    fileprivate func writeLesson(_ week: Int, to output: inout JSONOutput) {
        let lesson = openLesson(week)
        let status = state.lessonState(row, week: week, at: now)
        output.object("lesson") { output in
            output.member("canComplete", status == .watched)
            output.member("canReopen", status == .complete)
            output.member("notes", lesson?.notes)
            output.member("objectives", lesson?.objectives ?? [])
            output.member("seconds", lesson?.seconds ?? 0)
            output.member("state", status)
            output.array("videos", lesson?.videos ?? []) { output, video in
                let progress = state.progress[.init(row.student, video.video)]
                output.object { output in
                    output.member("duration", QuranFlow.Teller.duration(video.seconds))
                    output.member("resumeAt", progress?.resumeAt ?? 0)
                    output.member("seconds", video.seconds)
                    output.member("title", video.title)
                    output.member("video", video.video)
                    output.member("watched", progress?.isWatched ?? false)
                }
            }
            output.member(
                "watched", lesson.map { state.watchedCount($0, by: row.student) } ?? 0)
        }
    }

    fileprivate func writeSubmission(_ week: Int, to output: inout JSONOutput) {
        let lesson = openLesson(week)
        let allowance = allowance
        let font = state.font(of: row.student)
        output.object("submission") { output in
            output.member("attemptsText", attemptsText)
            output.member("font", font.name)
            output.member("fontSize", font.size)
            output.array("history", row.weekRows[week - 1].recordings) { output, id in
                guard let recording = state.recordings[id] else { return }
                output.object { output in
                    output.member("attempt", recording.attempt)
                    output.time("at", recording.submittedAt, learner.teller)
                    output.member("label", recording.label)
                    output.member("onTime", recording.isOnTime)
                    output.member("recording", id)
                    output.member("seconds", recording.seconds)
                    output.member("status", recording.status)
                }
            }
            output.member("limit", allowance.limit)
            output.time("nextAttemptAt", allowance.nextAttemptAt, learner.teller)
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
                + "\(learner.teller.dateText(of: opens))."
        }
        if week == 1, state.lessonState(row, week: week, at: now) == .notStarted {
            return "Watch the lesson first, then record your submission."
        }
        return nil
    }

    // MARK: Feedback

    fileprivate func writeFeedback(_ week: Int, to output: inout JSONOutput) {
        let facts = row.weekRows[week - 1]
        let answered = facts.recordings.compactMap { id in
            state.recordings[id].flatMap { $0.hasFeedback ? (id: id, row: $0) : nil }
        }.sorted { $0.row.feedbackPosition > $1.row.feedbackPosition }
        let status: String
        var text: String?
        if facts.recordings.isEmpty {
            status = "none"
            text = "Submit your recording to receive feedback from your Quran Coach."
        } else if answered.isEmpty {
            status = "awaited"
            text =
                "Your coach is reviewing your submission. You'll be notified when feedback is ready."
        } else {
            status = facts.hasUnreviewed ? "new" : "reviewed"
        }
        output.object("feedback") { output in
            output.array("items", answered) { write($1.id, $1.row, to: &$0) }
            output.member("state", status)
            output.member("text", text)
        }
    }

    private func write(
        _ id: QuranFlow.RecordingID, _ recording: QuranFlow.RecordingRow,
        to output: inout JSONOutput
    ) {
        let receivedAt = recording.feedbackAt ?? now
        output.object { output in
            output.member("audio", recording.feedbackAudio)
            output.member("coach", recording.coach)
            output.member("coachName", state.name(recording.coach))
            output.array("comments", state.thread(id)) { output, comment in
                output.object { output in
                    output.time("at", comment.at, learner.teller)
                    output.member("author", comment.author)
                    output.member("comment", comment.comment)
                    output.member(
                        "name",
                        comment.author == .student ? learner.name : state.name(comment.coach))
                    output.member("text", comment.text)
                }
            }
            output.member("notes", recording.notes)
            output.time("receivedAt", receivedAt, learner.teller)
            output.member("receivedText", "Received \(learner.teller.relative(receivedAt))")
            output.member("recording", id)
            output.member("reviewed", recording.isReviewed)
            output.member("seconds", recording.feedbackSeconds)
            output.member("title", "\(state.coachText(recording.coach))'s Feedback")
        }
    }
}
