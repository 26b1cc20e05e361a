package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct RegisterStudent: Command {
        package static let type = "quranflow.student.register"
        var student = StudentID.none
        var name = ""
        var email = ""
        var phone: String?
        var gender = Gender.female
        var timeZone = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("name", &name)
            coder.filled("email", &email)
            coder.optionalFilled("phone", &phone)
            coder.field("gender", &gender)
            coder.field("timeZone", &timeZone)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(zone: timeZone)
        }

        package func who(in programme: Programme) -> Who { .service }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            // R2: one space of ids, and none is ever given twice.
            if scene.state.people.contains(.init(student)) { throw .alreadyExists }
            scene.record(
                Student.Registered.with {
                    $0.name = name
                    $0.email = email
                    $0.phone = phone
                    $0.gender = gender
                    $0.timeZone = Word(scene.names.intern(timeZone))
                }, student: student)
        }
    }

    package struct AmendDetails: Command {
        package static let type = "quranflow.student.amend-details"
        var student = StudentID.none
        var name: String?
        var email: String?
        var phone: String?
        var photo: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optionalFilled("name", &name)
            coder.optionalFilled("email", &email)
            coder.optionalFilled("phone", &phone)
            coder.optionalFilled("photo", &photo)
        }

        package func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, email, phone, photo"
        }

        package func who(in programme: Programme) -> Who { .studentOrAdmin(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(
                Student.DetailsAmended.with {
                    $0.name = name.map { .some($0) }
                    $0.email = email.map { .some($0) }
                    $0.phone = phone.map { .some($0) }
                    $0.photo = photo.map { .some($0) }
                }, student: student)
        }
    }

    package struct SubmitAssessment: Command {
        package static let type = "quranflow.assessment.submit"
        var student = StudentID.none
        var audio = ""
        var seconds = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        /// R10.
        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.student(student)
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt != nil { throw .assessmentPending }
            scene.record(
                Student.AssessmentSubmitted.with {
                    $0.audio = audio
                    $0.seconds = seconds
                    $0.placementDueAt = scene.at + Int64(scene.state.policy.placementHours) * 3600
                }, student: student)
        }
    }

    package struct PlaceStudent: Command {
        package static let type = "quranflow.student.place"
        var student = StudentID.none
        var level = 0
        var coach = CoachID.none
        var enrollment = EnrollmentID.none
        var semester = SemesterID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("level", &level)
            coder.field("coach", &coach)
            coder.field("enrollment", &enrollment)
            coder.field("semester", &semester)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(nil) }

        /// R10, R11.
        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.student(student)
            try programme.findCoach(coach)
            let calendar = try programme.semester(semester)
            try scene.checkCoachIsActive()
            if programme.enrollments.contains(enrollment) { throw .alreadyExists }
            if row.isPlaced { throw .alreadyPlaced }
            if row.assessedAt == nil { throw .assessmentMissing }
            try programme.check(coach, for: student)
            if calendar.isOver(at: scene.at) { throw .semesterOver }
            scene.record(
                Student.Placed.with {
                    $0.level = level
                    $0.coach = coach
                    $0.enrollment = enrollment
                    $0.semester = semester
                    $0.late = scene.at > row.placementDueAt
                }, student: student)
            scene.open(enrollment, of: student, level: level, semester, calendar, coach: coach)
            scene.notifyPlaced(student, enrollment, level: level)
            scene.unlockEOC(enrollment)
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// Timer `placement-due`: fires if not placed.
    func placementFellDue(_ student: QuranFlow.StudentID) {
        guard let row = state.students[student], row.isAwaitingPlacement else { return }
        record(
            QuranFlow.Student.PlacementFellDue.with { $0.placementDueAt = row.placementDueAt },
            student: student)
    }
}
