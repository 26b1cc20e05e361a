import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    struct EditProfile: Command {
        static let type = "learnable.profile.edit"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var name: Title??
        var occupation: Title??
        var workplace: Title??
        var bio: Body??

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("name", &name)
            coder.optional("occupation", &occupation)
            coder.optional("workplace", &workplace)
            coder.optional("bio", &bio)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.find(student)
            try context.checkOwner(student)
            if name == nil, occupation == nil, workplace == nil, bio == nil { throw .nothingGiven }
            context.record(
                Profile.Edited.with {
                    $0.student = student
                    $0.name = name
                    $0.occupation = occupation
                    $0.workplace = workplace
                    $0.bio = bio
                }, on: context.stream(student))
        }
    }

    struct ChooseAppearance: Command {
        static let type = "learnable.appearance.choose"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var area = Appearance.Area.systemLayout
        var fontSize: AnyString?
        var fontStyle: AnyString?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("area", &area)
            coder.optional("fontSize", &fontSize)
            coder.optional("fontStyle", &fontStyle)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            if fontSize == nil, fontStyle == nil { throw .nothingGiven }
            let policy = context.state.policy
            if let fontSize, !policy.fontSizes.has(fontSize.text) { throw .unknownFontSize }
            if let fontStyle, !policy.fontStyles.has(fontStyle.text) { throw .unknownFontStyle }
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            let inForce = context.state.fonts(area, of: epoch)
            context.record(
                Appearance.Chosen.with {
                    $0.student = student
                    $0.area = area
                    $0.fontSize = fontSize?.text ?? inForce.size
                    $0.fontStyle = fontStyle?.text ?? inForce.style
                }, on: context.stream(student))
        }
    }

    struct ConfigureKeyboard: Command {
        static let type = "learnable.keyboard.configure"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var codeBlock: Bool?
        var mathLatex: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("codeBlock", &codeBlock)
            coder.optional("mathLatex", &mathLatex)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            if codeBlock == nil, mathLatex == nil { throw .nothingGiven }
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            context.record(
                Keyboard.Configured.with {
                    $0.student = student
                    $0.codeBlock = codeBlock ?? epoch.codeBlock
                    $0.mathLatex = mathLatex ?? epoch.mathLatex
                }, on: context.stream(student))
        }
    }

    struct ConfigureReminders: Command {
        static let type = "learnable.reminders.configure"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var dailyQuiz: Bool?
        var study: Bool?
        var quickQuiz: Bool?
        var quickQuizFrequency: Reminders.Frequency?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("dailyQuiz", &dailyQuiz)
            coder.optional("study", &study)
            coder.optional("quickQuiz", &quickQuiz)
            coder.optional("quickQuizFrequency", &quickQuizFrequency)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            if dailyQuiz == nil, study == nil, quickQuiz == nil, quickQuizFrequency == nil {
                throw .nothingGiven
            }
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            context.record(
                Reminders.Configured.with {
                    $0.student = student
                    $0.dailyQuiz = dailyQuiz ?? epoch.wantsDailyQuiz
                    $0.study = study ?? epoch.wantsStudy
                    $0.quickQuiz = quickQuiz ?? epoch.wantsQuickQuiz
                    $0.quickQuizFrequency = quickQuizFrequency ?? epoch.quickQuizFrequency
                    $0.day = context.day(of: student)
                }, on: context.stream(student))
        }
    }
}

extension [String] {
    /// Whether a text is among them, byte for byte.
    func has(_ text: String) -> Bool { contains { $0.isExactly(text) } }
}
