import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A question as the generator sends it. A category is read as a text: an unknown one is
    /// `bad-question`, not malformed.
    struct GivenQuestion: Record {
        var question = QuestionID.none
        var section = Section.verbal
        var category = ""
        var difficulty = Difficulty.easy
        var text = ""
        var options: [BoundedText] = []
        var answer = 0
        var explanation = ""
        var recommendedSeconds = 0
        var contentHash = ""
        var image: GivenImage?
        var passage: PassageID?
        var sources: [SubjectID]?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("section", &section)
            coder.bounded("category", &category)
            coder.field("difficulty", &difficulty)
            coder.bounded("text", &text)
            coder.field("options", &options)
            coder.bounded("answer", &answer)
            coder.bounded("explanation", &explanation)
            coder.bounded("recommendedSeconds", &recommendedSeconds)
            coder.digest("contentHash", &contentHash)
            coder.given("image", &image)
            coder.given("passage", &passage)
            coder.given("sources", &sources)
        }

        var problem: String? {
            if !(2...6).contains(options.count) { return "options: expected 2 to 6" }
            return recommendedSeconds < 1 ? "recommendedSeconds: expected at least 1" : nil
        }

        var known: Category? { Category.allCases.first { $0.rawValue.isExactly(category) } }

        /// Whether it is `bad-question` by itself; ids that come twice are the delivery's matter (R25).
        func isBad(_ passages: [PassageID]) -> Bool {
            guard let known, known.section == section, options.indices.contains(answer) else {
                return true
            }
            if let image, known != .geometry || image.status == .ready && image.ref == nil {
                return true
            }
            if known == .readingComprehension, passage == nil { return true }
            return passage.map { !passages.contains($0) } ?? false
        }

        func content(_ names: Names) -> Question.Content {
            Question.Content.with {
                $0.question = question
                $0.section = section
                $0.category = known ?? .empty
                $0.difficulty = difficulty
                $0.text = text
                $0.options = options.map(\.value)
                $0.answer = answer
                $0.explanation = explanation
                $0.recommendedSeconds = recommendedSeconds
                $0.contentHash = ContentHash(names.intern(contentHash))
                $0.image = image?.content
                $0.passage = passage
                $0.sources = sources
            }
        }
    }

    /// A diagram as the generator sends it.
    struct GivenImage: Record {
        var status = Question.ImageStatus.ready
        var ref: String?
        var alt = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("status", &status)
            coder.givenText("ref", &ref)
            coder.bounded("alt", &alt)
        }

        var content: Question.Image {
            Question.Image.with {
                $0.status = status
                $0.ref = ref
                $0.alt = alt
            }
        }
    }

    /// A passage as the generator sends it.
    struct GivenPassage: Record {
        var passage = PassageID.none
        var text = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("passage", &passage)
            coder.bounded("text", &text)
        }
    }

    /// Leaves a question with a diagram out of the score (R30).
    struct VoidQuestion: SittingCommand {
        static let type = "tafawoq.question.void"
        var of = SittingKind.exam
        var id = SittingID.none
        var question = QuestionID.none

        var sitting: SittingKey { .init(of, id) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .inProgress else {
                throw of == .exam ? .examNotOpen : .practiceNotOpen
            }
            let sheet = context.state.sheet(sitting)
            guard let index = sheet.index(of: question) else { throw .unknownQuestion }
            if context.policy.questionImageFailure != .void { throw .voidingOff }
            let line = sheet.lines[index]
            if line.content.image == nil { throw .notVisual }
            if line.isVoided { throw .alreadyVoided }
            // What was seen well enough to be answered did not fail to load.
            let answers = context.state.answers[sitting]?.answers ?? []
            if answers.contains(where: { $0.question == question && $0.choice != nil }) {
                throw .alreadyAnswered
            }
            let limit = context.policy.questionVoids
            if row.voided.count >= limit { throw .voidLimit.stating(limit) }
            let others = sheet.scored.filter {
                $0.content.question != question
                    && (of == .practice || $0.content.section == line.content.section)
            }
            if others.isEmpty { throw .lastQuestion }
            context.record(
                Question.Voided(
                    of: of,
                    id: id,
                    student: row.student,
                    question: question), on: context.sittingStream(sitting))
        }
    }
}
