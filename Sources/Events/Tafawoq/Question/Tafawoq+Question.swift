package import Core

extension Tafawoq {
    /// A question as it was delivered, and what happens to it within an exam or practice.
    package enum Question: Thing {
        package static let noun = "question"; package static let isTagged = false

        /// Whether a diagram could be drawn (R30).
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
        }

        /// A text that questions refer to.
        package struct Text: Record {
            package var passage = PassageID.none
            package var text = ""

            package init() {}
        }

        /// A question with its options, the right answer and the explanation (R25).
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
        }

        /// One answer as the client sent it; a null choice clears the former one.
        package struct Answer: Record {
            package var question = QuestionID.none
            package var choice: Int?
            package var answeredAt = Instant.epoch
            package var seconds = 0

            package init() {}
        }

        /// A question with a diagram was left out of the score (R30). Stream of the exam or practice.
        package struct Voided: Payload {
            package static let type = "tafawoq.question.voided"
            package static let streams = ["exam", "practice"]
            package static let sentence = "A question was left out of the score."
            package static let rules = [30]
            package internal(set) var of = SittingKind.empty
            package internal(set) var id = SittingID.none
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none

            package init() {}
        }
    }

    /// The two sections of the aptitude exam.
    package enum Section: String, Choice {
        case verbal, quantitative
    }

    /// The levels of a question, easiest first.
    package enum Difficulty: String, Choice {
        case easy, medium, hard
    }

    /// The catalogue, in its order (R33).
    package enum Category: String, Choice {
        case basicOperations = "basic_operations"
        case geometry
        case rootsExponents = "roots_exponents"
        case analogies
        case sentenceCompletion = "sentence_completion"
        case contextualError = "contextual_error"
        case oddWordOut = "odd_word_out"
        case readingComprehension = "reading_comprehension"

        package var section: Section {
            switch self {
            case .basicOperations, .geometry, .rootsExponents: .quantitative
            default: .verbal
            }
        }

        /// The index in the catalogue.
        package var catalogueIndex: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}
