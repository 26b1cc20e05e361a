import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Step 3 of the wizard: turns at least one of the four add-ons on or off (R12).
    struct ChooseAddOns: Command {
        static let type = "learnable.add-ons.choose"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var engagementQuestion: Bool?
        var endingProject: Bool?
        var voice: Bool?
        var reinforcement: Bool?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(draft, need: .app)
            if engagementQuestion == nil, endingProject == nil, voice == nil, reinforcement == nil {
                throw .nothingGiven
            }
            if row.state != .open { throw .draftClosed }
            context.record(
                AddOnsChosen(
                    student: row.student,
                    draft: draft,
                    engagementQuestion: engagementQuestion ?? row.addOns.engagementQuestion,
                    endingProject: endingProject ?? row.addOns.endingProject,
                    voice: voice ?? row.addOns.voice,
                    reinforcement: reinforcement ?? row.addOns.reinforcement), on: draft)
        }
    }
}
