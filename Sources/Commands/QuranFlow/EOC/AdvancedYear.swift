import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Goes on to Year 2 after Level 4 (R23).
    struct EnrollInAdvanced: Command {
        static let type = "quranflow.advanced.enroll"
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .student(student).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.student(student)
            if row.isAdvanced { throw .alreadyAdvanced }
            guard let current = context.state.currentEnrollment(of: student),
                current.row.state == .graduated, current.row.level == Policy.levels.upperBound
            else { throw .notEligible }
            if let opensAt = context.state.policy.advancedOpensAt, context.at < opensAt {
                throw .enrollmentNotOpen
            }
            context.record(
                Advanced.Enrolled.with {
                    $0.from = current.id
                    $0.coach = current.row.coach
                }, student: student)
        }
    }

    struct OfferElective: Command {
        static let type = "quranflow.elective.offer"
        var elective = ElectiveID.none
        var title = ""
        var description = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("elective", &elective)
            coder.filled("title", &title)
            coder.filled("description", &description)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if context.state.electives.contains(elective) { throw .alreadyExists }
            context.record(
                Elective.Offered.with {
                    $0.title = title
                    $0.description = description
                }, "elective", elective)
        }
    }

    struct ChooseElective: Command {
        static let type = "quranflow.elective.choose"
        var student = StudentID.none
        var elective = ElectiveID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("elective", &elective)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.student(student)
            try context.state.elective(elective)
            if !row.isAdvanced { throw .notAdvanced }
            if row.electives.contains(elective) { throw .alreadyChosen }
            context.record(Elective.Chosen.with { $0.elective = elective }, student: student)
        }
    }

    struct DropElective: Command {
        static let type = "quranflow.elective.drop"
        var student = StudentID.none
        var elective = ElectiveID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("elective", &elective)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.student(student)
            try context.state.elective(elective)
            if !row.isAdvanced { throw .notAdvanced }
            if !row.electives.contains(elective) { throw .notChosen }
            context.record(Elective.Dropped.with { $0.elective = elective }, student: student)
        }
    }
}
