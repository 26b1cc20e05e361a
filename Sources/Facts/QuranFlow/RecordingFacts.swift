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

extension QuranFlow.Programme {
    static func recordingRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.Recording.Submitted.self) { $0.submitted($1, $2) }
        routes.on(QuranFlow.Recording.FeedbackFellDue.self) { programme, _, event in
            programme.timers.cancel(.feedbackDue, on: event.stream)
        }
        routes.on(QuranFlow.Recording.FeedbackGiven.self) { $0.answered($1, $2) }
        routes.on(QuranFlow.Recording.FeedbackReviewed.self) { $0.reviewed($1, $2) }
        routes.on(QuranFlow.Recording.CommentPosted.self) { programme, fact, event in
            let recording: QuranFlow.RecordingID = programme.thing(of: event)
            guard let place = programme.recordings.read(recording, { $0.comments }) else { return }
            programme.recordings.update(recording) { $0.comments += 1 }
            programme.comments.update(.init(recording, Ordinal(place))) {
                $0.comment = fact.comment
                $0.at = event.at
                $0.author = fact.author
                $0.coach = fact.coach
                $0.person = Word(event.subject)
                $0.text = fact.text
            }
        }
    }

    private func submitted(_ fact: QuranFlow.Recording.Submitted, _ event: Circumstances) {
        let recording: QuranFlow.RecordingID = thing(of: event)
        guard let hours = enrollments.read(fact.enrollment, { $0.reminderHours }) else { return }
        recordings.update(recording) {
            $0.student = fact.student
            $0.enrollment = fact.enrollment
            $0.level = fact.level
            $0.week = fact.week
            $0.attempt = fact.attempt
            $0.submittedAt = event.at
            $0.position = event.position
            $0.seconds = fact.seconds
            $0.isOnTime = fact.onTime
            $0.feedbackDueAt = fact.feedbackDueAt
        }
        enrollments.update(fact.enrollment) { row in
            row.recordings.append(recording)
            row.submissions.append(event.at)
            row.awaiting.append(recording)
            guard row.isWeek(fact.week) else { return }
            row.weekRows[fact.week - 1].recordings.append(recording)
            if fact.onTime { row.weekRows[fact.week - 1].hasOnTime = true }
        }
        timers.set(.feedbackDue, on: event.stream, due: fact.feedbackDueAt, cause: event.position)
        guard let enrollment = stream("enrollment", fact.enrollment) else { return }
        for hours in hours {
            timers.cancel(.deadline(week: fact.week, hours: hours), on: enrollment)
        }
    }

    private func answered(_ fact: QuranFlow.Recording.FeedbackGiven, _ event: Circumstances) {
        let recording: QuranFlow.RecordingID = thing(of: event)
        guard let row = recordings[recording], !row.hasFeedback else { return }
        recordings.update(recording) {
            $0.feedbackAt = event.at
            $0.feedbackPosition = event.position
            $0.coach = fact.coach
            $0.feedbackAudio = fact.audio
            $0.feedbackSeconds = fact.seconds
            $0.notes = fact.notes
        }
        enrollments.updateExisting(row.enrollment) { enrollment in
            enrollment.awaiting.removeAll { $0 == recording }
            enrollment.unreviewed.append(recording)
            enrollment.hasFeedback = true
            if enrollment.isWeek(row.week) { enrollment.weekRows[row.week - 1].withFeedback += 1 }
        }
        timers.cancel(.feedbackDue, on: event.stream)
    }

    private func reviewed(_ fact: QuranFlow.Recording.FeedbackReviewed, _ event: Circumstances) {
        let recording: QuranFlow.RecordingID = thing(of: event)
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
