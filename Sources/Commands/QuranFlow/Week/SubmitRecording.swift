package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Sends a recording of a week's passage to the coach (R16-R18).
    package struct SubmitRecording: Command {
        package static let type = "quranflow.recording.submit"
        var enrollment = EnrollmentID.none
        var recording = RecordingID.none
        var week = 0
        var audio = ""
        var seconds = 0
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("recording", &recording)
            coder.field("week", &week)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.field("confirmed", &confirmed)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(
                ("week", week, 1...Int.max), ("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.enrollment(enrollment)
            try scene.checkOwner(row.student)
            if programme.recordings.contains(recording) { throw .alreadyExists }
            if let obstacle = programme.obstacle(to: row, week: week, at: scene.at),
                let code = Rejection(rawValue: obstacle.rawValue)
            {
                throw code
            }
            if !confirmed { throw .notConfirmed }
            let policy = programme.policy
            let allowance = row.allowance(at: scene.at, policy, scene.names)
            let counted = row.weekRows[week - 1].recordings
            let counts = row.countsWhen == .submitted && counted.isEmpty
            scene.record(
                Recording.Submitted.with {
                    $0.student = row.student
                    $0.enrollment = enrollment
                    $0.level = row.level
                    $0.week = week
                    $0.attempt = counted.count + 1
                    $0.usedInPeriod = allowance.used + 1
                    $0.limit = allowance.limit
                    $0.periodStartsAt = allowance.periodStartsAt
                    $0.coach = row.coach
                    $0.onTime = scene.at < row.weekStarts[week]  // R5
                    $0.completed = row.completedWeeks + (counts ? 1 : 0)
                    $0.feedbackDueAt = scene.at + Int64(policy.feedbackHours) * 3600  // R19
                    $0.audio = audio
                    $0.seconds = seconds
                }, recording: recording)
            scene.unlockEOC(enrollment)
        }
    }
}
