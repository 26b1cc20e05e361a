import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func addOnsRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.AddOnsChosen.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.addOns.engagementQuestion = event.engagementQuestion
                $0.addOns.endingProject = event.endingProject
                $0.addOns.voice = event.voice
                $0.addOns.reinforcement = event.reinforcement
            }
        }
    }
}
