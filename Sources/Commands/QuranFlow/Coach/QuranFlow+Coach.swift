import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Registers a coach.
    struct RegisterCoach: Command {
        static let type = "quranflow.coach.register"
        var coach = CoachID.none
        var name: Filled = ""
        var gender = Gender.female
        var bio: Filled?
        var photo: Filled?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            // Students and coaches share one space of ids, and none is ever given twice (R2).
            try context.checkIsFree(coach, unless: context.state.people.contains(.init(coach)))
            context.record(
                Coach.Registered(
                    name: name,
                    gender: gender,
                    bio: bio,
                    photo: photo), on: coach)
        }
    }

    /// Changes how a coach is introduced to students.
    struct IntroduceCoach: Command {
        static let type = "quranflow.coach.introduce"
        var coach = CoachID.none
        var name: Filled?
        var bio: Filled?
        var photo: Filled?

        func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, bio, photo"
        }

        func senders(in state: State) -> Senders { .one(.coach, coach).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(coach)
            try context.checkCoach(coach, of: coach)
            context.record(
                Coach.Introduced(
                    name: name.map { .some($0) },
                    bio: bio.map { .some($0) },
                    photo: photo.map { .some($0) }), on: coach)
        }
    }

    /// Retires a coach, who gets no further students; those of now go to a successor, or are left without a
    /// coach for an admin to assign (R38).
    struct RetireCoach: Command {
        static let type = "quranflow.coach.retire"
        var coach = CoachID.none
        var successor: CoachID?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try context.find(coach)
            if let successor { try context.find(successor) }
            if state.isRetired(coach) { throw .coachRetired }
            if let successor {
                if successor == coach { throw .alreadyAssigned }
                if state.isRetired(successor) { throw .coachRetired }
                for enrollment in state.openCharges(of: coach) {
                    guard let student = state.enrollments.read(enrollment, { $0.student }) else {
                        continue
                    }
                    if !state.suits(successor, student) { throw .coachGenderMismatch }
                }
            }
            context.record(Coach.Retired(), on: coach)
            context.handOver(coach, to: successor)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// The codes about a coach whom a student would be given (R11).
    func check(
        _ coach: QuranFlow.CoachID, for student: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) {
        if state.isRetired(coach) { throw .coachRetired }
        if !state.suits(coach, student) { throw .coachGenderMismatch }
    }

    /// Gives the enrolments that wait for a coach's answers to another, or takes the coach away from them (R38).
    func handOver(_ coach: QuranFlow.CoachID, to successor: QuranFlow.CoachID?) {
        for enrollment in state.openCharges(of: coach) {
            guard let row = state.enrollments[enrollment] else { continue }
            if let successor {
                assign(successor, to: enrollment, row)
            } else {
                unassign(enrollment, row)
            }
        }
    }

    /// Another coach takes over, and the student is notified (R11).
    func assign(
        _ coach: QuranFlow.CoachID, to enrollment: QuranFlow.EnrollmentID,
        _ row: QuranFlow.EnrollmentRow
    ) {
        record(
            QuranFlow.Enrollment.CoachAssigned(
                student: row.student,
                coach: coach,
                previous: row.coach), on: enrollment)
        notifyAssigned(row.student, enrollment, coach)
    }

    /// The enrolment stands without a coach until an admin assigns one (R38).
    func unassign(_ enrollment: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow) {
        guard let coach = row.coach else { return }
        record(
            QuranFlow.Enrollment.CoachUnassigned(
                student: row.student,
                previous: coach), on: enrollment)
    }
}
