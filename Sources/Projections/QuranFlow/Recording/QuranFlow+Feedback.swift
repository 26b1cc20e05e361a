import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.EnrolledLearner {
    /// The feedback to the recordings of a week, the newest first.
    func writeFeedback(_ week: Int, to output: inout JSONOutput) {
        let content = row.weekRows[week - 1]
        let answered = content.recordings.compactMap { id in
            state.recordings[id].flatMap { $0.hasFeedback ? (id: id, row: $0) : nil }
        }.sorted { $0.row.feedbackPosition > $1.row.feedbackPosition }
        let status: String
        var text: String?
        if content.recordings.isEmpty {
            status = "none"
            text = "Submit your recording to receive feedback from your Quran Coach."
        } else if answered.isEmpty {
            status = "awaited"
            text =
                "Your coach is reviewing your submission. You'll be notified when feedback is ready."
        } else {
            status = content.hasUnreviewed ? "new" : "reviewed"
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
                    output.time("at", comment.at, learner.formatter)
                    output.member("author", comment.author)
                    output.member("comment", comment.comment)
                    output.member(
                        "name",
                        comment.author == .student ? learner.name : state.name(comment.coach))
                    output.member("text", comment.text)
                }
            }
            output.member("notes", recording.notes)
            output.time("receivedAt", receivedAt, learner.formatter)
            output.member("receivedText", "Received \(learner.formatter.relative(receivedAt))")
            output.member("recording", id)
            output.member("reviewed", recording.isReviewed)
            output.member("seconds", recording.feedbackSeconds)
            output.member("title", "\(state.coachText(recording.coach))'s Feedback")
        }
    }
}
