import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Enrols a graduate of Level 4 in Year 2 (R23).
    struct EnrollInAdvanced: Command {
        static let type = "quranflow.advanced.enroll"
        var student = StudentID.none

        func senders(in state: State) -> Senders { .student(student).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            if row.isAdvanced { throw .alreadyAdvanced }
            guard let current = context.state.currentEnrollment(of: student),
                current.row.state == .graduated, current.row.level == Policy.levels.upperBound
            else { throw .notEligible }
            if let opensAt = context.state.policy.advancedOpensAt, context.at < opensAt {
                throw context.refuse(.enrollmentNotOpen, "it opens at \(opensAt)")
            }
            context.record(
                Advanced.Enrolled(
                    from: current.id,
                    coach: current.row.coach), on: student)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Notifies the graduates of Level 4 who are not in Advanced, in order of id, that they may enrol (R23);
    /// timer `advanced-open`.
    func announceAdvanced() {
        for student in sorted(allStudents) {
            guard let row = state.students[student], let enrollment = state.mayGoOn(row) else {
                continue
            }
            notifyAdvancedOpen(student, enrollment)
        }
    }
}
