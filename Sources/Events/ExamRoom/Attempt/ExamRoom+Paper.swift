package import Core

extension ExamRoom.Attempt {
    /// An option as a paper shows it: without what is right (R13).
    package struct PaperOption: Record {
        package private(set) var option = ExamRoom.OptionID.none
        package private(set) var text = ""

        package init() {}

        package init(_ choice: ExamRoom.Question.Choice) {
            option = choice.option
            text = choice.text
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("option", &option)
            coder.field("text", &text)
        }
    }

    /// A question as an attempt shows it: its options in the order shown (R13).
    package struct PaperQuestion: Record {
        package private(set) var question = ExamRoom.QuestionID.none
        package private(set) var prompt = ""
        package private(set) var options: [PaperOption] = []
        /// In the order shown.
        package private(set) var correct: [ExamRoom.OptionID] = []
        package private(set) var points = 0
        package private(set) var explanation: String?
        package private(set) var image: ExamRoom.Image.File?

        package init() {}

        package init(
            question: ExamRoom.QuestionID, content: ExamRoom.Question.Content,
            options: [ExamRoom.Question.Choice],
            image: ExamRoom.Image.File?
        ) {
            self.question = question
            prompt = content.prompt
            self.options = options.map { PaperOption($0) }
            correct = options.filter(\.correct).map(\.option)
            points = content.points
            explanation = content.explanation
            self.image = image
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("prompt", &prompt)
            coder.field("options", &options)
            coder.field("correct", &correct)
            coder.field("points", &points)
            coder.field("explanation", &explanation)
            coder.field("image", &image)
        }
    }
}
