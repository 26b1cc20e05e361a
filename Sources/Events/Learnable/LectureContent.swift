package import Core

extension Learnable {
    /// A container of a lecture or a message; how it is rendered is the client's.
    package struct Block: Record {
        package enum Kind: String, Choice {
            case text, code, math, quote
        }

        package private(set) var kind = Kind.text
        package private(set) var text = Body.empty
        /// With `code` only.
        package private(set) var language: Title?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("text", &text)
            coder.optional("language", &language)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Block? {
            let block = input.record(json) { nested in
                var value = Block()
                value.fields(&nested)
                return value
            }
            if let block, block.language != nil, block.kind != .code {
                input.fail("expected \"language\" with code only")
                return nil
            }
            return block
        }
    }

    /// 1 to 500 blocks.
    package struct Blocks: FieldValue {
        package let list: [Block]

        package init(_ list: [Block]) {
            self.list = list
        }

        package static var empty: Blocks { Blocks([]) }
        package static var schema: String { "blocks" + Block.schema }

        package func write(to writer: inout BinaryWriter) { list.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> Blocks {
            Blocks([Block].read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { list.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Blocks? {
            guard let list = [Block].read(json, from: &input) else { return nil }
            guard (1...500).contains(list.count) else {
                input.fail("expected 1 to 500 blocks")
                return nil
            }
            return Blocks(list)
        }
    }

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

    /// An answer, and what is told of it: the feedback comes with it, right or wrong (R16, R29).
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

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("choice", &choice)
            coder.personal("answer", &answer)
            coder.field("correct", &correct)
            coder.field("correctChoice", &correctChoice)
            coder.field("modelAnswer", &modelAnswer)
            coder.field("explanation", &explanation)
        }
    }

    /// One wording of a question of the pool.
    package struct Variant: Record {
        package private(set) var form = Form()
        package private(set) var level = 1

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            form.fields(&coder)
            coder.field("level", &level)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Variant? {
            let variant = input.record(json) { nested in
                var value = Variant()
                value.fields(&nested)
                return value
            }
            if let variant, !variant.form.isWhole || !(1...4).contains(variant.level) {
                input.fail(Form.expectation + ", and a level from 1 to 4")
                return nil
            }
            return variant
        }
    }

    package struct Chapter: Record {
        package private(set) var title = Title.empty
        package private(set) var topics: [Title] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("title", &title)
            coder.field("topics", &topics)
        }
    }

    /// Step 3 of the wizard.
    package struct AddOns: Record {
        package var engagementQuestion = true
        package var endingProject = true
        package var voice = false
        package var reinforcement = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("engagementQuestion", &engagementQuestion)
            coder.field("endingProject", &endingProject)
            coder.field("voice", &voice)
            coder.field("reinforcement", &reinforcement)
        }
    }

    /// A recorded reading of a topic.
    package struct Voice: Record {
        package private(set) var url = Body.empty
        package private(set) var seconds = 1

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("url", &url)
            coder.field("seconds", &seconds)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Voice? {
            let voice = input.record(json) { nested in
                var value = Voice()
                value.fields(&nested)
                return value
            }
            if let voice, voice.seconds < 1 {
                input.fail("expected at least 1 second")
                return nil
            }
            return voice
        }
    }

    /// Whole minor units of a currency.
    package struct Money: Record {
        package private(set) var amount = 0
        package private(set) var currency = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("amount", &amount)
            coder.field("currency", &currency)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Money? {
            let money = input.record(json) { nested in
                var value = Money()
                value.fields(&nested)
                return value
            }
            if let money,
                money.currency.utf8.count != 3
                    || !money.currency.utf8.allSatisfy({ (65...90).contains($0) })
            {
                input.fail("expected a currency of three letters A-Z")
                return nil
            }
            return money
        }
    }
}
