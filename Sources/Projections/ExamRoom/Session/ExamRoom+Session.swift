import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Is this session open? (R4: it knows no time limit.)
    static let sessionView = ReadModel<State>(
        "examroom.session", "Is this session open?", key: "session",
        keys: { $0.names.texts($0.sessions.keys) },
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
