package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct GiveFeedback: Command {
        package static let type = "quranflow.feedback.give"
        var recording = RecordingID.none
        var audio = ""
        var seconds = 0
        var notes: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recording", &recording)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.optionalFilled("notes", &notes)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let (row, enrollment) = try scene.state.recording(recording)
            try scene.checkCoach(enrollment.coach)
            if row.hasFeedback { throw .feedbackAlreadyGiven }
            scene.record(
                Recording.FeedbackGiven.with {
                    $0.student = row.student
                    $0.enrollment = row.enrollment
                    $0.coach = enrollment.coach
                    $0.week = row.week
                    $0.late = scene.at > row.feedbackDueAt  // R19
                    $0.waitedSeconds = max(
                        0, Int(scene.at.milliseconds(since: row.submittedAt) / 1000))
                    $0.audio = audio
                    $0.seconds = seconds
                    $0.notes = notes
                }, recording: recording)
            scene.notifyFeedback(recording, row)
            scene.unlockEOC(row.enrollment)
        }
    }

    package struct ReviewFeedback: Command {
        package static let type = "quranflow.feedback.review"
        var recording = RecordingID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recording", &recording)
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let (row, _) = try scene.state.recording(recording)
            try scene.checkOwner(row.student)
            if !row.hasFeedback { throw .noFeedbackYet }
            if row.isReviewed { throw .alreadyReviewed }
            scene.record(
                Recording.FeedbackReviewed.with {
                    $0.student = row.student
                    $0.week = row.week
                }, recording: recording)
            scene.openNotice(row.notice, of: row.student)
        }
    }

    package struct PostComment: Command {
        package static let type = "quranflow.comment.post"
        var recording = RecordingID.none
        var comment = CommentID.none
        var text = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recording", &recording)
            coder.field("comment", &comment)
            coder.filled("text", &text)
        }

        /// `system` speaks as the coach.
        package func who(in programme: Programme) -> Who { .studentOrCoach }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let (row, enrollment) = try scene.state.recording(recording)
            try scene.checkOwner(row.student)
            try scene.checkCoach(enrollment.coach)
            if scene.state.thread(recording).contains(where: { $0.comment == comment }) {
                throw .alreadyExists
            }
            if !row.hasFeedback { throw .noFeedbackYet }
            if text.scalarCount > scene.state.policy.commentMaxCharacters { throw .textTooLong }
            scene.record(
                Recording.CommentPosted.with {
                    $0.comment = comment
                    $0.author = scene.isStudent ? .student : .coach
                    $0.coach = enrollment.coach
                    $0.text = text
                }, on: scene.stream("recording", recording), about: ("student", row.student.symbol),
                ("recording", recording.symbol))
            if !scene.isStudent {
                scene.notifyComment(comment, recording, row, to: .student(row.student))
            } else if let coach = enrollment.coach {
                scene.notifyComment(comment, recording, row, to: .coach(coach))
            }
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// Timer `feedback-due`: fires while there is no feedback; tells the coach whose work it is now (R11).
    func feedbackFellDue(_ recording: QuranFlow.RecordingID) {
        guard let row = state.recordings[recording], !row.hasFeedback else { return }
        let coach = state.enrollments.read(row.enrollment) { $0.coach } ?? nil
        record(
            QuranFlow.Recording.FeedbackFellDue.with {
                $0.student = row.student
                $0.coach = coach
                $0.week = row.week
                $0.feedbackDueAt = row.feedbackDueAt
            }, recording: recording)
        if let coach { notifyFeedbackOverdue(recording, row, coach) }
    }
}
