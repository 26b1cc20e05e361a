import Core
import Engine
import TestSupport
import Testing

/// A bored admin of ExamRoom, A-2, who does whatever comes to mind, and a teacher of another school, who has no
/// account here. A student sits exams in between.
private struct BoredAdmin: DishonestActor {
    static let product = "examroom"
    static let begin = Instant("2026-02-02T08:00:00Z")
    static let by = "admin:A-2"
    static let strangers = ["admin:X-9", "coach:C-1", "admin:S-1", "service:S", "admin:A-3"]

    var script: Script
    private var attempts: [String] = []
    private var conflicts: [String] = []
    private var end = 0

    init(script: Script) { self.script = script }

    mutating func stage() {
        for (account, role) in [
            ("A-1", "admin"), ("A-2", "admin"), ("S-1", "student"), ("S-2", "student"),
        ] {
            register(account, role, by: "system")
        }
        for exam in ["E-1", "E-2"] { create(exam, by: "admin:A-1") }
    }

    private mutating func register(_ account: String, _ role: String, by: String) {
        script.tell(
            "account.register", by: by,
            #""account":"\#(account)","role":"\#(role)","name":"N","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}"#
        )
    }

    private mutating func create(_ exam: String, by: String) {
        script.tell(
            "exam.create", by: by, #""exam":"\#(exam)","title":"T","maxAttempts":null"#)
        for question in 1...2 {
            script.tell(
                "question.add", by: by,
                #""exam":"\#(exam)","question":"Q-\#(question)","prompt":"P","options":[{"option":"a","text":"A","correct":true},{"option":"b","text":"B","correct":false}]"#
            )
        }
        script.tell("exam.publish", by: by, #""exam":"\#(exam)""#)
    }

    mutating func act() {
        script.pass([0, 60, 600, 4_000, 90_000])
        if script.chance(30) { return sit() }
        let by = script.chance(80) ? Self.by : script.one(of: Self.strangers)
        let exam = #""exam":"\#(script.one(of: ["E-1", "E-2"]))""#
        let student = script.one(of: ["S-1", "S-2"])
        let seat = #"\#(exam),"student":"\#(student)""#
        let attempt =
            #""attempt":"\#(attempts.isEmpty ? "T" : script.one(of: attempts.suffix(4)))""#
        let (name, data) = script.one(of: [
            (
                "grade.modify",
                #"\#(attempt),"score":\#(script.below(4)),"reason":"\#(script.one(of: ["r", " "]))""#
            ),
            ("grade.modify", #"\#(attempt),"score":2,"reason":"Again""#),
            (
                "question.revise",
                #"\#(exam),"question":"Q-1","changes":{"points":\#(1 + script.below(3))}"#
            ),
            ("question.remove", #"\#(exam),"question":"Q-2""#),
            ("exam.revise", #"\#(exam),"changes":{"passPercent":\#(script.below(101))}"#),
            (
                script.one(of: [
                    "exam.publish", "exam.withdraw", "results.publish", "results.withhold",
                ]), exam
            ),
            (script.one(of: ["student.block", "student.unblock"]), seat),
            (
                script.one(of: ["extension.grant", "extension.modify", "extension.revoke"]),
                #"\#(seat),"kind":"minutes","value":\#(script.one(of: [15, 30]))"#
            ),
            ("policy.adopt", #""changes":{"pointsPerPercent":\#(1 + script.below(9))}"#),
            ("conflict.resolve", #""conflict":"\#(conflicts.last ?? "CF-1")","choice":"keep""#),
            ("export.make", #""export":"\#(script.id("X"))","scope":"all","format":"json""#),
            (
                "credential.replace",
                #""account":"\#(student)","credential":{"scheme":"bcrypt","salt":"t","digest":"\#(script.id("d"))"}"#
            ),
            (
                "account.register",
                #""account":"\#(script.id("P"))","role":"admin","name":"N","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}"#
            ),
            (
                "account.delete",
                #""account":"\#(script.chance(5) ? "A-2" : script.one(of: ["A-1", "A-3", "S-9"]))""#
            ),
        ])
        // By the device's own journal as well, dated as it suits.
        guard script.chance(15), by == Self.by else { return script.tell(name, by: by, data) }
        let members = (try? JSON(parsing: Array("{\(data)}".utf8)))?.members ?? []
        let inner = script.command(
            name, by: by, at: script.now - script.one(of: [0, 600, 90_000]),
            members.map { ($0.name, $0.value) })
        script.tell(
            "device.merge", by: by,
            [
                ("device", .string("D-9")), ("batch", .string(script.id("B"))),
                ("seen", .integer(Int64(script.one(of: [0, end])))),
                ("commands", .array([inner.inner])),
            ])
    }

    private mutating func sit() {
        let student = script.one(of: ["S-1", "S-2"])
        let by = "student:\(student)"
        let attempt = script.id("T")
        script.tell(
            "attempt.start", by: by,
            #""attempt":"\#(attempt)","exam":"\#(script.one(of: ["E-1", "E-2"]))","student":"\#(student)""#
        )
        script.pass([30, 60])
        script.tell(
            "answer.save", by: by,
            #""attempt":"\#(attempt)","question":"Q-1","chosen":["\#(script.one(of: ["a", "b"]))"]"#
        )
        script.tell("attempt.submit", by: by, #""attempt":"\#(attempt)""#)
    }

    mutating func see(_ outcome: Outcome, of command: TestCommand) {
        for event in outcome.recorded {
            end = max(end, Int(event.position.number))
            let fact = PastFact(event.document)
            if fact.type == "examroom.attempt.started" { attempts.append(fact.text("attempt")) }
            if fact.type == "examroom.conflict.detected" { conflicts.append(fact.text("conflict")) }
        }
    }
}

private enum AdminGains {
    /// What is nobody's act: what follows from one, and notices of it.
    private static let consequences = [
        "notification.", "points.", "badge.", "milestone.", "image.orphaned", "session.",
        "violation.", "time.", "account.erased",
    ]

    /// R51: whatever an admin does has an entry in the audit trail, with their name.
    static func trace(_ life: DishonestLife) throws -> String? {
        let audit = try life.show("audit", nil, ["page": "all"])
        let entries = Dictionary(
            (audit["entries"]?.array ?? []).map { ($0["entry"]?.wholeNumber ?? 0, $0) }
        ) { first, _ in first }
        for event in life.events where event.by == BoredAdmin.by {
            let name = event.type.trimmingPrefix("examroom.")
            if consequences.contains(where: { name.hasPrefix($0) }) { continue }
            guard let entry = entries[event.position] else { return "no entry: \(event.text)" }
            if entry["user"] != .string("A-2") { return "\(entry) for \(event.text)" }
        }
        return nil
    }

    /// R22: a score changes with a reason alone, within the paper's, and whoever was admin at any time.
    static func grades(_ life: DishonestLife) -> String? {
        var most: [String: Int] = [:]
        for event in life.events {
            switch event.type {
            case "examroom.attempt.started": most[event.text("attempt")] = event.number("maxScore")
            case "examroom.grade.modified":
                let isBlank = event.text("reason").allSatisfy(\.isWhitespace)
                if isBlank || event.number("newScore") > most[event.text("attempt")] ?? 0 {
                    return event.text
                }
            default: break
            }
        }
        return nil
    }

    /// R5, R6: who has no account does nothing, and one admin is always left.
    static func strangers(_ life: DishonestLife) -> String? {
        var admins: Set<String> = []
        for event in life.events {
            if BoredAdmin.strangers.contains(event.by), event.type != "examroom.violation.recorded",
                event.by != "service:S" || !event.type.hasPrefix("examroom.notification.")
            {
                return event.text
            }
            if event.text("role") == "admin", event.type == "examroom.account.registered" {
                admins.insert(event.text("account"))
            }
            if event.type == "examroom.account.deleted" {
                admins.remove(event.text("account"))
                if admins.isEmpty { return "the last: \(event.text)" }
            }
        }
        return nil
    }

    static func rules(_ life: DishonestLife) -> String? {
        AttemptLaw.broken(by: life.events) ?? ScoreLaw.broken(by: life.events)
            ?? AwardLaw.broken(by: life.events)
    }
}

@Suite struct `A dishonest admin of ExamRoom` {
    private let search = DishonestSearch<BoredAdmin>(
        firstSeed: 6_300, lives: 14, steps: 130,
        gains: [
            ForbiddenGain("trace", AdminGains.trace), ForbiddenGain("grades", AdminGains.grades),
            ForbiddenGain("strangers", AdminGains.strangers),
            ForbiddenGain("rules", AdminGains.rules),
        ],
        actors: [BoredAdmin.by],
        reach: [
            "told grade.modify": 15, "told question.revise": 10, "told policy.adopt": 20,
            "told device.merge": 25, "told export.make": 10, "told account.delete": 3,
            "grade.modified": 20, "points.adjusted": 10, "results.published": 4,
            "student.blocked": 5, "extension.granted": 6, "credential.replaced": 15,
            "violation.recorded": 60,
        ])

    @Test func `does nothing without a trace, and a stranger nothing`() throws {
        try search.expectNoGain()
    }

    @Test func `is found out in a story told otherwise`() throws {
        func isFound(_ gain: String, _ change: @escaping (PastFact) -> PastFact) throws -> Bool {
            try search.finds(gain) { life in life.telling { [change($0)] } }
        }
        #expect(
            try isFound("trace") {
                $0.type == "examroom.answer.saved" ? $0.by("admin:A-2") : $0
            })
        #expect(
            try isFound("grades") {
                $0.type == "examroom.grade.modified" ? $0.with("newScore", .integer(90)) : $0
            })
        #expect(
            try isFound("strangers") {
                $0.type == "examroom.exam.revised" ? $0.by("coach:C-1") : $0
            })
        #expect(
            try isFound("strangers") {
                $0.type == "examroom.account.registered" && $0.text("account") != "A-2"
                    ? $0.with("role", .string("student")) : $0
            })
        #expect(
            try isFound("rules") {
                $0.type == "examroom.points.awarded" ? $0.with("points", .integer(999)) : $0
            })
    }
}
