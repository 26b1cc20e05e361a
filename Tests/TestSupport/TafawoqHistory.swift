import Core
import TafawoqEvents

/// A seeded random life of Tafawoq: three students who register, pay, sit exams, practise and leave; the
/// provider tells things twice and late; the operator changes between both sets of values.
///
/// Exams are small (eight questions), so that many are sat. Explanations say whose they are:
/// `secret of EX-1`.
package struct TafawoqHistory {
    package static func commands(seed: UInt64, count: Int = 260) -> [TestCommand] {
        var history = TafawoqHistory(seed: seed)
        history.setStage()
        while history.commands.count < count { history.step() }
        return history.commands
    }

    private var random: SplitMix64
    private var now = Instant("2026-02-01T08:00:00Z")
    private var commands: [TestCommand] = []
    private var lastNumber = 0
    private var exams: [(id: String, student: String)] = []
    private var practices: [(id: String, student: String, difficulty: String)] = []
    private var checkouts: [(id: String, student: String)] = []
    private var periods: [(at: Instant, student: String)] = []
    private let students = ["S-1", "S-2", "S-3"]

    private static let categories = [
        "basic_operations", "geometry", "roots_exponents", "analogies", "sentence_completion",
        "contextual_error", "odd_word_out", "reading_comprehension",
    ]

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func below(_ bound: Int) -> Int {
        Int(random.next() % UInt64(max(1, bound)))
    }

    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    private mutating func one<E>(of elements: [E]) -> E? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// Mostly one of the last few.
    private mutating func recent<E>(of elements: [E]) -> E? { one(of: Array(elements.suffix(4))) }

    private mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func send(
        _ command: String, by: String, device: String? = nil, _ data: [(String, JSON)]
    ) {
        let name = command.contains("account.erase") ? command : "tafawoq.\(command)"
        commands.append(
            TestCommand("c-\(number())", name, at: now, by: by, device: device, data))
    }

    private func digest(_ text: String) -> JSON { .string(Hex.text(SHA256Digest.of(text))) }

    // MARK: The stage

    private mutating func setStage() {
        adopt([
            ("exam.verbalQuestions", .integer(5)), ("exam.quantitativeQuestions", .integer(3)),
            ("trial.days", .integer(1)), ("exam.intervalSeconds", .integer(0)),
            ("renewal.retrySeconds", .array([.integer(3600), .integer(7200)])),
        ])
        for student in students {
            let password: JSON = .object(of: [
                ("digest", digest("p")), ("length", .integer(12)), ("upper", .bool(true)),
                ("lower", .bool(true)), ("digit", .bool(true)), ("symbol", .bool(true)),
            ])
            send(
                "account.register", by: "student:\(student)",
                [
                    ("student", .string(student)), ("email", .string("\(student)@example.sa")),
                    ("password", password), ("acceptsTerms", .bool(true)),
                    ("acceptsPrivacy", .bool(true)), ("otpDigest", digest("o")),
                ])
            send(
                "account.verify", by: "student:\(student)",
                [("student", .string(student)), ("otpDigest", digest("o"))])
            send(
                "profile.complete", by: "student:\(student)",
                [
                    ("student", .string(student)),
                    ("track", .string(student == "S-2" ? "literary" : "scientific")),
                ])
        }
    }

    private mutating func adopt(_ changes: [(String, JSON)]) {
        send("policy.adopt", by: "admin:A-1", [("changes", .object(of: changes))])
    }

    // MARK: Steps

    private mutating func step() {
        let waits: [Int64] = [0, 1, 20, 60, 600, 3600, 20_000, 86_400]
        now = now + waits[below(chance(70) ? 5 : waits.count)]
        switch below(24) {
        case 0...3: sit()
        case 4...6: answerExam()
        case 7...9: submitExam()
        case 10: exam(["exam.leave", "exam.resume", "exam.leave", "exam.abandon"][below(4)])
        case 11...13: practise()
        case 14: checkout()
        case 15...17: pay()
        case 18: cancel()
        case 19: operate()
        case 20: signIn()
        case 21: voidQuestion()
        case 22: legal()
        default: drift()
        }
    }

    private mutating func sit() {
        let student = one(of: students) ?? ""
        let id = "EX-\(number())"
        exams.append((id, student))
        send(
            "exam.start", by: "student:\(student)", device: "D-\(below(2))",
            [("student", .string(student)), ("exam", .string(id))])
        guard chance(90) else { return }
        now = now + Int64(below(15))
        deliver(id)
    }

    private mutating func deliver(_ id: String) {
        send(
            "exam.deliver", by: "service:g",
            [
                ("exam", .string(id)), ("attempt", .integer(Int64(1 + below(5)))),
                ("questions", .array(questions(of: id, Self.categories, "medium"))),
                (
                    "passages",
                    .array([.object(of: [("passage", .string("P-1")), ("text", .string("نص"))])])
                ),
            ])
    }

    private mutating func questions(
        of id: String, _ categories: [String], _ difficulty: String
    ) -> [JSON] {
        categories.enumerated().map { place, category in
            let isVerbal = Self.categories.firstIndex(of: category) ?? 0 > 2
            var members: [(String, JSON)] = [
                ("question", .string("q\(place)")),
                ("section", .string(isVerbal ? "verbal" : "quantitative")),
                ("category", .string(category)), ("difficulty", .string(difficulty)),
                ("text", .string("س \(place)")),
                ("options", .array(["أ", "ب", "ج"].map { .string($0) })),
                ("answer", .integer(Int64(below(3)))),
                ("explanation", .string("secret of \(id)")),
                ("recommendedSeconds", .integer(60)),
                ("contentHash", digest("\(chance(5) ? "same" : id) \(place)")),
            ]
            if category == "reading_comprehension" { members.append(("passage", .string("P-1"))) }
            if category == "geometry" {
                members.append(
                    (
                        "image",
                        .object(of: [("status", .string("failed")), ("alt", .string("مثلث"))])
                    ))
            }
            return .object(of: members)
        }
    }

    private mutating func answers(_ count: Int) -> JSON {
        .array(
            (0..<count).map { place in
                .object(of: [
                    ("question", .string("q\(place)")),
                    ("choice", chance(10) ? .null : .integer(Int64(below(3)))),
                    ("answeredAt", .string("\(now - Int64(below(4000)))")),
                    ("seconds", .integer(Int64(below(90)))),
                ])
            })
    }

    private mutating func answerExam() {
        guard let exam = recent(of: exams) else { return }
        send(
            "exam.answer", by: "student:\(exam.student)", device: "D-\(below(2))",
            [("exam", .string(exam.id)), ("answers", answers(1 + below(8)))])
    }

    private mutating func submitExam() {
        guard let exam = recent(of: exams) else { return }
        send(
            "exam.submit", by: "student:\(exam.student)", device: "D-\(below(2))",
            [
                ("exam", .string(exam.id)), ("finishedAt", .string("\(now - Int64(below(3)))")),
                ("answers", answers(below(9))),
            ])
    }

    private mutating func exam(_ command: String) {
        guard let exam = recent(of: exams) else { return }
        send(command, by: "student:\(exam.student)", [("exam", .string(exam.id))])
    }

    private mutating func voidQuestion() {
        guard let exam = recent(of: exams) else { return }
        send(
            "question.void", by: "student:\(exam.student)",
            [
                ("of", .string("exam")), ("id", .string(exam.id)), ("question", .string("q1")),
            ])
    }

    private mutating func practise() {
        let student = one(of: students) ?? ""
        let id = "PR-\(number())"
        let difficulty = ["easy", "medium", "hard"][below(3)]
        let categories = chance(50) ? ["analogies"] : ["odd_word_out"]
        practices.append((id, student, difficulty))
        send(
            "practice.start", by: "student:\(student)",
            [
                ("student", .string(student)), ("practice", .string(id)),
                ("section", .string("verbal")),
                ("categories", .array(categories.map { .string($0) })),
                ("difficulty", .string(difficulty)), ("questions", .integer(1)),
            ])
        send(
            "practice.deliver", by: "service:g",
            [
                ("practice", .string(id)), ("attempt", .integer(9)),
                ("questions", .array(questions(of: id, categories, difficulty))),
            ])
        guard chance(75) else { return }
        now = now + Int64(below(4000))
        send(
            "practice.submit", by: "student:\(student)",
            [
                ("practice", .string(id)), ("finishedAt", .string("\(now)")),
                ("answers", answers(1)),
            ])
    }

    private mutating func checkout() {
        let student = one(of: students) ?? ""
        let id = "CO-\(number())"
        checkouts.append((id, student))
        send(
            "checkout.begin", by: "student:\(student)",
            [("student", .string(student)), ("checkout", .string(id))])
    }

    /// Some provider event, perhaps told a second time.
    private mutating func pay() {
        if chance(25), let old = one(of: commands.filter { $0.command.hasSuffix("payment.report") })
        {
            var again = old
            again.id = "c-\(number())"
            again.at = now
            commands.append(again)
            return
        }
        var data: [(String, JSON)] = [
            ("providerEvent", .string("evt-\(number())")),
            ("occurredAt", .string("\(now - Int64(below(90)))")),
            ("signatureVerified", .bool(!chance(5))),
        ]
        if chance(50), let checkout = recent(of: checkouts) {
            data += [
                ("student", .string(checkout.student)), ("checkout", .string(checkout.id)),
                ("kind", .string(chance(80) ? "checkout-paid" : "checkout-failed")),
                ("reason", .string("card-declined")),
            ]
            periods.append((now + 86_400, checkout.student))
        } else if let period = recent(of: periods) {
            if period.at > now, chance(60) { now = period.at + Int64(1 + below(5000)) }
            let isPaid = chance(40)
            data += [
                ("student", .string(period.student)), ("period", .string("\(period.at)")),
                ("attempt", .integer(Int64(1 + below(3)))),
                ("kind", .string(isPaid ? "renewal-paid" : "renewal-failed")),
                ("reason", .string("card-declined")),
            ]
        } else {
            return
        }
        send("payment.report", by: "service:p", data)
    }

    private mutating func cancel() {
        let student = one(of: students) ?? ""
        send("subscription.cancel", by: "student:\(student)", [("student", .string(student))])
    }

    /// Between M's values and D's, and others.
    private mutating func operate() {
        let values: [[(String, JSON)]] = [
            [("week.startsOn", .string("monday")), ("exam.incompleteCounts", .bool(true))],
            [("week.startsOn", .string("sunday")), ("exam.incompleteCounts", .bool(false))],
            [("exam.resumeSeconds", .integer(86_400))], [("exam.resumeSeconds", .integer(0))],
            [("free.explanationDelaySeconds", .integer(86_400))],
            [("free.explanationDelaySeconds", .null)],
            [("question.imageFailure", .string("void"))],
            [("grace.seconds", .integer(Int64(below(300_000))))],
            [("free.examsPerWeek", .integer(Int64(1 + below(3))))],
            [("reminder.mode", .string(["weekly", "scheduled", "both"][below(3)]))],
            [("week.utcOffsetMinutes", .integer(180))],
            [("session.required", .bool(chance(50)))],
            [("practice.idleSeconds", .integer(Int64(1 + below(4000))))],
            [("question.voids", .integer(Int64(below(4))))],
        ]
        adopt(values[below(values.count)])
    }

    private mutating func legal() {
        let document = chance(50) ? "terms" : "privacy"
        let version = String(1 + below(3))
        if chance(30) {
            return send(
                "legal.publish", by: "admin:A-1",
                [
                    ("document", .string(document)), ("version", .string(version)),
                    ("text", .string("text")), ("textAr", .string("نص")),
                ])
        }
        let student = one(of: students) ?? ""
        if chance(30) {
            return send(
                "otp.request", by: "service:g",
                [
                    ("email", .string("\(student)@example.sa")), ("purpose", .string("reset")),
                    ("otpDigest", digest("r")),
                ])
        }
        send(
            "legal.accept", by: "student:\(student)",
            [
                ("student", .string(student)), ("document", .string(document)),
                ("version", .string(version)),
            ])
    }

    private mutating func signIn() {
        let student = one(of: students) ?? ""
        send(
            "session.open", by: "service:g", device: "D-\(below(2))",
            [
                ("session", .string("SE-\(number())")),
                ("email", .string("\(student)@example.sa")),
                ("passwordDigest", digest(chance(70) ? "p" : "x")),
            ])
    }

    private mutating func drift() {
        if chance(8) {
            let student = one(of: students) ?? ""
            return send(
                "account.erase", by: "student:\(student)",
                [("subject", .string("tafawoq/\(student)"))])
        }
        commands.append(
            TestCommand(
                "c-\(number())", "clock.advance", at: now + Int64(below(90_000)), by: "system"))
    }
}
