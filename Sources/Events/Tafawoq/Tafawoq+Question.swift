package import Core

extension Tafawoq {
    /// What is asked, as it was delivered; and what happens to it within a sitting.
    package enum Question: Thing {
        package static let noun = "question"; package static let isTagged = false

        package enum ImageStatus: String, Choice {
            case ready
            case failed
        }

        /// A diagram; `alt` also serves as the replacing text.
        package struct Image: Record {
            package var status = ImageStatus.empty
            package var ref: String?
            package var alt = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("status", &status)
                coder.field("ref", &ref)
                coder.field("alt", &alt)
            }
        }

        /// A text that questions refer to.
        package struct Text: Record {
            package var passage = PassageID.none
            package var text = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("passage", &passage)
                coder.field("text", &text)
            }
        }

        package struct Content: Record {
            package var question = QuestionID.none
            package var section = Section.empty
            package var category = Category.empty
            package var difficulty = Difficulty.empty
            package var text = ""
            package var options: [String] = []
            package var answer = 0
            package var explanation = ""
            package var recommendedSeconds = 0
            package var contentHash = ContentHash.none
            package var image: Image?
            package var passage: PassageID?
            package var sources: [SubjectID]?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                coder.field("section", &section)
                coder.field("category", &category)
                coder.field("difficulty", &difficulty)
                coder.field("text", &text)
                coder.field("options", &options)
                coder.field("answer", &answer)
                coder.field("explanation", &explanation)
                coder.field("recommendedSeconds", &recommendedSeconds)
                coder.field("contentHash", &contentHash)
                coder.field("image", &image)
                coder.field("passage", &passage)
                coder.field("sources", &sources)
            }
        }

        /// One answer as the client sent it; a null choice clears the former one.
        package struct Answer: Record {
            package var question = QuestionID.none
            package var choice: Int?
            package var answeredAt = Instant.epoch
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                coder.field("choice", &choice)
                coder.field("answeredAt", &answeredAt)
                coder.field("seconds", &seconds)
            }
        }

        /// Stream of the exam or practice.
        package struct Voided: Payload {
            package static let type = "tafawoq.question.voided"
            package static let streams = ["exam", "practice"]
            package static let sentence = "A question was left out of the score."
            package var of = SittingKind.empty
            package var id = SittingID.none
            package var student = StudentID.none
            package var question = QuestionID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("of", &of)
                coder.field("id", &id)
                coder.field("student", &student)
                coder.field("question", &question)
            }
        }
    }

    /// Questions that did not come. Stream of the exam or practice.
    package enum Generation {
        package enum Reason: String, Choice {
            case providerError = "provider-error"
            case quotaExhausted = "quota-exhausted"
            case insufficientResources = "insufficient-resources"
            case invalidOutput = "invalid-output"
            case timeout
        }

        package struct Failed: Payload {
            package static let type = "tafawoq.generation.failed"
            package static let streams = ["exam", "practice"]
            package static let sentence = "Questions could not be generated."
            package var of = SittingKind.empty
            package var id = SittingID.none
            package var student = StudentID.none
            package var reason = Reason.empty
            package var attempts = 0
            package var waitedSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("of", &of)
                coder.field("id", &id)
                coder.field("student", &student)
                coder.field("reason", &reason)
                coder.field("attempts", &attempts)
                coder.field("waitedSeconds", &waitedSeconds)
            }
        }

        package struct Refused: Payload {
            package static let type = "tafawoq.generation.refused"
            package static let streams = ["exam", "practice"]
            package static let sentence = "Repeated questions were sent back."
            package static let significance = Significance.refusal
            package var of = SittingKind.empty
            package var id = SittingID.none
            package var student = StudentID.none
            package var attempt = 0
            package var repeated = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("of", &of)
                coder.field("id", &id)
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("repeated", &repeated)
            }
        }
    }

    /// What a sitting came to (R32 to R36).
    package enum Outcome {
        package struct CategoryScore: Record {
            package var category = Category.empty
            package var section = Section.empty
            package var questions = 0
            package var correct = 0
            package var score = Percent.zero

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("category", &category)
                coder.field("section", &section)
                coder.field("questions", &questions)
                coder.field("correct", &correct)
                coder.field("score", &score)
            }
        }

        /// A strength or a weakness.
        package struct Standing: Record {
            package var category = Category.empty
            package var score = Percent.zero

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("category", &category)
                coder.field("score", &score)
            }
        }

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

        /// Without texts: they follow from the code.
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

        /// What exams and practices have in common. Means are in hundredths of a second.
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
            package var strengths: [Standing] = []
            package var weaknesses: [Standing] = []
            package var advice: [Advice] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("questions", &questions)
                coder.field("answered", &answered)
                coder.field("correct", &correct)
                coder.field("incorrect", &incorrect)
                coder.field("skipped", &skipped)
                coder.field("voided", &voided)
                coder.field("seconds", &seconds)
                coder.field("averageSeconds", &averageSeconds)
                coder.field("recommendedSeconds", &recommendedSeconds)
                coder.field("categories", &categories)
                coder.field("strengths", &strengths)
                coder.field("weaknesses", &weaknesses)
                coder.field("advice", &advice)
            }
        }
    }
}
