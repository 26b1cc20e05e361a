import Core
import Engine
import TestSupport

/// A student of Tafawoq with a second account and two devices who tries everything; a generator that delivers what is
/// asked for, and a payment provider that reports what was paid, sometimes twice or late. Question n is right
/// with n modulo 4.
struct DishonestCandidate: DishonestActor {
    static let product = "tafawoq"
    static let begin = Instant("2026-02-01T09:00:00Z")
    static let actors: Set = ["student:S-1", "student:S-2"]
    private static let categories = [
        ("basic_operations", "quantitative"), ("geometry", "quantitative"),
        ("roots_exponents", "quantitative"), ("analogies", "verbal"),
        ("sentence_completion", "verbal"), ("contextual_error", "verbal"),
        ("odd_word_out", "verbal"), ("reading_comprehension", "verbal"),
    ]

    var script: Script
    private var sittings: [(kind: String, id: String, student: String)] = []
    private var renewals: [(student: String, period: String, attempt: Int)] = []
    private var reports: [TestCommand] = []
    private var sessions: [(id: String, student: String)] = []
    private var signed: Set<String> = []

    init(script: Script) { self.script = script }

    // MARK: The stage

    mutating func stage() {
        script.tell(
            "policy.adopt", by: "admin:A-1",
            #""changes":{"exam.verbalQuestions":5,"exam.quantitativeQuestions":3,"exam.incompleteCounts":true,"exam.resumeSeconds":\#(script.one(of: [0, 86_400])),"question.imageFailure":"void","question.voids":1,"practice.idleSeconds":600,"limit.window":"\#(script.one(of: ["calendar-week", "rolling-7-days"]))","free.practiceCategories":1,"free.practiceQuestions":2}"#
        )
        for student in ["S-1", "S-2"] {
            let by = "student:\(student)"
            let own = #""student":"\#(student)""#
            script.tell(
                "account.register", by: by,
                #"\#(own),"email":"\#(student)@example.sa","password":{"digest":"\#(digest("p"))","length":12,"upper":true,"lower":true,"digit":true,"symbol":true},"acceptsTerms":true,"acceptsPrivacy":true,"otpDigest":"\#(digest("o"))""#
            )
            script.tell("account.verify", by: by, #"\#(own),"otpDigest":"\#(digest("o"))""#)
            script.tell("profile.complete", by: by, #"\#(own),"track":"scientific""#)
        }
    }

    private func digest(_ text: String) -> String { Hex.text(SHA256Digest.of(text)) }

    // MARK: What the student tries

    mutating func act() {
        script.pass([0, 1, 40, 600, 7_200, 100_000, script.one(of: [100_000, 700_000, 3_000_000])])
        let student = script.one(of: ["S-1", "S-1", "S-2"])
        if signed.contains(student), script.chance(85) { open(student) }
        switch script.below(22) {
        case 0..<7: sit(student)
        case 7..<10: practise(student)
        case 10..<14: pay(student)
        case 14: sign(student)
        case 15: presume(student)
        case 16: feature(student)
        default: returnTo(script.one(of: sittings.suffix(4) + [("exam", "EX-0", student)]))
        }
    }

    private mutating func device() -> String { script.one(of: ["D-1", "D-1", "D-2"]) }

    /// An exam from its start to one of its ends, with tricks in between.
    private mutating func sit(_ student: String) {
        let exam = script.id("EX")
        let by = "student:\(student)"
        sittings.append(("exam", exam, student))
        script.tell(
            "exam.start", by: by, device: device(), #""student":"\#(student)","exam":"\#(exam)""#)
        script.pass([1, 5])
        deliver(exam, "exam", Self.categories)
        for _ in 0..<script.below(7) {
            script.pass([1, 30, 200])
            answer("exam", exam, by)
            if script.chance(15) { void("exam", exam, by) }
        }
        let named = #""exam":"\#(exam)""#
        if script.chance(20) {
            script.tell("exam.leave", by: by, named)
            script.pass([10, 3_600, 40_000])
            script.tell("exam.resume", by: by, named)
            answer("exam", exam, by)
        }
        switch script.below(8) {
        case 0..<4: submit("exam", exam, by)
        case 4:
            // After its deadline, with answers and an end that lie before it.
            let end = script.now + 600
            script.now = script.now + script.one(of: [4_000, 30_000, 90_000])
            script.tell(
                "exam.submit", by: by, device: device(),
                [
                    ("exam", .string(exam)), ("finishedAt", .string("\(end)")),
                    ("answers", answers(2, about: end)),
                ])
        case 5: script.tell("exam.abandon", by: by, named)
        case 6: script.tell("exam.leave", by: by, named)
        default: break
        }
    }

    private mutating func practise(_ student: String) {
        let practice = script.id("PR")
        let by = "student:\(student)"
        sittings.append(("practice", practice, student))
        let count = script.one(of: [2, 2, 2, 6])
        let named = script.chance(90) ? #""geometry""# : #""geometry","basic_operations""#
        script.tell(
            "practice.start", by: by, device: device(),
            #""student":"\#(student)","practice":"\#(practice)","section":"quantitative","categories":[\#(named)],"difficulty":"medium","questions":\#(count)"#
        )
        deliver(
            practice, "practice", Array(repeating: ("geometry", "quantitative"), count: count))
        for _ in 0..<script.below(4) {
            script.pass([1, 300, 5_000])
            answer("practice", practice, by)
            if script.chance(20) { void("practice", practice, by) }
        }
        script.pass([1, 600, 400_000])
        switch script.below(4) {
        case 0: script.tell("practice.leave", by: by, #""practice":"\#(practice)""#)
        default: submit("practice", practice, by)
        }
    }

    /// Something more for what was begun, perhaps ended, before; by either account.
    private mutating func returnTo(_ sitting: (kind: String, id: String, student: String)) {
        let by = "student:\(script.chance(90) ? sitting.student : "S-2")"
        let named = #""\#(sitting.kind)":"\#(sitting.id)""#
        switch script.below(6) {
        case 0, 1: answer(sitting.kind, sitting.id, by)
        case 2: submit(sitting.kind, sitting.id, by)
        case 3: script.tell("\(sitting.kind).leave", by: by, named)
        case 4: script.tell(script.one(of: ["exam.resume", "exam.abandon"]), by: by, named)
        default: void(sitting.kind, sitting.id, by)
        }
    }

    private mutating func answer(_ kind: String, _ id: String, _ by: String) {
        let list = answers(1 + script.below(4), about: script.now)
        script.tell(
            "\(kind).answer", by: by, device: device(), [(kind, .string(id)), ("answers", list)])
    }

    private mutating func submit(_ kind: String, _ id: String, _ by: String) {
        let at = script.chance(70) ? script.now : moment(script.now)
        script.tell(
            "\(kind).submit", by: by, device: device(),
            [
                (kind, .string(id)), ("finishedAt", .string("\(at)")),
                ("answers", script.chance(50) ? .array([]) : answers(2, about: at)),
            ])
    }

    private mutating func void(_ kind: String, _ id: String, _ by: String) {
        script.tell(
            "question.void", by: by,
            #""of":"\#(kind)","id":"\#(id)","question":"q\#(script.chance(60) ? 2 : 1 + script.below(8))""#
        )
    }

    private mutating func moment(_ about: Instant) -> Instant {
        about + script.one(of: [-100_000, -7_200, -600, -30, -1, 0, 1, 5_000])
    }

    private mutating func answers(_ count: Int, about: Instant) -> JSON {
        .array(
            (0..<count).map { _ in
                let choice: JSON = script.below(5) == 0 ? .null : .integer(Int64(script.below(4)))
                let at = script.chance(50) ? about : moment(about)
                return JSON.object(of: [
                    ("question", .string("q\(1 + script.below(script.chance(50) ? 2 : 8))")),
                    ("choice", choice), ("answeredAt", .string("\(at)")),
                    ("seconds", .integer(script.one(of: [0, 60, 1_000_000_000]))),
                ])
            })
    }

    // MARK: Paying, signing in, what is for some only

    /// A checkout, perhaps paid; what becomes due is sometimes paid, too. The provider tells some of it twice.
    private mutating func pay(_ student: String) {
        let by = "student:\(student)"
        let own = #""student":"\#(student)""#
        switch script.below(6) {
        case 0, 1:
            let checkout = #"\#(own),"checkout":"\#(script.id("CO"))""#
            script.tell("checkout.begin", by: by, checkout)
            script.tell("checkout.confirm", by: by, checkout)
            let kind = script.one(of: ["checkout-paid", "checkout-paid", "checkout-failed"])
            if script.chance(70) { report(#"\#(checkout),"kind":"\#(kind)","reason":"r""#) }
        case 2:
            guard !reports.isEmpty else { return }
            let again = script.one(of: reports)
            var data = again.data.members ?? []
            if script.chance(30), let place = data.firstIndex(where: { $0.name == "kind" }) {
                data[place].value = .string("checkout-paid")
            }
            script.tell("payment.report", by: again.by, data.map { ($0.name, $0.value) })
        case 3: script.tell("subscription.cancel", by: by, own)
        default:
            guard let due = renewals.last else { return }
            let end = Instant(due.period)
            if end > script.now { script.now = end + 60 }
            if script.chance(50) { script.pass([1, 90_000, 400_000]) }
            report(
                #""student":"\#(due.student)","kind":"\#(script.one(of: ["renewal-paid", "renewal-failed"]))","period":"\#(due.period)","attempt":\#(due.attempt),"reason":"r""#
            )
        }
    }

    private mutating func report(_ data: String) {
        let members = (try? JSON(parsing: Array("{\(data)}".utf8)))?.members ?? []
        let command = script.command(
            "payment.report", by: "service:pay",
            members.map { ($0.name, $0.value) } + [
                ("providerEvent", .string(script.id("PE"))),
                ("occurredAt", .string("\(script.now)")),
                ("signatureVerified", .bool(true)),
            ])
        reports.append(command)
        script.tell(command)
    }

    private mutating func sign(_ student: String) {
        if script.chance(60) || sessions.isEmpty {
            open(student)
        } else {
            let session = script.one(of: sessions)
            script.tell(
                "session.close", by: "student:\(session.student)", #""session":"\#(session.id)""#)
        }
    }

    private mutating func open(_ student: String) {
        let session = script.id("SE")
        sessions.append((session, student))
        signed.insert(student)
        script.tell(
            "session.open", by: "service:s", device: device(),
            #""session":"\#(session)","email":"\#(student)@example.sa","passwordDigest":"\#(digest("p"))""#
        )
    }

    /// What only a service or an admin may send.
    private mutating func presume(_ student: String) {
        let own = #""student":"\#(student)""#
        let (name, data) = script.one(of: [
            (
                "payment.report",
                #"\#(own),"providerEvent":"E","kind":"checkout-paid","occurredAt":"\#(script.now)","signatureVerified":true,"checkout":"CO""#
            ),
            ("policy.adopt", #""changes":{"free.examsPerWeek":null}"#),
            (
                "session.open",
                #""session":"X","email":"s@example.sa","passwordDigest":"\#(digest("p"))""#
            ),
            (
                "generation.fail",
                #""of":"exam","id":"\#(sittings.last?.id ?? "E")","reason":"provider-error","attempts":1"#
            ),
            ("quota.report", #""usedPercent":0,"resetsAt":"\#(script.now)""#),
        ])
        script.tell(name, by: "student:\(student)", data)
    }

    private mutating func feature(_ student: String) {
        let own = #""student":"\#(student)""#
        let (name, data) = script.one(of: [
            ("report.export", #"\#(own),"report":"\#(script.id("R"))""#),
            (
                "study.schedule",
                #"\#(own),"study":"\#(script.id("ST"))","startsAt":"\#(script.now + 90_000)","repeat":"daily""#
            ),
        ])
        script.tell(name, by: "student:\(student)", data)
    }

    // MARK: What a generator delivers

    private mutating func deliver(_ id: String, _ kind: String, _ categories: [(String, String)]) {
        var members: [(String, JSON)] = [
            (kind, .string(id)), ("attempt", .integer(1)),
            (
                "questions",
                .array(categories.enumerated().map { question($0 + 1, $1.0, $1.1, id) })
            ),
        ]
        if kind == "exam" {
            let passage = [("passage", JSON.string("P-1")), ("text", .string("نص"))]
            members.append(("passages", .array([.object(of: passage)])))
        }
        script.tell("\(kind).deliver", by: "service:g", members)
    }

    private func question(
        _ n: Int, _ category: String, _ section: String, _ sitting: String
    ) -> JSON {
        var members: [(String, JSON)] = [
            ("question", .string("q\(n)")), ("section", .string(section)),
            ("category", .string(category)), ("difficulty", .string("medium")),
            ("text", .string("س")),
            ("options", .array(["أ", "ب", "ج", "د"].map { .string($0) })),
            ("answer", .integer(Int64(n % 4))), ("explanation", .string("شرح")),
            ("recommendedSeconds", .integer(60)),
            ("contentHash", .string(digest("\(sitting) \(n)"))),
        ]
        if category == "geometry" {
            members.append(
                ("image", .object(of: [("status", .string("failed")), ("alt", .string("مثلث"))])))
        }
        if category == "reading_comprehension" { members.append(("passage", .string("P-1"))) }
        return .object(of: members)
    }

    mutating func see(_ outcome: Outcome, of command: TestCommand) {
        for event in outcome.recorded {
            let fact = PastFact(event.document)
            let student = fact.text("student")
            switch fact.name {
            case "renewal.requested":
                renewals.append((student, fact.text("period"), fact.number("attempt")))
            case "trial.started": renewals.append((student, fact.text("endsAt"), 1))
            case "subscription.activated", "subscription.renewed":
                renewals.append((student, fact.text("periodEnd"), 1))
            default: break
            }
        }
    }
}
