import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func curriculumRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Curriculum.Requested.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.requests = event.request
                $0.requestedDescription = event.description
                $0.requestedPreset = event.preset
            }
        }
        routes.on(Learnable.Curriculum.Proposed.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.proposed = event.request
                $0.title = event.title
                $0.chapters = event.chapters
                $0.proposedDescription = $0.requestedDescription
                $0.proposedPreset = $0.requestedPreset
            }
        }
    }
}
