import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct RegisterStudent: Command {
        static let type = "quranflow.student.register"
        var student = StudentID.none
        var name = ""
        var email = ""
        var phone: String?
        var gender = Gender.female
        var timeZone = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("name", &name)
            coder.filled("email", &email)
            coder.optionalFilled("phone", &phone)
            coder.field("gender", &gender)
            coder.field("timeZone", &timeZone)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(zone: timeZone)
        }

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            // R2: one space of ids, and none is ever given twice.
            if context.state.people.contains(.init(student)) { throw .alreadyExists }
            context.record(
                Student.Registered.with {
                    $0.name = name
                    $0.email = email
                    $0.phone = phone
                    $0.gender = gender
                    $0.timeZone = Word(context.names.intern(timeZone))
                }, student: student)
        }
    }

    struct AmendDetails: Command {
        static let type = "quranflow.student.amend-details"
        var student = StudentID.none
        var name: String?
        var email: String?
        var phone: String?
        var photo: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optionalFilled("name", &name)
            coder.optionalFilled("email", &email)
            coder.optionalFilled("phone", &phone)
            coder.optionalFilled("photo", &photo)
        }

        func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, email, phone, photo"
        }

        func senders(in state: State) -> Senders { .student(student).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.student(student)
            context.record(
                Student.DetailsAmended.with {
                    $0.name = name.map { .some($0) }
                    $0.email = email.map { .some($0) }
                    $0.phone = phone.map { .some($0) }
                    $0.photo = photo.map { .some($0) }
                }, student: student)
        }
    }

    struct SubmitAssessment: Command {
        static let type = "quranflow.assessment.submit"
        var student = StudentID.none
        var audio = ""
        var seconds = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .student(student) }

        /// R10.
        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.student(student)
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt != nil { throw .assessmentPending }
            context.record(
                Student.AssessmentSubmitted.with {
                    $0.audio = audio
                    $0.seconds = seconds
                    $0.placementDueAt =
                        context.at + Int64(context.state.policy.placementHours) * 3600
                }, student: student)
        }
    }

    struct PlaceStudent: Command {
        static let type = "quranflow.student.place"
        var student = StudentID.none
        var level = 0
        var coach = CoachID.none
        var enrollment = EnrollmentID.none
        var semester = SemesterID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("level", &level)
            coder.field("coach", &coach)
            coder.field("enrollment", &enrollment)
            coder.field("semester", &semester)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        /// R10, R11.
        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.student(student)
            try state.findCoach(coach)
            let calendar = try state.semester(semester)
            try context.checkCoachIsActive()
            if state.enrollments.contains(enrollment) { throw .alreadyExists }
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt == nil { throw .assessmentMissing }
            try state.check(coach, for: student)
            if calendar.isOver(at: context.at) { throw .semesterOver }
            context.record(
                Student.Placed.with {
                    $0.level = level
                    $0.coach = coach
                    $0.enrollment = enrollment
                    $0.semester = semester
                    $0.late = context.at > row.placementDueAt
                }, student: student)
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
            QuranFlow.Student.PlacementFellDue.with { $0.placementDueAt = row.placementDueAt },
            student: student)
    }
}
