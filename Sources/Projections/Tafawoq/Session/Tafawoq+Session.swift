import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Where a student is signed in: the sessions that have neither ended nor expired (R8).
    static let sessionsView = ReadModel<State>(
        "tafawoq.sessions", "Where is the student signed in?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let open = row.openSessions.compactMap { id in
            state.sessions[id].map { (id: id, text: state.names.text(id), row: $0) }
        }.filter { request.now < $0.row.expiresAt }.sorted { left, right in
            left.row.openedAt == right.row.openedAt
                ? left.text.precedes(right.text) : left.row.openedAt < right.row.openedAt
        }
        output.object { output in
            output.member("student", student)
            output.array("sessions", open) { output, session in
                output.object { output in
                    output.member("session", session.id)
                    output.member("device", session.row.device)
                    output.member("openedAt", session.row.openedAt)
                    output.member("expiresAt", session.row.expiresAt)
                }
            }
        }
        return true
    }
}
