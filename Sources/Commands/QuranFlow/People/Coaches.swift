import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct RegisterCoach: Command {
        static let type = "quranflow.coach.register"
        var coach = CoachID.none
        var name = ""
        var gender = Gender.female
        var bio: String?
        var photo: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
            coder.filled("name", &name)
            coder.field("gender", &gender)
            coder.optionalFilled("bio", &bio)
            coder.optionalFilled("photo", &photo)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            // R2: one space of ids, and none is ever given twice.
            if context.state.people.contains(.init(coach)) { throw .alreadyExists }
            context.record(
                Coach.Registered.with {
                    $0.name = name
                    $0.gender = gender
                    $0.bio = bio
                    $0.photo = photo
                }, coach: coach)
        }
    }

    struct IntroduceCoach: Command {
        static let type = "quranflow.coach.introduce"
        var coach = CoachID.none
        var name: String?
        var bio: String?
        var photo: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
            coder.optionalFilled("name", &name)
            coder.optionalFilled("bio", &bio)
            coder.optionalFilled("photo", &photo)
        }

        func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, bio, photo"
        }

        func senders(in state: State) -> Senders { .one(.coach, coach).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            try context.state.findCoach(coach)
            try context.checkCoach(coach)
            context.record(
                Coach.Introduced.with {
                    $0.name = name.map { .some($0) }
                    $0.bio = bio.map { .some($0) }
                    $0.photo = photo.map { .some($0) }
                }, coach: coach)
        }
    }

    struct RetireCoach: Command {
        static let type = "quranflow.coach.retire"
        var coach = CoachID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.state.findCoach(coach)
            if context.state.isRetired(coach) { throw .coachRetired }
            context.record(Coach.Retired(), coach: coach)
        }
    }
}
