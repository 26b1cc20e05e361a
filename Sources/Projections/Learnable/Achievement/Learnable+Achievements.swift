import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What has been achieved? (R36)
    static let achievementsView = ReadModel<State>(
        "learnable.achievements", "What has been achieved?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        state.writeAchievements(student, row, at: request.now, to: &output)
        return true
    }
}

extension Learnable.State {
    /// Writes the epoch's totals (R36) and both streaks (R32, R33).
    func writeAchievements(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        let today = day(of: student, at: now)
        let epoch = epoch(of: row)
        let runs = StudyRuns(studyDays(row.epoch))
        let minutes = epoch.studySeconds / 60
        output.object { output in
            output.member("correctAnswers", epoch.correct)
            output.member("questionsAnswered", epoch.answered)
            output.member("questionsGenerated", epoch.pooled)
            output.object("quizStreak") { output in
                output.member("longest", epoch.longestStreak)
                output.member("present", quizStreak(row.epoch, on: today))
            }
            output.member("studySeconds", epoch.studySeconds)
            output.object("studyStreak") { output in
                output.member("longest", runs.longest)
                output.member("present", runs.present(today))
            }
            output.member("studyTime", "\(minutes / 60) h \(minutes % 60) min")
            output.member("subjectsCompleted", epoch.completed)
            output.member("subjectsGenerated", epoch.generated)
            output.member("today", today)
        }
    }
}
