package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A recording with the feedback to it.
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
}

extension QuranFlow.State {
    static func recordingRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Recording.Submitted.self) { $0.submitted($1, $2) }
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
        guard let enrollment = stream(of: event.enrollment) else { return }
        for hours in hours {
            timers.cancel(.deadline(week: event.week, hours: hours), on: enrollment)
        }
    }
}
