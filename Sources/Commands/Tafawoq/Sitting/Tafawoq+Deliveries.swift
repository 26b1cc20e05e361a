import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A question as the generator brings it; a category that there is not is no question of form.
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

        /// R25, `bad-question`, but for ids that come twice.
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

    struct GivenPassage: Record {
        var passage = PassageID.none
        var text = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("passage", &passage)
            coder.bounded("text", &text)
        }
    }

    /// What exams and practices are delivered alike.
    struct Delivery: Record {
        var attempt = 0
        var questions: [GivenQuestion] = []
        var passages: [GivenPassage]?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.bounded("attempt", &attempt)
            coder.field("questions", &questions)
            coder.given("passages", &passages)
        }

        var problem: String? {
            if attempt < 1 { return "attempt: expected at least 1" }
            return questions.lazy.compactMap(\.problem).first
        }

        var texts: [Question.Text]? {
            passages?.map { passage in
                Question.Text.with {
                    $0.passage = passage.passage
                    $0.text = passage.text
                }
            }
        }

        /// R25: `bad-question`.
        var isBad: Bool {
            let known = (passages ?? []).map(\.passage)
            return Set(questions.map(\.question)).count < questions.count
                || questions.contains { $0.isBad(known) }
        }

        /// R26: how many were seen lately, or come twice.
        func repeats(for student: StudentID, in context: Tafawoq.Context) -> Int {
            let window = Tafawoq.days(context.policy.questionRepeatDays).multipliedClamping(1000)
            var met: Set<String> = []
            return questions.count { question in
                if !met.insert(question.contentHash).inserted { return true }
                guard let symbol = context.names.known(question.contentHash),
                    let seen = context.state.seen[.init(student, .init(symbol))]
                else { return false }
                return context.at.milliseconds(since: seen.at) < window
            }
        }

        /// R26: whether so many repeats are sent back.
        func isRefused(repeats: Int, _ policy: Policy) -> Bool {
            guard repeats > 0 else { return false }
            let border = Int128(policy.questionRepeatTolerancePercent.percent.hundredths)
            return attempt <= policy.generationRetries
                || Int128(repeats) * 10_000 >= border * Int128(questions.count)
        }

        /// R25, R26, R39: what is wrong with it; else how many repeats it has.
        func check(
            _ row: SittingRow, in context: Tafawoq.Context, fits: () -> Bool
        ) throws(Rejection) -> Int {
            if row.stage != .generating { throw .generationClosed }
            if isBad { throw .badQuestion }
            if !fits() { throw .wrongComposition }
            let repeats = repeats(for: row.student, in: context)
            if isRefused(repeats: repeats, context.policy) { throw .duplicateQuestions }
            return repeats
        }

        /// R3: a delivery that is sent back is recorded, never before the stream's last event.
        func recordRefusal(of key: SittingKey, in context: Tafawoq.Context) {
            guard let row = context.state.sittings[key] else { return }
            let repeats = repeats(for: row.student, in: context)
            context.record(
                Generation.Refused.with {
                    $0.of = key.kind
                    $0.id = key.id
                    $0.student = row.student
                    $0.attempt = attempt
                    $0.repeated = repeats
                }, sitting: key, at: max(context.at, row.lastAt))
        }
    }

    /// Brings the questions of an exam or a practice.
    protocol DeliveryCommand: SittingCommand {
        var delivery: Delivery { get }
    }

    /// Brings the questions of an exam.
    struct DeliverExam: DeliveryCommand {
        static let type = "tafawoq.exam.deliver"
        var exam = ExamID.none
        var delivery = Delivery()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            delivery.fields(&coder)
        }

        var sitting: SittingKey { .exam(exam) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            let repeats = try delivery.check(row, in: context) {
                let verbal = delivery.questions.count { $0.section == .verbal }
                return verbal == context.policy.examVerbalQuestions
                    && delivery.questions.count - verbal == context.policy.examQuantitativeQuestions
                    && Set(delivery.questions.map(\.known)).count == Category.allCases.count
            }
            context.record(
                Exam.Delivered.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.attempt = delivery.attempt
                    $0.questions = Packed(delivery.questions.map { $0.content(context.names) })
                    $0.passages = delivery.texts
                    $0.deadline = context.at + Int64(context.policy.examDurationSeconds)
                    $0.repeated = repeats
                    $0.waitedSeconds = context.at.wholeSeconds(since: row.startedAt)
                }, sitting: sitting)
        }
    }

    /// Brings the questions of a practice (R39).
    struct DeliverPractice: DeliveryCommand {
        static let type = "tafawoq.practice.deliver"
        var practice = PracticeID.none
        var delivery = Delivery()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            delivery.fields(&coder)
        }

        var sitting: SittingKey { .practice(practice) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            let repeats = try delivery.check(row, in: context) {
                delivery.questions.allSatisfy { $0.difficulty == row.difficulty }
                    && Category.allCases.allSatisfy { category in
                        let planned = row.plan.first { $0.category == category }?.questions ?? 0
                        return delivery.questions.count { $0.known == category } == planned
                    }
            }
            context.record(
                Practice.Delivered.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.attempt = delivery.attempt
                    $0.questions = Packed(delivery.questions.map { $0.content(context.names) })
                    $0.passages = delivery.texts
                    $0.repeated = repeats
                    $0.waitedSeconds = context.at.wholeSeconds(since: row.startedAt)
                }, sitting: sitting)
        }
    }

    /// The generator gives up.
    struct FailGeneration: SittingCommand {
        static let type = "tafawoq.generation.fail"
        func senders(in state: State) -> Senders { .service }
        var of = SittingKind.exam
        var id = SittingID.none
        var reason = Reason.providerError
        var attempts = 0

        /// `timeout` is recorded by the timer alone.
        enum Reason: String, Choice {
            case providerError = "provider-error"
            case quotaExhausted = "quota-exhausted"
            case insufficientResources = "insufficient-resources"
            case invalidOutput = "invalid-output"
        }

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("of", &of)
            coder.field("id", &id)
            coder.field("reason", &reason)
            coder.bounded("attempts", &attempts)
        }

        func problem(_ names: Names) -> String? {
            attempts < 1 ? "attempts: expected at least 1" : nil
        }

        var sitting: SittingKey { .init(of, id) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            if row.stage != .generating { throw .generationClosed }
            let recorded = Generation.Reason(rawValue: reason.rawValue) ?? .providerError
            context.fail(sitting, row, recorded, attempts: attempts)
        }
    }
}

extension Tafawoq.DeliveryCommand {
    func senders(in state: Tafawoq.State) -> Senders { .service }

    func problem(_ names: Names) -> String? { delivery.problem }

    /// R3: repeated questions are sent back, not refused like other things.
    func trace(of rejection: Tafawoq.Rejection, in context: Tafawoq.Context) {
        if rejection == .duplicateQuestions {
            return delivery.recordRefusal(of: sitting, in: context)
        }
        context.recordRefusal(rejection, of: Self.type, concerning: concerned(in: context.state))
    }
}
