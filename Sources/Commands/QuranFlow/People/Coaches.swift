package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct RegisterCoach: Command {
        package static let type = "quranflow.coach.register"
        var coach = CoachID.none
        var name = ""
        var gender = Gender.female
        var bio: String?
        var photo: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
            coder.filled("name", &name)
            coder.field("gender", &gender)
            coder.optionalFilled("bio", &bio)
            coder.optionalFilled("photo", &photo)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            // R2: one space of ids, and none is ever given twice.
            if scene.state.people.contains(.init(coach)) { throw .alreadyExists }
            scene.record(
                Coach.Registered.with {
                    $0.name = name
                    $0.gender = gender
                    $0.bio = bio
                    $0.photo = photo
                }, coach: coach)
        }
    }

    package struct IntroduceCoach: Command {
        package static let type = "quranflow.coach.introduce"
        var coach = CoachID.none
        var name: String?
        var bio: String?
        var photo: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
            coder.optionalFilled("name", &name)
            coder.optionalFilled("bio", &bio)
            coder.optionalFilled("photo", &photo)
        }

        package func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one of name, bio, photo"
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(coach) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            try scene.state.findCoach(coach)
            try scene.checkCoach(coach)
            scene.record(
                Coach.Introduced.with {
                    $0.name = name.map { .some($0) }
                    $0.bio = bio.map { .some($0) }
                    $0.photo = photo.map { .some($0) }
                }, coach: coach)
        }
    }

    package struct RetireCoach: Command {
        package static let type = "quranflow.coach.retire"
        var coach = CoachID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            try scene.state.findCoach(coach)
            if scene.state.isRetired(coach) { throw .coachRetired }
            scene.record(Coach.Retired(), coach: coach)
        }
    }
}
