package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    package struct EditProfile: Command {
        package static let type = "learnable.profile.edit"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var name: Title??
        var occupation: Title??
        var workplace: Title??
        var bio: Body??

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("name", &name)
            coder.optional("occupation", &occupation)
            coder.optional("workplace", &workplace)
            coder.optional("bio", &bio)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            _ = try scene.find(student)
            try scene.own(student)
            if name == nil, occupation == nil, workplace == nil, bio == nil { throw .nothingGiven }
            scene.record(
                Profile.Edited.with {
                    $0.student = student
                    $0.name = name
                    $0.occupation = occupation
                    $0.workplace = workplace
                    $0.bio = bio
                }, on: scene.stream(student))
        }
    }

    package struct ChooseAppearance: Command {
        package static let type = "learnable.appearance.choose"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var area = Appearance.Area.systemLayout
        var fontSize: AnyString?
        var fontStyle: AnyString?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("area", &area)
            coder.optional("fontSize", &fontSize)
            coder.optional("fontStyle", &fontStyle)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            if fontSize == nil, fontStyle == nil { throw .nothingGiven }
            let policy = scene.state.policy
            if let fontSize, !policy.fontSizes.has(fontSize.text) { throw .unknownFontSize }
            if let fontStyle, !policy.fontStyles.has(fontStyle.text) { throw .unknownFontStyle }
            let epoch = scene.state.epochs[row.epoch] ?? EpochRow()
            let inForce = scene.state.fonts(area, of: epoch)
            scene.record(
                Appearance.Chosen.with {
                    $0.student = student
                    $0.area = area
                    $0.fontSize = fontSize?.text ?? inForce.size
                    $0.fontStyle = fontStyle?.text ?? inForce.style
                }, on: scene.stream(student))
        }
    }

    package struct ConfigureKeyboard: Command {
        package static let type = "learnable.keyboard.configure"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var codeBlock: Bool?
        var mathLatex: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("codeBlock", &codeBlock)
            coder.optional("mathLatex", &mathLatex)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            if codeBlock == nil, mathLatex == nil { throw .nothingGiven }
            let epoch = scene.state.epochs[row.epoch] ?? EpochRow()
            scene.record(
                Keyboard.Configured.with {
                    $0.student = student
                    $0.codeBlock = codeBlock ?? epoch.codeBlock
                    $0.mathLatex = mathLatex ?? epoch.mathLatex
                }, on: scene.stream(student))
        }
    }

    package struct ConfigureReminders: Command {
        package static let type = "learnable.reminders.configure"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var dailyQuiz: Bool?
        var study: Bool?
        var quickQuiz: Bool?
        var quickQuizFrequency: Reminders.Frequency?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("dailyQuiz", &dailyQuiz)
            coder.optional("study", &study)
            coder.optional("quickQuiz", &quickQuiz)
            coder.optional("quickQuizFrequency", &quickQuizFrequency)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            if dailyQuiz == nil, study == nil, quickQuiz == nil, quickQuizFrequency == nil {
                throw .nothingGiven
            }
            let epoch = scene.state.epochs[row.epoch] ?? EpochRow()
            scene.record(
                Reminders.Configured.with {
                    $0.student = student
                    $0.dailyQuiz = dailyQuiz ?? epoch.wantsDailyQuiz
                    $0.study = study ?? epoch.wantsStudy
                    $0.quickQuiz = quickQuiz ?? epoch.wantsQuickQuiz
                    $0.quickQuizFrequency = quickQuizFrequency ?? epoch.quickQuizFrequency
                    $0.day = scene.day(of: student)
                }, on: scene.stream(student))
        }
    }
}

extension [String] {
    /// Whether a text is among them, byte for byte.
    func has(_ text: String) -> Bool { contains { $0.isExactly(text) } }
}
