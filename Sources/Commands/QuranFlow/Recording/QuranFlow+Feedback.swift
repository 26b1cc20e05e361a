import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Gives feedback to a recording (R18, R19).
    struct GiveFeedback: Command {
        static let type = "quranflow.feedback.give"
        var recording = RecordingID.none
        var audio: Filled = ""
        var seconds = 0
        var notes: Filled?

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let (row, enrollment) = try context.find(recording)
            try context.checkCoach(enrollment.coach, of: recording)
            if row.hasFeedback { throw .feedbackAlreadyGiven }
            context.record(
                Recording.FeedbackGiven(
                    student: row.student,
                    enrollment: row.enrollment,
                    coach: enrollment.coach,
                    week: row.week,
                    // Later than the coach's time allows (R19).
                    late: context.at > row.feedbackDueAt,
                    waitedSeconds: max(
                        0, Int(context.at.milliseconds(since: row.submittedAt) / 1000)),
                    audio: audio,
                    seconds: seconds,
                    notes: notes), on: recording)
            context.notifyFeedback(recording, row)
            context.unlockEOC(row.enrollment)
        }
    }

    /// Marks the feedback to a recording as reviewed by the student.
    struct ReviewFeedback: Command {
        static let type = "quranflow.feedback.review"
        var recording = RecordingID.none

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let (row, _) = try context.findOwn(recording)
            if !row.hasFeedback { throw .noFeedbackYet }
            if row.isReviewed { throw .alreadyReviewed }
            context.record(
                Recording.FeedbackReviewed(
                    student: row.student,
                    week: row.week), on: recording)
            context.openNotification(row.notice, of: row.student)
        }
    }

    /// Comments on the feedback to a recording; the other side is notified.
    struct PostComment: Command {
        static let type = "quranflow.comment.post"
        var recording = RecordingID.none
        var comment = CommentID.none
        var text: Filled = ""

        /// `system` speaks as the coach.
        func senders(in state: State) -> Senders { .any(.student, .coach) }

        func decide(in context: Context) throws(Rejection) {
            let (row, enrollment) = try context.findOwn(recording)
            try context.checkCoach(enrollment.coach, of: recording)
            if context.state.thread(recording).contains(where: { $0.comment == comment }) {
                throw context.alreadyExists(comment)
            }
            if !row.hasFeedback { throw .noFeedbackYet }
            try context.checkLength(of: text)
            context.record(
                Recording.CommentPosted(
                    comment: comment,
                    author: context.isStudent ? .student : .coach,
                    coach: enrollment.coach,
                    text: text), on: context.stream(of: recording),
                about: ("student", row.student.symbol),
                ("recording", recording.symbol))
            if !context.isStudent {
                context.notifyComment(comment, recording, row, to: .student(row.student))
            } else if let coach = enrollment.coach {
                context.notifyComment(comment, recording, row, to: .coach(coach))
            }
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Timer `feedback-due`: fires while there is no feedback; notifies the coach whose work it is now (R11).
    func feedbackFellDue(_ recording: QuranFlow.RecordingID) {
        guard let row = state.recordings[recording], !row.hasFeedback else { return }
        let enrollment = state.enrollments[row.enrollment]
        let coach = enrollment?.coach
        record(
            QuranFlow.Recording.FeedbackFellDue(
                student: row.student,
                coach: coach,
                week: row.week,
                feedbackDueAt: row.feedbackDueAt), on: recording)
        if let coach = enrollment.flatMap({ state.presentCoach($0) }) {
            notifyFeedbackOverdue(recording, row, coach)
        }
    }
}
