import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Sets or clears the given fields of the profile (FR-012).
    struct EditProfile: Command {
        static let type = "learnable.profile.edit"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var name: Title??
        var occupation: Title??
        var workplace: Title??
        var bio: Body??

        func decide(in context: Context) throws(Rejection) {
            try context.findOwn(student, need: .settings)
            if name == nil, occupation == nil, workplace == nil, bio == nil { throw .nothingGiven }
            context.record(
                Profile.Edited(
                    student: student,
                    name: name,
                    occupation: occupation,
                    workplace: workplace,
                    bio: bio), on: student)
        }
    }

    /// Chooses a font size or style, or both, for an area of the app (FR-012).
    struct ChooseAppearance: Command {
        static let type = "learnable.appearance.choose"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var area = Appearance.Area.systemLayout
        var fontSize: AnyString?
        var fontStyle: AnyString?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: .settings)
            if fontSize == nil, fontStyle == nil { throw .nothingGiven }
            let policy = context.state.policy
            if let fontSize, !policy.fontSizes.has(fontSize.text) { throw .unknownFontSize }
            if let fontStyle, !policy.fontStyles.has(fontStyle.text) { throw .unknownFontStyle }
            let epoch = context.state.epoch(of: row)
            let inForce = context.state.fonts(area, of: epoch)
            context.record(
                Appearance.Chosen(
                    student: student,
                    area: area,
                    fontSize: fontSize?.text ?? inForce.size,
                    fontStyle: fontStyle?.text ?? inForce.style), on: student)
        }
    }

    /// Turns typing modes on or off (FR-012).
    struct ConfigureKeyboard: Command {
        static let type = "learnable.keyboard.configure"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var codeBlock: Bool?
        var mathLatex: Bool?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: .settings)
            if codeBlock == nil, mathLatex == nil { throw .nothingGiven }
            let epoch = context.state.epoch(of: row)
            context.record(
                Keyboard.Configured(
                    student: student,
                    codeBlock: codeBlock ?? epoch.codeBlock,
                    mathLatex: mathLatex ?? epoch.mathLatex), on: student)
        }
    }
}

extension [String] {
    /// Whether the text is among them, byte for byte.
    func has(_ text: String) -> Bool { contains { $0.isExactly(text) } }
}
