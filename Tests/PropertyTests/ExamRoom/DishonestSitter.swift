import Core
import Engine
import TestSupport

/// A student of ExamRoom with a device of their own, whose journal they forge: S-1. They know no answer before
/// the key was shown, and every one after: so what they have right, they were told. Option `a` is right.
struct DishonestSitter: DishonestActor {
    static let product = "examroom"
    static let begin = Instant("2026-02-02T08:00:00Z")
    static let by = "student:S-1"
    private static let zones = ["Asia/Riyadh", "Pacific/Kiritimati", "Pacific/Pago_Pago"]
    private static let exams = ["after", "instant", "window", "draft", "once"]
    static let limits = ["after": 8, "instant": 8, "window": 2, "draft": 2, "once": 1]

    var script: Script
    private typealias Attempt = (id: String, exam: String, from: Instant, to: Instant)
    private var attempts: [Attempt] = []
    /// Exams, of instant feedback questions, whose key was shown.
    private var known: Set<String> = []
    private var conflicts: [String] = []
    private var told: [TestCommand] = []
    private var end = 0
    /// Where this journal stood before publications: what a device away would have seen.
    private var before = 0

    init(script: Script) { self.script = script }

    private var recent: Attempt? {
        mutating get { attempts.isEmpty ? nil : script.one(of: attempts.suffix(4)) }
    }

    // MARK: What everybody else does

    mutating func stage() {
        register("A-1", "admin", by: "system")
        for student in ["S-1", "S-2"] { register(student, "student", by: "admin:A-1") }
        let awards = script.one(of: ["completion", "results"])
        script.tell(
            "policy.adopt", by: "admin:A-1",
            #""changes":{"awardsWhen":"\#(awards)","closeEndsAttempts":\#(script.chance(50)),"streakBadges":[3,4,5],"milestones":[100,300]}"#
        )
        for exam in Self.exams {
            let isInstant = exam == "instant"
            let window =
                exam == "window"
                ? #"{"opensAt":"2026-02-03T08:00:00Z","closesAt":"2026-02-06T08:00:00Z"}"#
                : #"{"opensAt":null,"closesAt":null}"#
            let limit = Self.limits[exam] ?? 1
            script.tell(
                "exam.create", by: "admin:A-1",
                #""exam":"\#(exam)","title":"T","durationMinutes":\#(isInstant ? 60 : 600),"maxAttempts":\#(limit),"feedback":"\#(isInstant ? "instant" : "after")","window":\#(window)"#
            )
            for question in 1...3 {
                script.tell(
                    "question.add", by: "admin:A-1",
                    #""exam":"\#(exam)","question":"Q-\#(question)","prompt":"P","options":[{"option":"a","text":"A","correct":true},{"option":"b","text":"B","correct":false}]"#
                )
            }
            if exam != "draft" {
                script.tell("exam.publish", by: "admin:A-1", #""exam":"\#(exam)""#)
            }
        }
    }

    private mutating func register(_ account: String, _ role: String, by: String) {
        script.tell(
            "account.register", by: by,
            #""account":"\#(account)","role":"\#(role)","name":"N","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}"#
        )
    }

    /// An admin at work, at this journal or away from it; settles what clashed against the student.
    private mutating func administrate() {
        let exam = script.one(of: Self.exams)
        let seat = #""exam":"\#(exam)","student":"S-1""#
        switch script.below(8) {
        case 0, 1: publish(exam)
        case 2: script.tell("results.withhold", by: "admin:A-1", #""exam":"\#(exam)""#)
        case 3: script.tell("student.block", by: "admin:A-1", seat)
        case 4: script.tell("student.unblock", by: "admin:A-1", seat)
        case 5:
            script.tell(
                script.one(of: ["extension.grant", "extension.revoke"]), by: "admin:A-1",
                #"\#(seat),"kind":"minutes","value":30"#)
        case 6:
            guard exam != "draft" else { return }
            script.tell(
                script.one(of: ["exam.withdraw", "exam.publish"]), by: "admin:A-1",
                #""exam":"\#(exam)""#)
        default:
            guard !conflicts.isEmpty else { return }
            let conflict = conflicts.removeFirst()
            script.tell(
                "conflict.resolve", by: "admin:A-1",
                #""conflict":"\#(conflict)","choice":"set-aside""#)
        }
    }

    private mutating func publish(_ exam: String) {
        let publication = script.command(
            "results.publish", by: "admin:A-1", [("exam", .string(exam))])
        if script.chance(60) {
            script.tell(publication)
        } else {
            merge([publication], of: "D-A", by: "service:hub", seen: end, later: 30)
        }
    }

    // MARK: What the student tries

    mutating func act() {
        script.pass([0, 20, 60, 600, 3_600, 20_000, 50_000])
        switch script.below(24) {
        case 0..<4: administrate()
        case 4..<6: sit()
        case 6..<11: if let answer = answer(to: recent, at: script.now) { script.tell(answer) }
        case 11:
            if let submission = submission(of: recent, at: script.now) { script.tell(submission) }
        case 12..<20: forge()
        case 20:
            script.tell(
                "profile.revise", by: Self.by,
                #""account":"S-1","timeZone":"\#(script.one(of: Self.zones))""#)
        case 21:
            if script.chance(40), let attempt = recent {
                script.tell("attempt.discard", by: Self.by, [("attempt", .string(attempt.id))])
            } else {
                rival()
            }
        default: presume()
        }
    }

    /// Begins an attempt here and answers it at once, all or some.
    private mutating func sit() {
        let begun = start(at: script.now)
        script.tell(begun)
        let attempt = Self.attempt(of: begun)
        for _ in 0..<script.below(5) {
            script.pass([1, 30, 200])
            if let answer = answer(to: attempt, at: script.now) { script.tell(answer) }
        }
        if script.chance(50), let end = submission(of: attempt, at: script.now) { script.tell(end) }
    }

    private mutating func start(at instant: Instant) -> TestCommand {
        let exam = script.one(of: [
            "after", "after", "instant", "instant", script.one(of: Self.exams),
        ])
        return script.command(
            "attempt.start", by: Self.by, at: instant,
            [
                ("attempt", .string(script.id("T"))), ("exam", .string(exam)),
                ("student", .string("S-1")),
            ])
    }

    private static func attempt(of start: TestCommand) -> Attempt {
        let at = start.at ?? .epoch
        return (start.data["attempt"]?.string ?? "", start.data["exam"]?.string ?? "", at, at)
    }

    private mutating func answer(to attempt: Attempt?, at instant: Instant) -> TestCommand? {
        guard let attempt else { return nil }
        let question = "Q-\(1 + script.below(3))"
        let isRight =
            known.contains(attempt.exam)
            || attempt.exam == "instant" && known.contains("instant \(question)")
        return script.command(
            "answer.save", by: Self.by, at: instant,
            [
                ("attempt", .string(attempt.id)), ("question", .string(question)),
                ("chosen", .array([.string(isRight ? "a" : "b")])),
                ("seconds", .integer(script.one(of: [0, 60, 1_000_000]))),
            ])
    }

    private mutating func submission(of attempt: Attempt?, at instant: Instant) -> TestCommand? {
        guard let attempt else { return nil }
        return script.command(
            "attempt.submit", by: Self.by, at: instant, [("attempt", .string(attempt.id))])
    }

    /// The journal of another device, made up: instants, what it had seen and its name as it suits.
    private mutating func forge() {
        var claimed: [TestCommand] = []
        var attempt = recent
        var clock = script.now - script.one(of: [0, 60, 3_600, 40_000, 90_000, 400_000])
        if let attempt, script.chance(80) {
            clock = script.one(of: [attempt.from, attempt.from + 1, attempt.to - 60, attempt.to])
        } else {
            let begun = start(at: clock)
            claimed.append(begun)
            attempt = Self.attempt(of: begun)
        }
        for _ in 0..<(1 + script.below(5)) {
            clock = clock + script.one(of: [0, 1, 30, 600])
            guard clock <= script.now else { break }
            let next =
                script.chance(25)
                ? submission(of: attempt, at: clock) : answer(to: attempt, at: clock)
            if let next { claimed.append(next) }
        }
        // Now and then what was told before.
        if script.chance(10), let again = told.last { claimed = [again] }
        guard !claimed.isEmpty else { return }
        told += claimed
        merge(
            claimed, of: script.one(of: ["D-1", "D-2", "D-3", "D-A"]), by: Self.by,
            seen: script.one(of: [0, before, end / 2, end, end]), later: 0)
    }

    private mutating func merge(
        _ commands: [TestCommand], of device: String, by: String, seen: Int, later: Int64
    ) {
        script.now = script.now + later
        script.tell(
            "device.merge", by: by,
            [
                ("device", .string(device)), ("batch", .string(script.id("B"))),
                ("seen", .integer(Int64(seen))), ("commands", .array(commands.map(\.inner))),
            ])
    }

    /// Somebody else's things, by the student's own name and by a batch.
    private mutating func rival() {
        let other = script.command(
            "attempt.start", by: "student:S-2",
            [
                ("attempt", .string(script.id("R"))), ("exam", .string("after")),
                ("student", .string("S-2")),
            ])
        if script.chance(50) {
            script.tell(other)
        } else {
            merge([other], of: "D-2", by: Self.by, seen: end, later: 0)
        }
    }

    /// What only an admin may do, told or hidden in a batch.
    private mutating func presume() {
        let attempt = attempts.last?.id ?? "T"
        let by = script.one(of: [Self.by, "admin:S-1", "service:S-1"])
        let seat = #""exam":"once","student":"S-1""#
        let (name, data) = script.one(of: [
            ("grade.modify", #""attempt":"\#(attempt)","score":3,"reason":"r""#),
            ("results.publish", #""exam":"after""#),
            ("student.unblock", seat),
            ("extension.grant", #"\#(seat),"kind":"minutes","value":60"#),
            ("policy.adopt", #""changes":{"pointsPerPercent":100}"#),
            ("exam.revise", #""exam":"once","changes":{"maxAttempts":null}"#),
            ("conflict.resolve", #""conflict":"\#(conflicts.last ?? "CF-1")","choice":"keep""#),
            (
                "account.register",
                #""account":"S-3","role":"admin","name":"N","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}"#
            ),
            ("import.apply", #""import":"I","document":{}"#),
        ])
        if script.chance(50) {
            script.tell(name, by: by, data)
        } else {
            let members = (try? JSON(parsing: Array("{\(data)}".utf8)))?.members ?? []
            let inner = script.command(name, by: by, members.map { ($0.name, $0.value) })
            merge([inner], of: "D-2", by: Self.by, seen: end, later: 0)
        }
    }

    // MARK: What they see

    mutating func see(_ outcome: Outcome, of command: TestCommand) {
        for event in outcome.recorded {
            end = max(end, Int(event.position.number))
            let fact = PastFact(event.document)
            switch fact.type {
            case "examroom.attempt.started" where fact.text("student") == "S-1":
                attempts.append(
                    (
                        fact.text("attempt"), fact.text("exam"), fact.instant("startedAt"),
                        fact.instant("deadline")
                    ))
            case "examroom.results.published":
                if known.insert(fact.text("exam")).inserted { before = end - 1 }
            case "examroom.answer.saved" where fact.data["feedback"]?.isNull == false:
                known.insert("instant \(fact.text("question"))")
            case "examroom.conflict.detected" where fact.text("resolution") == "choice":
                conflicts.append(fact.text("conflict"))
            default: break
            }
        }
    }
}
