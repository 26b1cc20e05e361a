package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Goes on to Year 2 after Level 4 (R23).
    package struct EnrollInAdvanced: Command {
        package static let type = "quranflow.advanced.enroll"
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        package func who(in programme: Programme) -> Who { .studentOrAdmin(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.student(student)
            if row.isAdvanced { throw .alreadyAdvanced }
            guard let current = scene.state.currentEnrollment(of: student),
                current.row.state == .graduated, current.row.level == Policy.levels.upperBound
            else { throw .notEligible }
            if let opensAt = scene.state.policy.advancedOpensAt, scene.at < opensAt {
                throw .enrollmentNotOpen
            }
            scene.record(
                Advanced.Enrolled.with {
                    $0.from = current.id
                    $0.coach = current.row.coach
                }, student: student)
        }
    }

    package struct OfferElective: Command {
        package static let type = "quranflow.elective.offer"
        var elective = ElectiveID.none
        var title = ""
        var description = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("elective", &elective)
            coder.filled("title", &title)
            coder.filled("description", &description)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            if scene.state.electives.contains(elective) { throw .alreadyExists }
            scene.record(
                Elective.Offered.with {
                    $0.title = title
                    $0.description = description
                }, "elective", elective)
        }
    }

    package struct ChooseElective: Command {
        package static let type = "quranflow.elective.choose"
        var student = StudentID.none
        var elective = ElectiveID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("elective", &elective)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.student(student)
            try scene.state.elective(elective)
            if !row.isAdvanced { throw .notAdvanced }
            if row.electives.contains(elective) { throw .alreadyChosen }
            scene.record(Elective.Chosen.with { $0.elective = elective }, student: student)
        }
    }

    package struct DropElective: Command {
        package static let type = "quranflow.elective.drop"
        var student = StudentID.none
        var elective = ElectiveID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("elective", &elective)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.student(student)
            try scene.state.elective(elective)
            if !row.isAdvanced { throw .notAdvanced }
            if !row.electives.contains(elective) { throw .notChosen }
            scene.record(Elective.Dropped.with { $0.elective = elective }, student: student)
        }
    }
}
