import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The cards of lesson, submission and feedback inside the weeks.
    func writeCards(to output: inout JSONOutput) {
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
        let remaining = state.allowance(row, at: now).remaining
        let text: String
        if behind > 0 {
            text =
                remaining > 0
                ? "\(behind) behind -- catch up available" : "\(behind) to catch up"
        } else if let latest = recordings.last.flatMap({ state.recordings[$0] }) {
            text = "Submitted \(formatter.dateText(of: latest.submittedAt))"
        } else {
            text = week == 1 ? "Not started" : "Not submitted"
        }
        output.object("submission") { output in
            output.member(
                "deadline", recordings.isEmpty ? deadlineText(row.dueAt(week)) : nil)
            output.member("done", !recordings.isEmpty)
            output.link("link", .learn("submission", week: week))
            output.member("remaining", remaining)
            output.member("text", text)
        }
    }

    /// The deadline text: only from two days before (R34).
    func deadlineText(_ dueAt: Instant) -> String? {
        switch formatter.date(of: dueAt).days(since: formatter.today) {
        case 2: "Due in 2 days"
        case 1: "Due tomorrow"
        case 0: "Due today"
        default: nil
        }
    }
}
