import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who is this? The one view, with `sign-in`, that answers for a deleted account too.
    static let accountView = ReadModel<State>(
        "examroom.account", "Who is this?", key: "account",
        keys: { $0.texts($0.accounts.allKeys) },
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
        // R6: nothing of a deleted account counts or stands any more.
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

    /// Which students are there, and how far are they? Active ones by id.
    static let studentsView = ReadModel<State>(
        "examroom.students", "Which students are there, and how far are they?",
        arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let students = state.sorted(state.activeStudents)
        output.object { output in
            page.write(total: students.count, to: &output)
            output.array("students", students[page.range(of: students.count)]) { output, student in
                let account = state.accounts[.init(student)]
                let row = state.students[student]
                output.object { output in
                    output.member("attempts", row?.counting ?? 0)
                    output.member("averagePercent", row?.averagePercent)
                    output.member("completed", row?.completed ?? 0)
                    output.member("email", account?.email)
                    output.member("name", account?.name)
                    output.member("student", student)
                }
            }
        }
        return true
    }

    /// How is a password checked here? Answers for any key.
    static let signInView = ReadModel<State>(
        "examroom.sign-in", "How is a password checked here?", key: "account",
        keys: { $0.texts($0.accounts.allKeys) }, basis: .on(Grounds.account)
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

    /// Is this session open? (R4: it knows no time limit.)
    static let sessionView = ReadModel<State>(
        "examroom.session", "Is this session open?", key: "session",
        keys: { $0.texts($0.sessions.allKeys) },
        basis: .on(.stream("session").each("account", Grounds.account))
    ) { state, request, output in
        guard let session: SessionID = state.id(request.key), let row = state.sessions[session]
        else {
            return false
        }
        output.object { output in
            output.member("account", row.account)
            output.member("device", row.device)
            output.member("endedAt", row.endedAt)
            output.member("method", row.method)
            output.member("reason", row.reason)
            output.member("role", row.role)
            output.member("session", session)
            output.member("startedAt", row.startedAt)
            output.member("state", row.endedAt == nil ? "open" : "ended")
        }
        return true
    }
}
