import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who is this? The one view, with `sign-in`, that answers for a deleted account too.
    static let accountView = ReadModel<State>(
        "examroom.account", "Who is this?", key: "account",
        keys: { $0.names.texts($0.accounts.keys) },
        basis: .on(.tag("account"), Grounds.studentLife, Grounds.policy)
    ) { state, request, output in
        guard let account: AccountID = state.id(request.key), let row = state.accounts[account]
        else {
            return false
        }
        let student = StudentID(account)
        let done = state.students.read(student) {
            (started: $0.counting, completed: $0.completed)
        }
        // Nothing of a deleted account counts any more (R6).
        let seats =
            row.isActive ? state.seats(of: student).filter { !state.isDeleted($0.exam) } : []
        output.object { output in
            output.member("account", account)
            output.object("attempts") { output in
                output.member("completed", row.isActive ? done?.completed ?? 0 : 0)
                output.member("started", row.isActive ? done?.started ?? 0 : 0)
            }
            output.member("blockedFrom", state.sorted(seats.filter(\.row.isBlocked).map(\.exam)))
            output.member("deletedAt", row.deletedAt)
            output.member("email", row.isActive ? row.email : nil)
            output.member(
                "extensions", state.sorted(seats.filter { $0.row.granted != nil }.map(\.exam)))
            output.member("name", row.isActive ? row.name : nil)
            output.member("openSessions", state.sorted(row.openSessions))
            output.member("registeredAt", row.registeredAt)
            output.member("role", row.role)
            output.member("state", row.isActive ? "active" : "deleted")
            output.member("temporaryCredential", row.isTemporary)
            output.member("timeZone", state.timeZoneName(of: account))
        }
        return true
    }

    /// How is a password checked here? Answers for any key.
    static let signInView = ReadModel<State>(
        "examroom.sign-in", "How is a password checked here?", key: "account",
        keys: { $0.names.texts($0.accounts.keys) }, basis: .on(Grounds.account)
    ) { state, request, output in
        let row = state.activeAccount(request.key)?.row
        output.object { output in
            output.member("account", request.key)
            output.member("biometric", row?.preferences.biometric ?? false)
            output.member("known", row != nil)
            output.member("salt", row?.credential?.salt)
            output.member("scheme", row?.credential?.scheme)
            output.member("temporary", row?.isTemporary ?? false)
        }
        return true
    }
}
