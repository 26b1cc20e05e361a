import Core
import Engine
import TestSupport
import Testing

/// What a student gains by sending whatever they like, as long as it is accepted: nothing that the same
/// answers would not have earned honestly.
@Suite struct `A dishonest student of Tafawoq` {
    @Test(arguments: UInt64(0)..<12)
    func `gains no score, no exam, no access and no time`(seed: UInt64) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        var cheat = Cheat(seed: 4_000 + seed)
        try engine.run(cheat.stage)
        for _ in 0..<200 { try engine.run(cheat.step()) }
        let events = try engine.allEvents()
        #expect(events.contains { $0.type.hasSuffix(".completed") }, "seed \(seed)")
        var answers: [String: Set<String>] = [:]
        var delivered: [String: Instant] = [:]
        var weeks: [String: Set<String>] = [:]
        var started: [String: String] = [:]
        for event in events {
            let sitting = event.text("exam") + event.text("practice")
            switch event.type {
            case "tafawoq.exam.started": started[sitting] = event.text("weekStart")
            case "tafawoq.exam.delivered", "tafawoq.practice.delivered":
                delivered[sitting] = event.at
            case "tafawoq.exam.answered", "tafawoq.practice.answered":
                for answer in event.data["answers"]?.array ?? [] {
                    let question = answer["question"]?.string ?? ""
                    // Question n is right with n modulo 4.
                    if let choice = answer["choice"]?.wholeNumber,
                        let n = Int64(question.dropFirst()),
                        choice == n % 4
                    {
                        answers[sitting, default: []].insert(question)
                    }
                }
            case "tafawoq.exam.completed":
                // Nothing is right that was never answered rightly, and little is left out.
                #expect(event.number("correct") <= answers[sitting]?.count ?? 0, "\(event.text)")
                #expect(event.number("voided") <= 1, "\(event.text)")
                #expect(event.number("questions") == 8, "\(event.text)")
                weeks[started[sitting] ?? "", default: []].insert(sitting)
            case "tafawoq.exam.abandoned", "tafawoq.exam.expired":
                if event.data["counts"] == .bool(true) {
                    weeks[started[sitting] ?? "", default: []].insert(sitting)
                }
            case "tafawoq.practice.completed":
                let passed = event.at.milliseconds(since: delivered[sitting] ?? event.at) / 1000
                #expect(event.number("seconds") <= Int(passed), "\(event.text)")
                #expect(event.number("correct") <= answers[sitting]?.count ?? 0, "\(event.text)")
                // One practice of two questions: at most a pause before each answer that was told, and the end.
                #expect(event.number("seconds") <= 600 * (cheat.told[sitting, default: 0] + 1))
            case "tafawoq.trial.started", "tafawoq.subscription.activated":
                Issue.record("access without payment: \(event.text)")
            default: break
            }
        }
        for (week, exams) in weeks { #expect(exams.count <= 1, "week \(week), seed \(seed)") }
        let access = try engine.show("tafawoq.access", key: "S-1").text
        #expect(access.contains(#""tier":"free""#))
    }
}

/// One student who tries everything, and a generator that delivers what is asked for.
private struct Cheat {
    private var random: SplitMix64
    private var now = Instant("2026-02-01T09:00:00Z")
    private var last = 0
    private var sittings: [String] = []
    /// How many answers were sent to each.
    var told: [String: Int] = [:]

    private static let categories = [
        ("basic_operations", "quantitative"), ("geometry", "quantitative"),
        ("roots_exponents", "quantitative"), ("analogies", "verbal"),
        ("sentence_completion", "verbal"), ("contextual_error", "verbal"),
        ("odd_word_out", "verbal"), ("reading_comprehension", "verbal"),
    ]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func tell(
        _ command: String, _ data: [(String, JSON)], by: String = "student:S-1"
    ) -> TestCommand {
        last += 1
        return TestCommand("c-\(last)", "tafawoq.\(command)", at: now, by: by, data)
    }

    private func digest(_ text: String) -> JSON { .string(Hex.text(SHA256Digest.of(text))) }

    var stage: [TestCommand] {
        mutating get {
            let password: [(String, JSON)] = [
                ("digest", digest("p")), ("length", .integer(12)), ("upper", .bool(true)),
                ("lower", .bool(true)), ("digit", .bool(true)), ("symbol", .bool(true)),
            ]
            let values: [(String, JSON)] = [
                ("exam.verbalQuestions", .integer(5)), ("exam.quantitativeQuestions", .integer(3)),
                ("exam.incompleteCounts", .bool(true)), ("exam.resumeSeconds", .integer(86_400)),
                ("question.imageFailure", .string("void")), ("question.voids", .integer(1)),
                ("practice.idleSeconds", .integer(600)),
            ]
            return [
                tell("policy.adopt", [("changes", .object(of: values))], by: "admin:A-1"),
                tell(
                    "account.register",
                    [
                        ("student", .string("S-1")), ("email", .string("s@example.sa")),
                        ("password", .object(of: password)), ("acceptsTerms", .bool(true)),
                        ("acceptsPrivacy", .bool(true)), ("otpDigest", digest("o")),
                    ]),
                tell("account.verify", [("student", .string("S-1")), ("otpDigest", digest("o"))]),
                tell(
                    "profile.complete",
                    [("student", .string("S-1")), ("track", .string("scientific"))]),
            ]
        }
    }

    mutating func step() -> [TestCommand] {
        now = now + [0, 1, 40, 600, 7200, 100_000][below(6)]
        let target =
            sittings.isEmpty ? "EX-0" : sittings[sittings.count - 1 - below(min(3, sittings.count))]
        let isExam = target.hasPrefix("EX")
        let kind = isExam ? "exam" : "practice"
        let id: (String, JSON) = (kind, .string(target))
        switch below(12) {
        case 0, 1: return sit()
        case 2: return practise()
        case 3, 4, 5: return [tell("\(kind).answer", [id, ("answers", answers(target))])]
        case 6, 7:
            return [
                tell(
                    "\(kind).submit",
                    [
                        id, ("finishedAt", below(2) == 0 ? .string("\(now)") : moment()),
                        ("answers", below(2) == 0 ? .array([]) : answers(target)),
                    ])
            ]
        case 8: return [tell("\(kind).leave", [id])]
        case 9:
            return [
                tell(below(2) == 0 ? "exam.resume" : "exam.abandon", [("exam", .string(target))])
            ]
        case 10:
            return [
                tell(
                    "question.void",
                    [
                        ("of", .string(kind)), ("id", .string(target)),
                        ("question", .string("q\(1 + below(8))")),
                    ])
            ]
        default:
            // What only a service may send.
            return [
                tell(
                    "payment.report",
                    [
                        ("student", .string("S-1")), ("providerEvent", .string("e-\(last)")),
                        ("kind", .string("checkout-paid")), ("occurredAt", .string("\(now)")),
                        ("signatureVerified", .bool(true)), ("checkout", .string("CO-1")),
                    ]),
                tell(
                    "checkout.begin", [("student", .string("S-1")), ("checkout", .string("CO-1"))]),
                tell(
                    "checkout.confirm",
                    [("student", .string("S-1")), ("checkout", .string("CO-1"))]),
            ]
        }
    }

    private mutating func sit() -> [TestCommand] {
        last += 1
        let exam = "EX-\(last)"
        sittings.append(exam)
        return [
            tell("exam.start", [("student", .string("S-1")), ("exam", .string(exam))]),
            tell(
                "exam.deliver",
                [
                    ("exam", .string(exam)), ("attempt", .integer(1)),
                    ("questions", questions(of: exam, Self.categories)),
                    (
                        "passages",
                        .array([
                            .object(of: [("passage", .string("P-1")), ("text", .string("نص"))])
                        ])
                    ),
                ], by: "service:g"),
        ]
    }

    private mutating func practise() -> [TestCommand] {
        last += 1
        let practice = "PR-\(last)"
        sittings.append(practice)
        let own = [("geometry", "quantitative"), ("geometry", "quantitative")]
        return [
            tell(
                "practice.start",
                [
                    ("student", .string("S-1")), ("practice", .string(practice)),
                    ("section", .string("quantitative")),
                    ("categories", .array([.string("geometry")])),
                    ("difficulty", .string("medium")), ("questions", .integer(2)),
                ]),
            tell(
                "practice.deliver",
                [
                    ("practice", .string(practice)), ("attempt", .integer(1)),
                    ("questions", questions(of: practice, own)),
                ], by: "service:g"),
        ]
    }

    private func questions(of sitting: String, _ categories: [(String, String)]) -> JSON {
        .array(
            categories.enumerated().map { index, entry in
                let n = index + 1
                var members: [(String, JSON)] = [
                    ("question", .string("q\(n)")), ("section", .string(entry.1)),
                    ("category", .string(entry.0)), ("difficulty", .string("medium")),
                    ("text", .string("س")),
                    ("options", .array(["أ", "ب", "ج", "د"].map { .string($0) })),
                    ("answer", .integer(Int64(n % 4))), ("explanation", .string("شرح")),
                    ("recommendedSeconds", .integer(60)),
                    ("contentHash", digest("\(sitting) \(n)")),
                ]
                if entry.0 == "geometry" {
                    members.append(
                        (
                            "image",
                            .object(of: [("status", .string("failed")), ("alt", .string("مثلث"))])
                        ))
                }
                if entry.0 == "reading_comprehension" {
                    members.append(("passage", .string("P-1")))
                }
                return .object(of: members)
            })
    }

    /// Instants about now, before and after.
    private mutating func moment() -> JSON {
        .string("\(now + [-100_000, -7200, -600, -30, -1, 0, 1, 5000][below(8)])")
    }

    private mutating func answers(_ sitting: String) -> JSON {
        let list = (0..<(1 + below(4))).map { _ in
            let n = 1 + below(sitting.hasPrefix("PR") ? 2 : 8)
            let choice: JSON = below(5) == 0 ? .null : .integer(Int64(below(4)))
            return JSON.object(of: [
                ("question", .string("q\(n)")), ("choice", choice), ("answeredAt", moment()),
                ("seconds", .integer([0, 60, 1_000_000_000][below(3)])),
            ])
        }
        told[sitting, default: 0] += list.count
        return .array(list)
    }
}
