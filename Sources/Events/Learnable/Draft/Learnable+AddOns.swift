package import Core

extension Learnable {
    /// The extras that a subject may have; step 3 of the wizard.
    package struct AddOns: Record {
        package var engagementQuestion = true
        package var endingProject = true
        package var voice = false
        package var reinforcement = false

        package init() {}
    }

    /// Step 3 of the wizard: all four add-ons as they now are (R12).
    package struct AddOnsChosen: StudentEvent {
        package static let type = "learnable.add-ons.chosen"
        package static let streams = ["draft"]
        package static let sentence = "Add-ons were chosen."
        package static let rules = [12]
        package internal(set) var student = StudentID.none
        package internal(set) var draft: Own<DraftID> = .none
        package internal(set) var engagementQuestion = false
        package internal(set) var endingProject = false
        package internal(set) var voice = false
        package internal(set) var reinforcement = false

        package init() {}
    }
}
