import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// Who is this account? Also a deleted one (R46).
    static let accountView = ReadModel<State>(
        "learnable.account", "Who is this account?", key: "student",
        keys: { state in state.students.keys.map { state.names.text($0) } },
        basis: .on(.stream("student"), .erasure, Grounds.policy)
    ) { state, request, output in
        guard let student: StudentID = state.id(request.key), let row = state.students[student]
        else { return false }
        state.writeAccount(student, row, at: request.now, to: &output)
        return true
    }
}

extension Learnable.State {
    func writeAccount(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("deletedAt", row.deletedAt)
            output.member("epoch", row.epochNumber)
            output.member("joinedAt", row.joinedAt)
            output.member("name", row.isActive ? epoch(of: row).name : nil)
            output.member("state", row.isActive ? "active" : "deleted")
            output.member("student", student)
            output.member("timeZone", row.zone)
            output.member("trialUsed", row.wasTrialStarted)
            output.member("verified", row.isActive && isVerified(student, at: now))
        }
    }
}
