package import Core

extension Learnable {
    package enum Format: String, Choice {
        case multipleChoice = "multiple-choice"
        case freeText = "free-text"
    }

    /// A question as it is asked. What is not of its format is nil.
    package struct Form: Record {
        package private(set) var format = Format.multipleChoice
        package private(set) var text = Body.empty
        package private(set) var options: [Body]?
        /// The index of the right option.
        package private(set) var correct: Int?
        /// The model answer.
        package private(set) var answer: Body?
        package private(set) var explanation = Body.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("format", &format)
            coder.field("text", &text)
            coder.optional("options", &options)
            coder.optional("correct", &correct)
            coder.optional("answer", &answer)
            coder.field("explanation", &explanation)
        }

        /// Whether what is given belongs to the format.
        package var isWhole: Bool {
            switch format {
            case .multipleChoice:
                guard let options, let correct, answer == nil else { return false }
                return (2...8).contains(options.count) && options.indices.contains(correct)
            case .freeText: return options == nil && correct == nil && answer != nil
            }
        }

        package static let expectation =
            "expected 2 to 8 options with the index of the correct one, or a free text's answer"

        package static func read(_ json: JSON, from input: inout JSONInput) -> Form? {
            let form = input.record(json) { nested in
                var value = Form()
                value.fields(&nested)
                return value
            }
            if let form, !form.isWhole {
                input.fail(expectation)
                return nil
            }
            return form
        }
    }

    /// An answer with its feedback, right or wrong (R16, R29).
    package struct Verdict: Hashable, Sendable {
        package private(set) var choice: Int?
        package private(set) var answer: AnyString?
        /// Nil for a free text, until it is judged.
        package private(set) var correct: Bool?
        package private(set) var correctChoice: Int?
        package private(set) var modelAnswer: Body?
        package private(set) var explanation = Body.empty

        package init() {}

        /// Multiple choice is judged by its form, a free text is not yet.
        package init(choice: Int?, answer: AnyString?, by form: Form) {
            self.choice = choice
            self.answer = answer
            correct = choice.map { $0 == form.correct }
            correctChoice = form.correct
            modelAnswer = form.answer
            explanation = form.explanation
        }

        @specialized(where C == BinaryReader)
        @specialized(where C == BinaryWriter)
        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("choice", &choice)
            coder.personal("answer", &answer)
            coder.field("correct", &correct)
            coder.field("correctChoice", &correctChoice)
            coder.field("modelAnswer", &modelAnswer)
            coder.field("explanation", &explanation)
        }
    }
}
