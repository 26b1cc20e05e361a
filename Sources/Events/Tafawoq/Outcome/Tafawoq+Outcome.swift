package import Core

extension Tafawoq {
    /// The result of an exam or practice (R32 to R36).
    package enum Outcome {
        /// The score of one category, from its scored questions (R32).
        package struct CategoryScore: Record {
            package var category = Category.empty
            package var section = Section.empty
            package var questions = 0
            package var correct = 0
            package var score = Percent.zero

            package init() {}
        }

        /// A strength or a weakness (R33).
        package struct RankedCategory: Record {
            package var category = Category.empty
            package var score = Percent.zero

            package init() {}
        }

        /// What is advised (R35, R36).
        package enum AdviceCode: String, Choice {
            case focusSection = "focus-section"
            case practiseCategory = "practise-category"
            case answerAll = "answer-all"
            case workFaster = "work-faster"
            case keepGoing = "keep-going"
            case raiseDifficulty = "raise-difficulty"
            case lowerDifficulty = "lower-difficulty"
            case keepDifficulty = "keep-difficulty"
            case tryFullExam = "try-full-exam"
            case reviewBasics = "review-basics"
            case relatedSection = "related-section"
        }

        /// One piece of advice, without its text: that follows from the code (R35, R36).
        package struct Advice: Record {
            package var code = AdviceCode.empty
            package var section: Section?
            package var category: Category?
            package var minutes: Int?
            package var count: Int?
            package var difficulty: Difficulty?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("code", &code)
                coder.optional("section", &section)
                coder.optional("category", &category)
                coder.optional("minutes", &minutes)
                coder.optional("count", &count)
                coder.optional("difficulty", &difficulty)
            }
        }

        /// What the results of exams and practices have in common (R32). Means are in hundredths of a
        /// second.
        package struct Tally: Record {
            package var questions = 0
            package var answered = 0
            package var correct = 0
            package var incorrect = 0
            package var skipped = 0
            package var voided = 0
            package var seconds = 0
            package var averageSeconds = Percent.zero
            package var recommendedSeconds = Percent.zero
            package var categories: [CategoryScore] = []
            package var strengths: [RankedCategory] = []
            package var weaknesses: [RankedCategory] = []
            package var advice: [Advice] = []

            package init() {}
        }
    }
}

extension Percent {
    /// The difference in points.
    package func points(above other: Percent) -> Percent {
        let difference = Int128(hundredths) - Int128(other.hundredths)
        return Percent(hundredths: Int64(clamping: difference))
    }
}
