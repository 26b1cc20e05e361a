package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A comment on the feedback; its number in the thread, from 0, is the second part of its key.
    package struct CommentRow: Record {
        package var comment = CommentID.none
        package var at = Instant.epoch
        package var author = Recording.Author.student
        package var coach: CoachID?
        fileprivate var person = InternedText.empty
        package var text: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("comment", &comment)
            coder.field("at", &at)
            coder.field("author", &author)
            coder.field("coach", &coach)
            coder.field("person", &person)
            coder.kept("text", &text, of: person.symbol)
        }
    }
}

extension QuranFlow.State {
    static func feedbackRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Recording.FeedbackFellDue.self) { state, _, metadata in
            state.timers.cancel(.feedbackDue, on: metadata.stream)
        }
        routes.on(QuranFlow.Recording.FeedbackGiven.self) { $0.answered($1, $2) }
        routes.on(QuranFlow.Recording.FeedbackReviewed.self) { $0.reviewed($1, $2) }
        routes.on(QuranFlow.Recording.CommentPosted.self) { state, event, metadata in
            let recording: QuranFlow.RecordingID = state.thing(of: metadata)
            guard let count = state.recordings.read(recording, { $0.comments }) else { return }
            state.recordings.update(recording) { $0.comments += 1 }
            state.comments.update(.init(recording, Ordinal(count))) {
                $0.comment = event.comment
                $0.at = metadata.at
                $0.author = event.author
                $0.coach = event.coach
                $0.person = InternedText(metadata.subject)
                $0.text = event.text
            }
        }
    }

    private func answered(_ event: QuranFlow.Recording.FeedbackGiven, _ metadata: EventMetadata) {
        let recording: QuranFlow.RecordingID = thing(of: metadata)
        guard let row = recordings[recording], !row.hasFeedback else { return }
        recordings.update(recording) {
            $0.feedbackAt = metadata.at
            $0.feedbackPosition = metadata.position
            $0.coach = event.coach
            $0.feedbackAudio = event.audio
            $0.feedbackSeconds = event.seconds
            $0.notes = event.notes
        }
        enrollments.updateExisting(row.enrollment) { enrollment in
            enrollment.awaiting.removeAll { $0 == recording }
            enrollment.unreviewed.append(recording)
            enrollment.hasFeedback = true
            if enrollment.isWeek(row.week) { enrollment.weekRows[row.week - 1].withFeedback += 1 }
        }
        timers.cancel(.feedbackDue, on: metadata.stream)
    }

    private func reviewed(_ event: QuranFlow.Recording.FeedbackReviewed, _ metadata: EventMetadata)
    {
        let recording: QuranFlow.RecordingID = thing(of: metadata)
        guard let row = recordings[recording], row.hasFeedback, !row.isReviewed else { return }
        recordings.update(recording) { $0.isReviewed = true }
        enrollments.updateExisting(row.enrollment) { enrollment in
            enrollment.unreviewed.removeAll { $0 == recording }
            if enrollment.isWeek(row.week) { enrollment.weekRows[row.week - 1].reviewed += 1 }
        }
    }

    /// The comments on a recording's feedback, oldest first.
    package func thread(_ recording: QuranFlow.RecordingID) -> [QuranFlow.CommentRow] {
        (0..<(recordings.read(recording) { $0.comments } ?? 0)).compactMap {
            comments[.init(recording, Ordinal($0))]
        }
    }
}
