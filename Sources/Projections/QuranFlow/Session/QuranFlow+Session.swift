import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What is this session, and can I join it (R24, R25)?
    static let sessionView = ReadModel<State>(
        "quranflow.session", "What is this session, and can I join it?", key: "session",
        arguments: ["student"],
        keys: { state in
            state.names.texts(state.sessions.keys)
        },
        // For those who ever made an RSVP.
        samples: { state, key in
            guard let session: SessionID = state.id(key) else { return [] }
            let count = state.sessions.read(session) { $0.attendees } ?? 0
            return state.sorted(
                state.attendees.elements(of: session, count: count), by: { _ in 0 }, id: { $0 }
            ).map { ["student": state.text($0)] }
        }
    ) { state, request, output throws(WrongArgument) in
        guard let student = try request.idText("student") else {
            throw WrongArgument("student", "is required")
        }
        guard let id: SessionID = state.id(request.key), let row = state.sessions[id],
            let learner = Learner(student, state, at: request.now)
        else { return false }
        learner.write((id, row), to: &output) { output in
            output.member("coachBio", row.coach.flatMap { state.people[.init($0)]?.bio })
            output.member("description", row.description)
            output.member("eligible", state.eligibility(of: learner.id).covers(row))
            output.time("movedFrom", row.movedFrom, learner.formatter)
            output.member("reason", row.reason)
            output.member(
                "watched", row.recording.map { state.isWatched($0, by: learner.id) } ?? false)
        }
        return true
    }
}
