import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// The parts of a question that a command gives; those left out stay.
    struct GivenContent: Record {
        var prompt: String?
        var options: [Question.Choice]?
        var points: Int?
        var explanation: String??

        init() {}

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optionalText("prompt", &prompt)
            coder.optional("options", &options)
            coder.optionalNumber("points", &points)
            coder.optional("explanation", &explanation)
            coder.expect(
                "explanation", Bounds.text.characters,
                Bounds.text ~= ((explanation ?? nil) ?? "").scalarCount)
        }

        init(_ content: Question.Content) {
            prompt = content.prompt
            options = content.options
            points = content.points
            explanation = .some(content.explanation)
        }

        func apply(to content: inout Question.Content) {
            if let prompt { content.prompt = prompt }
            if let options { content.options = options }
            if let points { content.points = points }
            if let explanation { content.explanation = explanation }
        }

        /// The question codes, in their order (4.5), of what is given.
        func check(against policy: Policy) throws(Rejection) {
            if let prompt {
                if prompt.isBlank { throw .promptMissing }
                if prompt.scalarCount > policy.maxPromptLength { throw .promptTooLong }
            }
            if let options {
                if options.count < policy.minOptions || options.count > policy.maxOptions {
                    throw .optionsOutOfRange
                }
                // Option ids are unique in their question (R1).
                if Set(options.map(\.option)).count < options.count { throw .optionRepeated }
                if options.contains(where: \.text.isBlank) { throw .optionTextMissing }
                if options.contains(where: { $0.text.scalarCount > policy.maxOptionLength }) {
                    throw .optionTextTooLong
                }
                if !options.contains(where: \.correct) { throw .noCorrectOption }
            }
            if let points, points < 1 || points > 100 { throw .pointsOutOfRange }
        }
    }
}

extension ExamRoom.Question.Content {
    /// The question codes, in their order (4.5).
    func check(against policy: ExamRoom.Policy) throws(ExamRoom.Rejection) {
        try ExamRoom.GivenContent(self).check(against: policy)
    }
}
