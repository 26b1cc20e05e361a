import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Submits the reading sample that a student is placed by (R10).
    struct SubmitAssessment: Command {
        static let type = "quranflow.assessment.submit"
        var student = StudentID.none
        var audio: Filled = ""
        var seconds = 0

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt != nil { throw .assessmentPending }
            context.record(
                Student.AssessmentSubmitted(
                    audio: audio,
                    seconds: seconds,
                    placementDueAt:
                        context.at + context.state.policy.placementHours), on: student
            )
        }
    }

    /// Places a student in a level, with a coach and an enrolment (R10, R11).
    struct PlaceStudent: Command {
        static let type = "quranflow.student.place"
        var student = StudentID.none
        var level = 0
        var coach = CoachID.none
        var enrollment = EnrollmentID.none
        var semester = SemesterID.none

        func problem(_ names: Names) -> String? {
            rangeProblem(("level", level, Policy.levels))
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            try context.find(coach)
            let calendar = try context.find(semester)
            try context.checkCoachIsActive()
            try context.checkIsFree(enrollment, unless: state.enrollments.contains(enrollment))
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt == nil { throw .assessmentMissing }
            try context.check(coach, for: student)
            if calendar.isOver(at: context.at) { throw .semesterOver }
            context.record(
                Student.Placed(
                    level: level,
                    coach: coach,
                    enrollment: enrollment,
                    semester: semester,
                    late: context.at > row.placementDueAt), on: student)
            context.open(enrollment, of: student, level: level, semester, calendar, coach: coach)
            context.notifyPlaced(student, enrollment, level: level)
            context.unlockEOC(enrollment)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Timer `placement-due`: fires if not placed.
    func placementFellDue(_ student: QuranFlow.StudentID) {
        guard let row = state.students[student], row.isAwaitingPlacement else { return }
        record(
            QuranFlow.Student.PlacementFellDue(
                placementDueAt: row.placementDueAt),
            on: student)
    }
}
