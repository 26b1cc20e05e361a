import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which settings did I choose? Font (R14), time zone, switches.
    static let settingsView = ReadModel<State>(
        "quranflow.settings", "How do I want it?", key: "student", keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let settings = learner.row.settings
        let font = state.font(of: learner.id)
        output.object { output in
            output.member("appearance", settings.appearance)
            output.member("font", font.name)
            output.member("fontChosen", settings.font != nil)
            output.member("fontSize", font.size)
            output.object("notifications") { output in
                output.member("announcements", settings.announcements)
                output.member("deadlines", settings.deadlines)
                output.member("email", settings.email)
                output.member("feedback", settings.feedback)
                output.member("permission", settings.permission)
                output.member("push", settings.push)
                output.member("sessions", settings.sessions)
            }
            output.member("student", learner.id)
            output.member("textSize", settings.textSize)
            output.member("timeZone", learner.row.timeZone)
            output.member("timeZoneSource", learner.row.zoneSource?.rawValue ?? "registered")
        }
        return true
    }
}
