import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Submits a recording of a week's passage (R16-R18).
    struct SubmitRecording: Command {
        static let type = "quranflow.recording.submit"
        var enrollment = EnrollmentID.none
        var recording = RecordingID.none
        var week = 0
        var audio: Filled = ""
        var seconds = 0
        var confirmed = false

        func problem(_ names: Names) -> String? {
            rangeProblem(
                ("week", week, 1...Bounds.count.upperBound), ("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.findOwn(enrollment)
            try context.checkIsFree(recording, unless: state.recordings.contains(recording))
            if let obstacle = state.obstacle(to: row, week: week, at: context.at),
                let code = Rejection(rawValue: obstacle.rawValue)
            {
                throw context.refuse(code, context.words(of: obstacle, row, week))
            }
            if !confirmed { throw .notConfirmed }
            let policy = state.policy
            let allowance = state.allowance(row, at: context.at)
            let counted = row.weekRows[week - 1].recordings
            let counts = row.countsWhen == .submitted && counted.isEmpty
            context.record(
                Recording.Submitted(
                    student: row.student,
                    enrollment: enrollment,
                    level: row.level,
                    week: week,
                    attempt: counted.count + 1,
                    usedInPeriod: allowance.used + 1,
                    limit: allowance.limit,
                    periodStartsAt: allowance.periodStartsAt,
                    coach: row.coach,
                    // Before the next week starts (R5).
                    onTime: context.at < row.weekStarts[week],
                    completed: row.completedWeeks + (counts ? 1 : 0),
                    // The coach's time begins now (R19).
                    feedbackDueAt: context.at + policy.feedbackHours,
                    audio: audio,
                    seconds: seconds), on: recording)
            context.unlockEOC(enrollment)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// What stands in the way of a recording, with the limit and the value.
    fileprivate func words(
        of obstacle: QuranFlow.SubmissionObstacle, _ row: QuranFlow.EnrollmentRow, _ week: Int
    ) -> String {
        switch obstacle {
        case .noSuchWeek: return "week \(week) of \(row.weeks)"
        case .semesterClosed: return "closed at \(row.closesAt)"
        case .weekLocked: return "week \(week) unlocks at \(row.weekStarts[week - 1])"
        case .submissionLimit:
            let allowance = state.allowance(row, at: at)
            let next = allowance.nextAttemptAt.map { ", the next opens at \($0)" } ?? ""
            return "\(allowance.used) of \(allowance.limit)\(next)"
        case .enrollmentNotActive: return row.state.rawValue
        case .lessonNotPublished, .fontNotChosen, .lessonNotComplete: return "week \(week)"
        }
    }
}
