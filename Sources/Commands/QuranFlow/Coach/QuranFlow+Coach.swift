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
            if context.state.people.contains(.init(coach)) {
                throw context.alreadyExists(coach)
            }
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
            try context.checkCoach(coach)
            context.record(
                Coach.Introduced(
                    name: name.map { .some($0) },
                    bio: bio.map { .some($0) },
                    photo: photo.map { .some($0) }), on: coach)
        }
    }

    /// Retires a coach, who gets no further students.
    struct RetireCoach: Command {
        static let type = "quranflow.coach.retire"
        var coach = CoachID.none

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.find(coach)
            if context.state.isRetired(coach) { throw .coachRetired }
            context.record(Coach.Retired(), on: coach)
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
}
