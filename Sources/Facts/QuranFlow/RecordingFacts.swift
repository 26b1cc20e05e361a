package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    package struct RecordingRow: Record {
        package var student = StudentID.none
        package var enrollment = EnrollmentID.none
        package var level = 0
        package var week = 0
        /// The nth for its week.
        package var attempt = 0
        package var submittedAt = Instant.epoch
        package var position = Position.zero
        package var seconds = 0
        package var isOnTime = false
        package var feedbackDueAt = Instant.epoch
        package var feedbackAt: Instant?
        package var feedbackPosition = Position.zero
        /// The coach that the feedback names.
        package var coach: CoachID?
        package var feedbackAudio: String?
        package var feedbackSeconds = 0
        package var notes: String?
        package var isReviewed = false
        /// The number of the feedback's notification; 0 for none.
        package var notice = 0
        package var comments = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("enrollment", &enrollment)
            coder.field("level", &level)
            coder.field("week", &week)
            coder.field("attempt", &attempt)
            coder.field("submittedAt", &submittedAt)
            coder.field("position", &position)
            coder.field("seconds", &seconds)
            coder.field("isOnTime", &isOnTime)
            coder.field("feedbackDueAt", &feedbackDueAt)
            coder.field("feedbackAt", &feedbackAt)
            coder.field("feedbackPosition", &feedbackPosition)
            coder.field("coach", &coach)
            coder.kept("feedbackAudio", &feedbackAudio, of: student.symbol)
            coder.field("feedbackSeconds", &feedbackSeconds)
            coder.kept("notes", &notes, of: student.symbol)
            coder.field("isReviewed", &isReviewed)
            coder.field("notice", &notice)
            coder.field("comments", &comments)
        }

        package var hasFeedback: Bool { feedbackAt != nil }
    }

    package struct CommentRow: Record {
        package var comment = CommentID.none
        package var at = Instant.epoch
        package var author = Recording.Author.student
        package var coach: CoachID?
        fileprivate var person = Word.empty
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
    static func recordingRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Recording.Submitted.self) { $0.submitted($1, $2) }
        routes.on(QuranFlow.Recording.FeedbackFellDue.self) { state, _, metadata in
            state.timers.cancel(.feedbackDue, on: metadata.stream)
        }
        routes.on(QuranFlow.Recording.FeedbackGiven.self) { $0.answered($1, $2) }
        routes.on(QuranFlow.Recording.FeedbackReviewed.self) { $0.reviewed($1, $2) }
        routes.on(QuranFlow.Recording.CommentPosted.self) { state, event, metadata in
            let recording: QuranFlow.RecordingID = state.thing(of: metadata)
            guard let place = state.recordings.read(recording, { $0.comments }) else { return }
            state.recordings.update(recording) { $0.comments += 1 }
            state.comments.update(.init(recording, Ordinal(place))) {
                $0.comment = event.comment
                $0.at = metadata.at
                $0.author = event.author
                $0.coach = event.coach
                $0.person = Word(metadata.subject)
                $0.text = event.text
            }
        }
    }

    private func submitted(_ event: QuranFlow.Recording.Submitted, _ metadata: EventMetadata) {
        let recording: QuranFlow.RecordingID = thing(of: metadata)
        guard let hours = enrollments.read(event.enrollment, { $0.reminderHours }) else { return }
        recordings.update(recording) {
            $0.student = event.student
            $0.enrollment = event.enrollment
            $0.level = event.level
            $0.week = event.week
            $0.attempt = event.attempt
            $0.submittedAt = metadata.at
            $0.position = metadata.position
            $0.seconds = event.seconds
            $0.isOnTime = event.onTime
            $0.feedbackDueAt = event.feedbackDueAt
        }
        enrollments.update(event.enrollment) { row in
            row.recordings.append(recording)
            row.submissions.append(metadata.at)
            row.awaiting.append(recording)
            guard row.isWeek(event.week) else { return }
            row.weekRows[event.week - 1].recordings.append(recording)
            if event.onTime { row.weekRows[event.week - 1].hasOnTime = true }
        }
        timers.set(
            .feedbackDue, on: metadata.stream, due: event.feedbackDueAt, cause: metadata.position)
        guard let enrollment = stream("enrollment", event.enrollment) else { return }
        for hours in hours {
            timers.cancel(.deadline(week: event.week, hours: hours), on: enrollment)
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

    /// A thread, oldest first.
    package func thread(_ recording: QuranFlow.RecordingID) -> [QuranFlow.CommentRow] {
        (0..<(recordings.read(recording) { $0.comments } ?? 0)).compactMap {
            comments[.init(recording, Ordinal($0))]
        }
    }
}
