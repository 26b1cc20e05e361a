import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Registers a student.
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
            coder.text("name", &name, of: TextLength.title)
            coder.email("email", &email)
            coder.optionalText("phone", &phone, of: TextLength.title)
            coder.field("gender", &gender)
            coder.field("timeZone", &timeZone)
        }

        func problem(_ names: Names) -> String? {
            ZoneName.problem(timeZone)
        }

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            // Students and coaches share one space of ids, and none is ever given twice (R2).
            try context.checkIsFree(student, unless: context.state.people.contains(.init(student)))
            context.record(
                Student.Registered(
                    name: name,
                    email: email,
                    phone: phone,
                    gender: gender,
                    timeZone: InternedText(context.names.intern(ZoneName.place(timeZone)))),
                on: student)
        }
    }

    /// Changes a student's name, e-mail, phone or photo.
    struct AmendDetails: Command {
        static let type = "quranflow.student.amend-details"
        var student = StudentID.none
        var name: String?
        var email: String?
        var phone: String?
        var photo: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optionalText("name", &name, of: TextLength.title)
            coder.optionalEmail("email", &email)
            coder.optionalText("phone", &phone, of: TextLength.title)
            coder.optionalText("photo", &photo, of: TextLength.reference)
        }

        func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, email, phone, photo"
        }

        func senders(in state: State) -> Senders { .student(student).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            context.record(
                Student.DetailsAmended(
                    name: name.map { .some($0) },
                    email: email.map { .some($0) },
                    phone: phone.map { .some($0) },
                    photo: photo.map { .some($0) }), on: student)
        }
    }

    /// Corrects a gender that was registered wrongly; a coach who does not suit any more is taken away (R38).
    struct CorrectGender: Command {
        static let type = "quranflow.student.correct-gender"
        var student = StudentID.none
        var gender = Gender.female

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            let person = try context.find(PersonID(student))
            if person.gender == gender { throw .nothingChanged }
            context.record(
                Student.GenderCorrected(
                    gender: gender,
                    previous: person.gender), on: student)
            for enrollment in row.enrollments {
                guard let row = state.enrollments[enrollment], row.needsCoach,
                    let coach = row.coach, !state.suits(coach, student)
                else { continue }
                context.unassign(enrollment, row)
            }
        }
    }
}
