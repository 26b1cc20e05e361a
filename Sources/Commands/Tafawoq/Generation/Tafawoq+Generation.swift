import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What deliveries of exams and of practices have in common.
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

        /// Whether a question is not well made, or an id comes twice: `bad-question` (R25).
        var isBad: Bool {
            let known = (passages ?? []).map(\.passage)
            return Set(questions.map(\.question)).count < questions.count
                || questions.contains { $0.isBad(known) }
        }

        /// Whether each passage has as many questions as the policy asks; one is not asked of a passage that none belongs
        /// to (R25).
        private func hasFullPassages(_ policy: Policy) -> Bool {
            let passages = questions.compactMap(\.passage)
            let delivered = policy.passageQuestions > 1 ? (self.passages ?? []).map(\.passage) : []
            return Set(passages + delivered).allSatisfy { passage in
                passages.count { $0 == passage } >= policy.passageQuestions
            }
        }

        /// How many questions the student was delivered lately, or come twice (R26).
        func repeats(for student: StudentID, in context: Tafawoq.Context) -> Int {
            let window = context.policy.questionRepeatDays.milliseconds
            var hashes: Set<String> = []
            return questions.count { question in
                if !hashes.insert(question.contentHash).inserted { return true }
                guard let symbol = context.names.known(question.contentHash),
                    let seen = context.state.seen[.init(student, .init(symbol))]
                else { return false }
                return context.at.milliseconds(since: seen.at) < window
            }
        }

        /// Whether a delivery with this many repeats is rejected (R26).
        func isRefused(repeats: Int, _ policy: Policy) -> Bool {
            guard repeats > 0 else { return false }
            let tolerance = Int128(policy.questionRepeatTolerancePercent.percent.hundredths)
            return attempt <= policy.generationRetries
                || Int128(repeats) * 10_000 >= tolerance * Int128(questions.count)
        }

        /// Refuses a delivery that is not taken; else gives the number of its repeats (R25, R26, R39).
        func check(
            _ row: SittingRow, in context: Tafawoq.Context, fits: () -> Bool
        ) throws(Rejection) -> Int {
            if row.stage != .generating { throw .generationClosed }
            if isBad { throw .badQuestion }
            if !fits() || !hasFullPassages(context.policy) { throw .wrongComposition }
            let repeats = repeats(for: row.student, in: context)
            if isRefused(repeats: repeats, context.policy) { throw .duplicateQuestions }
            return repeats
        }

        /// Records that the delivery was sent back, never before the stream's last event (R3).
        func recordRefusal(of key: SittingKey, in context: Tafawoq.Context) {
            guard let row = context.state.sittings[key] else { return }
            let repeats = repeats(for: row.student, in: context)
            context.record(
                Generation.Refused(
                    of: key.kind,
                    id: key.id,
                    student: row.student,
                    attempt: attempt,
                    repeated: repeats), on: context.sittingStream(key),
                at: max(context.at, row.lastAt))
        }
    }

    /// A command that delivers the questions of an exam or a practice.
    protocol DeliveryCommand: SittingCommand {
        var delivery: Delivery { get }
    }

    /// Reports that the generator gave up on an exam or a practice (R46).
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
            let row = try context.findOwn(sitting)
            if row.stage != .generating { throw .generationClosed }
            let recorded = Generation.Reason(rawValue: reason.rawValue) ?? .providerError
            context.fail(sitting, row, recorded, attempts: attempts)
        }
    }
}

extension Tafawoq.DeliveryCommand {
    func senders(in state: Tafawoq.State) -> Senders { .service }

    func problem(_ names: Names) -> String? { delivery.problem }

    /// A delivery with repeated questions is recorded as sent back, not as a refusal (R3).
    func trace(of rejection: Tafawoq.Rejection, in context: Tafawoq.Context) {
        if rejection == .duplicateQuestions {
            return delivery.recordRefusal(of: sitting, in: context)
        }
        context.recordRefusal(rejection, of: Self.type, concerning: concerned(in: context.state))
    }
}
