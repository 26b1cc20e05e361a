import Core
import Folding
package import LearnableEvents

extension Learnable.Academy {
    static func settingsRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Profile.Edited.self) { academy, fact, event in
            academy.changeEpoch(of: fact.student) {
                $0.person = Word(event.subject)
                if let name = fact.name { $0.name = name }
                if let occupation = fact.occupation { $0.occupation = occupation }
                if let workplace = fact.workplace { $0.workplace = workplace }
                if let bio = fact.bio { $0.bio = bio }
            }
        }
        routes.fold(Learnable.Appearance.Chosen.self) { academy, fact, _ in
            academy.changeEpoch(of: fact.student) { epoch in
                epoch.fonts.removeAll { $0.area == fact.area }
                epoch.fonts.append(
                    .with {
                        $0.area = fact.area
                        $0.size = fact.fontSize
                        $0.style = fact.fontStyle
                    })
            }
        }
        routes.fold(Learnable.Keyboard.Configured.self) { academy, fact, _ in
            academy.changeEpoch(of: fact.student) {
                $0.codeBlock = fact.codeBlock
                $0.mathLatex = fact.mathLatex
            }
        }
        routes.fold(Learnable.Reminders.Configured.self) { academy, fact, _ in
            academy.changeEpoch(of: fact.student) {
                $0.wantsDailyQuiz = fact.dailyQuiz
                $0.wantsStudy = fact.study
                $0.wantsQuickQuiz = fact.quickQuiz
                $0.quickQuizFrequency = fact.quickQuizFrequency
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
