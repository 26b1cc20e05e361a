import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The fonts chosen for an area of the app.
    package struct Fonts: Record {
        package var area = Appearance.Area.systemLayout
        package var size = ""
        package var style = ""

        package init() {}
    }
}

extension Learnable.State {
    static func settingsRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Profile.Edited.self) { state, event, metadata in
            state.changeEpoch(of: event.student) {
                $0.person = InternedText(metadata.subject)
                if let name = event.name { $0.name = name }
                if let occupation = event.occupation { $0.occupation = occupation }
                if let workplace = event.workplace { $0.workplace = workplace }
                if let bio = event.bio { $0.bio = bio }
            }
        }
        routes.on(Learnable.Appearance.Chosen.self) { state, event, _ in
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
        routes.on(Learnable.Keyboard.Configured.self) { state, event, _ in
            state.changeEpoch(of: event.student) {
                $0.codeBlock = event.codeBlock
                $0.mathLatex = event.mathLatex
            }
        }
    }

    /// The fonts in force for an area: those chosen, else what the policy offers (page, `learnable.settings`).
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
