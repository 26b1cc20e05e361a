import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which recordings of sessions can I watch (R24, R36)? Newest session first, then by id.
    static let sessionRecordingsView = ReadModel<State>(
        "quranflow.session-recordings", "Which recordings of sessions can I watch?",
        key: "student", arguments: ["kind", "page", "week"], keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.sessions)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let kind = try request.sessionKind()
        let week = try request.whole("week")
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        if let week, let current = learner.current, !current.row.isWeek(week) { return false }
        let eligibility = state.eligibility(of: learner.id)
        let found = state.catalogue.recorded.compactMap { id in
            // Each student looks at all of them: only what is shown is copied.
            state.sessions.read(id) { row -> (id: SessionID, startsAt: Instant)? in
                guard eligibility.coversRecording(of: row), (kind ?? row.kind) == row.kind,
                    learner.isIn(week, row.startsAt)
                else { return nil }
                return (id, row.startsAt)
            } ?? nil
        }
        let all = state.sorted(found, by: { $0.startsAt }, id: { $0.id }, descending: true)
        output.object { output in
            output.array("items", all[page.range(of: all.count)]) { output, session in
                guard let row = state.sessions[session.id] else { return }
                let progress = row.recording.flatMap { state.progress[.init(learner.id, $0)] }
                let isWatched = progress?.isWatched ?? false
                output.object { output in
                    output.time("at", row.startsAt, learner.formatter)
                    output.member("duration", Formatter.duration(row.recordingSeconds))
                    output.member("kind", row.kind)
                    output.member("kindLabel", row.kind.label)
                    output.member("resumeAt", progress?.resumeAt ?? 0)
                    output.member("session", session.id)
                    output.member("source", row.source)
                    output.member("title", row.title)
                    output.member("video", row.recording)
                    output.member("watchLabel", isWatched ? "Watched" : "New")
                    output.member("watched", isWatched)
                }
            }
            page.write(total: all.count, to: &output)
            output.member("student", learner.id)
        }
        return true
    }
}

extension QuranFlow.Learner {
    /// Whether an instant lies in a week of the current enrolment; any for no week.
    fileprivate func isIn(_ week: Int?, _ instant: Instant) -> Bool {
        guard let week else { return true }
        guard let row = current?.row, row.isWeek(week) else { return false }
        return row.weekStarts[week - 1] <= instant && instant < row.weekStarts[week]
    }
}
