import Core
import Folding
package import LearnableEvents

extension Learnable.State {
    static func settingsRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Profile.Edited.self) { state, event, metadata in
            state.changeEpoch(of: event.student) {
                $0.person = Word(metadata.subject)
                if let name = event.name { $0.name = name }
                if let occupation = event.occupation { $0.occupation = occupation }
                if let workplace = event.workplace { $0.workplace = workplace }
                if let bio = event.bio { $0.bio = bio }
            }
        }
        routes.fold(Learnable.Appearance.Chosen.self) { state, event, _ in
            state.changeEpoch(of: event.student) { epoch in
                epoch.fonts.removeAll { $0.area == event.area }
                epoch.fonts.append(
                    .with {
                        $0.area = event.area
                        $0.size = event.fontSize
                        $0.style = event.fontStyle
                    })
            }
        }
        routes.fold(Learnable.Keyboard.Configured.self) { state, event, _ in
            state.changeEpoch(of: event.student) {
                $0.codeBlock = event.codeBlock
                $0.mathLatex = event.mathLatex
            }
        }
        routes.fold(Learnable.Reminders.Configured.self) { state, event, _ in
            state.changeEpoch(of: event.student) {
                $0.wantsDailyQuiz = event.dailyQuiz
                $0.wantsStudy = event.study
                $0.wantsQuickQuiz = event.quickQuiz
                $0.quickQuizFrequency = event.quickQuizFrequency
            }
        }
    }

    /// The fonts in force for an area: those chosen, else what the policy offers (page, settings).
    package func fonts(
        _ area: Learnable.Appearance.Area, of epoch: Learnable.EpochRow
    ) -> (size: String, style: String) {
        if let chosen = epoch.fonts.first(where: { $0.area == area }) {
            return (chosen.size, chosen.style)
        }
        let sizes = policy.fontSizes
        let medium = sizes.first { $0.isExactly("medium") }
        return (medium ?? sizes.first ?? "", policy.fontStyles.first ?? "")
    }
}
