import Core
import Engine
import LearnableEvents
import TestSupport
import Testing

/// Two accounts of one learner, on two devices, who try whatever they may send to get more than is due; the AI
/// service answers what they ask it for.
private struct DishonestLearner {
    private var random: SplitMix64
    private var now = Instant("2026-03-20T06:00:00Z")
    private var commands: [TestCommand] = []
    private var last = 0
    private var subjects: [(id: String, student: String)] = []
    private var questions: [(id: String, student: String)] = []
    private var quizzes: [(id: String, student: String)] = []
    private var offers: [String] = []

    private static let zones = ["Europe/Berlin", "Pacific/Kiritimati", "America/Los_Angeles"]
    private static let topics = ["1.1", "1.2", "2.1"]

    static func life(seed: UInt64, count: Int = 260) -> [TestCommand] {
        var learner = DishonestLearner(random: SplitMix64(seed: seed))
        learner.stage()
        for _ in 0..<count { learner.act() }
        return learner.commands
    }

    private init(random: SplitMix64) { self.random = random }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    private mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    private mutating func id(_ prefix: String) -> String {
        last += 1
        return "\(prefix)-\(last)"
    }

    /// `data` is JSON without its braces.
    private mutating func tell(
        _ command: String, by: String, device: String? = nil, _ data: String
    ) {
        let members = (try? JSON(parsing: Array("{\(data)}".utf8)))?.members ?? []
        commands.append(
            TestCommand(
                id("c"), "learnable.\(command)", at: now, by: by, device: device,
                members.map { ($0.name, $0.value) }))
    }

    private mutating func stage() {
        let access = pick(["whole-app", "premium-features"])
        let levels = (1...4).map { #""levels.\#($0).correctToAdvance":1"# }.joined(separator: ",")
        let short = (1...4).map { #""levels.\#($0).minDays":1,"levels.\#($0).maxDays":1"# }
        tell(
            "policy.adopt", by: "system",
            #""changes":{"access.afterTrial":"\#(access)","subjects.freeLimit":2,"trial.days":30,\#(levels),\#(short.joined(separator: ",")),"mastered.everyDays":2}"#
        )
        for student in ["S-1", "S-2"] {
            tell(
                "student.join", by: "student:\(student)", device: student == "S-1" ? "D-1" : nil,
                #""student":"\#(student)","timeZone":"Europe/Berlin""#)
            addSubject(of: student)
        }
        for _ in 0..<3 { finishTopics() }
    }

    private mutating func act() {
        now = now + Int64([0, 60, 3_600, 30_000, 40_000][below(5)])
        let student = pick(["S-1", "S-1", "S-2"])
        let by = "student:\(student)"
        let own = #""student":"\#(student)""#
        switch below(30) {
        case 0..<3: tell("app.open", by: by, device: pick(["D-1", "D-2", "D-3"]), own)
        case 3..<8: takeDaily(student)
        case 8: answer(student)
        case 9: tell("student.relocate", by: by, #"\#(own),"timeZone":"\#(pick(Self.zones))""#)
        case 10..<13:
            guard !questions.isEmpty else { return }
            let question = pick(Array(questions.prefix(3))).id
            let command = pick([
                "question.delete", "recurrence.disable", "recurrence.disable", "recurrence.enable",
            ])
            let more = command == "question.delete" ? #","confirmed":true"# : ""
            tell(command, by: by, #""question":"\#(question)"\#(more)"#)
        case 13: tell("quiz.skip", by: by, own)
        case 14: takeOptional(student)
        case 15:
            let from = now + Int64([-90_000, -3_600, -600, 600][below(4)])
            let to = from + Int64([60, 600, 7_200, 43_200][below(4)])
            tell(
                "study.record", by: by,
                #"\#(own),"activity":"lecture","from":"\#(from)","to":"\#(to)""#)
        case 16: addSubject(of: student)
        case 17: finishTopics()
        case 18: publish(student)
        case 19: acquire(student)
        case 20:
            let other = id("S")
            tell(
                "student.join", by: "student:\(other)", device: pick(["D-1", "D-2", "D-3"]),
                #""student":"\#(other)","timeZone":"Europe/Berlin""#)
        case 21:
            // What only the payment service may send.
            tell(
                pick(["subscription.activate", "subscription.renew"]), by: by,
                #"\#(own),"plan":"P","paidUntil":"2030-01-01T00:00:00Z","payment":"PAY""#)
        case 22:
            guard below(8) == 0 else { return }
            tell("student.start-over", by: by, #"\#(own),"confirmed":true"#)
        case 23..<29: takeDaily(student)
        default:
            guard let subject = subjects.last, below(3) == 0 else { return }
            tell("subject.delete", by: by, #""subject":"\#(subject.id)","confirmed":true"#)
        }
    }

    private mutating func addSubject(of student: String) {
        let by = "student:\(student)"
        let subject = id("SU")
        let named = #""draft":"\#(id("DR"))""#
        tell("draft.start", by: by, #""student":"\#(student)",\#(named)"#)
        tell("draft.describe", by: by, #"\#(named),"description":"Numbers""#)
        tell("curriculum.request", by: by, named)
        tell(
            "curriculum.propose", by: "service:ai",
            #"\#(named),"request":1,"title":"T","chapters":[{"title":"A","topics":["a","b"]},{"title":"B","topics":["c"]}]"#
        )
        tell("tone.choose", by: by, #"\#(named),"preset":"eli5""#)
        tell(
            "add-ons.choose", by: by,
            #"\#(named),"engagementQuestion":false,"endingProject":false,"reinforcement":true"#)
        tell("generation.request", by: by, #"\#(named),"subject":"\#(subject)""#)
        for topic in Self.topics {
            tell(
                "topic.deliver", by: "service:ai",
                #""subject":"\#(subject)","topic":"\#(topic)","blocks":[{"kind":"text","text":"Read."}]"#
            )
        }
        subjects.append((subject, student))
    }

    private mutating func finishTopics() {
        let (subject, student) = pick(subjects)
        let topic = #""subject":"\#(subject)","topic":"\#(pick(Self.topics))""#
        tell("topic.open", by: "student:\(student)", topic)
        tell("topic.complete", by: "student:\(student)", topic)
        let made = [id("Q"), id("Q")]
        questions += made.map { ($0, student) }
        let list = made.map { Lessons.question($0) }.joined(separator: ",")
        tell("question.pool", by: "service:ai", #"\#(topic),"questions":[\#(list)]"#)
    }

    private mutating func takeDaily(_ student: String) {
        let quiz = id("QZ")
        quizzes.append((quiz, student))
        tell(
            "quiz.begin", by: "student:\(student)",
            #""student":"\#(student)","quiz":"\#(quiz)","kind":"daily""#)
        answer(student, in: quiz)
    }

    private mutating func takeOptional(_ student: String) {
        let quiz = id("QZ")
        quizzes.append((quiz, student))
        tell(
            "quiz.begin", by: "student:\(student)",
            #""student":"\#(student)","quiz":"\#(quiz)","kind":"optional""#)
        answer(student)
    }

    /// Answers in one of the last quizzes, some questions twice, and sometimes not all.
    private mutating func answer(_ student: String, in begun: String? = nil) {
        let open = Array(quizzes.filter { $0.student == student }.suffix(3))
        guard !open.isEmpty else { return }
        let quiz = begun ?? pick(open).id
        let leavesSome = below(4) == 0
        for question in questions where question.student == student {
            if leavesSome, below(2) == 0 { continue }
            let named = #""quiz":"\#(quiz)","question":"\#(question.id)""#
            let isRight = below(4) > 0
            let by = "student:\(student)"
            for device in ["D-1", "D-2"].prefix(1 + below(2)) {
                tell(
                    "quiz.answer", by: by, device: device,
                    #"\#(named),"choice":\#(isRight ? 0 : 1)"#)
                tell("quiz.answer", by: by, device: device, #"\#(named),"answer":"Words""#)
                tell(
                    "quiz.self-assess", by: by, device: device, #"\#(named),"correct":\#(isRight)"#)
            }
        }
    }

    private mutating func publish(_ student: String) {
        guard let subject = subjects.last(where: { $0.student == student }) else { return }
        let offer = id("OF")
        offers.append(offer)
        tell(
            "offer.publish", by: "student:\(student)",
            #""offer":"\#(offer)","subject":"\#(subject.id)","price":{"amount":\#(pick([0, 500])),"currency":"EUR"},"summary":"s""#
        )
    }

    /// With no payment, or one that the buyer says was made.
    private mutating func acquire(_ student: String) {
        guard !offers.isEmpty else { return }
        let payment =
            below(2) == 0
            ? "" : #","payment":{"reference":"P-1","amount":500,"currency":"EUR"}"#
        tell(
            "offer.acquire", by: "student:\(student)",
            #""offer":"\#(pick(offers))","student":"\#(student)","subject":"\#(id("SU"))"\#(payment)"#
        )
    }
}

/// What the events of such a life must not show.
private enum Gains {
    /// R5, R7, R8: one trial an account and a device, of the policy's length, and no paid time.
    static func access(_ life: LearnedLife) -> String? {
        var accounts: Set<String> = []
        var devices: Set<String> = []
        for event in life.events {
            if event.type.hasPrefix("learnable.subscription.") { return "paid: \(event.text)" }
            guard event.type == "learnable.trial.started" else { continue }
            if !accounts.insert(event.student).inserted { return "two trials: \(event.text)" }
            if !devices.insert(event.text("device")).inserted { return "again: \(event.text)" }
            if event.instant("endsAt") != event.at + 30 * 86_400 { return "long: \(event.text)" }
        }
        return nil
    }

    /// R6: without access nothing is made under `whole-app`, and no more than the limit under `premium-features`.
    static func limits(_ life: LearnedLife) -> String? {
        var ends: [String: Instant] = [:]
        var held: [String: Set<String>] = [:]
        let isWholeApp = life.events.contains {
            $0.type == "learnable.policy.adopted" && $0.text.contains(#""whole-app""#)
        }
        let app: Set = [
            "learnable.topic.completed", "learnable.quiz.begun", "learnable.draft.submitted",
            "learnable.subject.acquired",
        ]
        for event in life.events {
            switch event.type {
            case "learnable.trial.started": ends[event.student] = event.instant("endsAt")
            case "learnable.student.started-over": held[event.student] = []
            case "learnable.subject.deleted": held[event.student]?.remove(event.thing)
            case "learnable.generation.requested":
                held[event.student, default: []].insert(event.thing)
                let hasAccess = event.at < ends[event.student] ?? .epoch
                let count = held[event.student]?.count ?? 0
                if !hasAccess, isWholeApp || count > 2 { return "beyond: \(event.text)" }
            case "learnable.offer.published":
                if event.at >= ends[event.student] ?? .epoch { return "sold: \(event.text)" }
            default: break
            }
            if isWholeApp, app.contains(event.type), event.at >= ends[event.student] ?? .epoch {
                return "without access: \(event.text)"
            }
        }
        return nil
    }

    /// R20, R21, R28, R29: one quiz a day, one verdict a question and quiz, and no step before its day.
    static func steps(_ life: LearnedLife) -> String? {
        var due: [String: Int] = [:]
        var answered: Set<String> = []
        var days: Set<String> = []
        for event in life.events {
            switch event.type {
            case "learnable.quiz.answered", "learnable.quiz.self-assessed":
                let key = "\(event.type) \(event.thing) \(event.text("question"))"
                if !answered.insert(key).inserted { return "twice: \(event.text)" }
            case "learnable.quiz.completed" where event.text("kind") == "daily":
                let key = "\(event.student) \(event.text("day"))"
                if !days.insert(key).inserted { return "two a day: \(event.text)" }
            case "learnable.student.started-over":
                days = days.filter { !$0.hasPrefix("\(event.student) ") }
            default:
                guard event.isQuestion, event.data["due"] != nil else { continue }
                if event.data["quiz"] != nil, event.day("day") < due[event.thing] ?? .max {
                    return "early: \(event.text)"
                }
                due[event.thing] = event.day("due")
            }
        }
        return nil
    }

    /// R32: a streak goes on over no day on which something was due.
    static func streaks(_ life: LearnedLife) -> String? {
        var zones: [String: String] = [:]
        var subjects: [String: String] = [:]
        var due: [String: (student: String, day: Int)] = [:]
        var missed: [String: Set<Int>] = [:]
        var last: [String: (day: Int, streak: Int)] = [:]
        /// From its due date to the day before it was judged or taken away, a question was due.
        func leave(_ question: String, on day: Int) {
            guard let entry = due.removeValue(forKey: question), entry.day < day else { return }
            missed[entry.student, default: []].formUnion(entry.day..<day)
        }
        func today(_ event: PastFact) -> Int {
            let zone = TimeZones.zone(named: zones[event.student] ?? "") ?? .utc
            return Int(zone.localDate(at: event.at).days)
        }
        for event in life.events {
            switch event.type {
            case "learnable.student.joined": zones[event.student] = event.text("timeZone")
            case "learnable.student.relocated": zones[event.student] = event.text("to")
            case "learnable.question.deleted", "learnable.recurrence.disabled":
                leave(event.thing, on: today(event))
            case "learnable.subject.deleted":
                for (question, subject) in subjects where subject == event.thing {
                    leave(question, on: today(event))
                }
            case "learnable.student.started-over":
                due = due.filter { $0.value.student != event.student }
                (missed[event.student], last[event.student]) = (nil, nil)
            case "learnable.quiz.completed" where event.text("kind") == "daily":
                let day = event.day("day")
                let streak = event.number("streak")
                if let before = last[event.student], day > before.day {
                    let between = Set(before.day + 1..<day)
                    let open = due.values.contains {
                        $0.student == event.student && $0.day < day && !between.isEmpty
                    }
                    let gap = between.intersection(missed[event.student] ?? [])
                    if streak > 1, !gap.isEmpty || open { return "\(gap.sorted()): \(event.text)" }
                }
                if day >= last[event.student]?.day ?? .min { last[event.student] = (day, streak) }
            default:
                guard event.isQuestion, event.data["due"] != nil else { continue }
                leave(event.thing, on: event.day("day"))
                if event.type == "learnable.question.pooled" {
                    subjects[event.thing] = event.text("subject")
                }
                due[event.thing] = (event.student, event.day("due"))
            }
        }
        return nil
    }

    /// R35: nobody studied longer than time went by.
    static func study(_ life: LearnedLife) -> String? {
        var seconds: [String: Int64] = [:]
        var began: [String: Instant] = [:]
        for event in life.events {
            switch event.type {
            case "learnable.student.joined", "learnable.student.started-over":
                (began[event.student], seconds[event.student]) = (event.at, 0)
            case "learnable.study.recorded":
                seconds[event.student, default: 0] += Int64(event.number("seconds"))
                let passed = event.at.milliseconds(since: began[event.student] ?? event.at) / 1000
                if seconds[event.student] ?? 0 > passed { return "more than time: \(event.text)" }
            default: break
            }
        }
        return nil
    }

    /// R41, R42: what costs something is not had for nothing, nor twice, nor of one's own; nothing is earned by it.
    static func shop(_ life: LearnedLife) -> String? {
        for event in life.events where event.type == "learnable.offer.acquired" {
            if event.data["price"]?["amount"]?.wholeNumber != 0 { return "unpaid: \(event.text)" }
            if event.number("authorAmount") != 0 { return "earned: \(event.text)" }
            if event.student == event.text("buyer") { return "own: \(event.text)" }
        }
        return nil
    }

    static let all: [(name: String, law: @Sendable (LearnedLife) -> String?)] = [
        ("access", access), ("limits", limits), ("steps", steps), ("streaks", streaks),
        ("study", study), ("shop", shop),
    ]
}

@Suite struct `A dishonest learner` {
    private static let seeds = UInt64(5200)..<5212
    private static let doctored = [
        "trial.started", "quiz.answered", "question.scheduled", "quiz.completed",
        "study.recorded", "offer.acquired",
    ]

    @Test(
        "R5-R8, R20, R21, R28, R32, R35, R41: gains no access, step, streak, time or copy",
        arguments: seeds)
    func gainsNothing(seed: UInt64) {
        let failure = Law.failure(seed: seed, DishonestLearner.life(seed: seed)) { commands in
            let life = try LearnedLife(commands)
            return Gains.all.lazy.compactMap { law in law.law(life).map { "\(law.name): \($0)" } }
                .first
        }
        if let failure { Issue.record(Comment(rawValue: failure)) }
    }

    /// What the lives reach, so that the laws have something to look at.
    @Test func `gets far enough to try`() throws {
        var reached: [String: Int] = [:]
        for seed in Self.seeds {
            let events = try LearnedLife(DishonestLearner.life(seed: seed)).events
            for event in events { reached[event.type, default: 0] += 1 }
            let streaks = events.filter { $0.type == "learnable.quiz.completed" }
            reached["streak", default: 0] += streaks.count { $0.number("streak") > 1 }
        }
        for type in [
            "trial.started", "trial.refused", "trial.ended", "student.relocated", "quiz.completed",
            "quiz.lapsed", "quiz.abandoned", "quiz.skipped", "question.advanced",
            "question.mastered", "question.deleted",
            "study.recorded", "offer.acquired", "subject.deleted", "student.started-over",
        ] {
            #expect(reached["learnable.\(type)", default: 0] > 0, "\(type)")
        }
        #expect(reached["streak", default: 0] > 5)
    }

    @Test func `that did gain something is found out`() throws {
        // A life in which each of these happened.
        let wanted = Set(Self.doctored.map { "learnable.\($0)" })
        var found: LearnedLife?
        for seed in Self.seeds where found == nil {
            let life = try LearnedLife(DishonestLearner.life(seed: seed))
            if wanted.isSubset(of: life.events.map(\.type)) { found = life }
        }
        let life = try #require(found)
        func doctored(_ type: String, _ field: String, _ value: JSON) -> LearnedLife {
            life.telling { event in
                event.type == "learnable.\(type)" ? [event.with(field, value)] : [event]
            }
        }
        func twice(_ type: String) -> LearnedLife {
            life.telling { $0.type == "learnable.\(type)" ? [$0, $0] : [$0] }
        }
        #expect(Gains.access(twice("trial.started")) != nil)
        #expect(
            Gains.limits(doctored("trial.started", "endsAt", .string("2026-03-20T06:00:01Z")))
                != nil)
        #expect(Gains.steps(twice("quiz.answered")) != nil)
        #expect(Gains.steps(doctored("question.scheduled", "day", .string("2026-03-01"))) != nil)
        #expect(Gains.streaks(doctored("quiz.completed", "streak", .integer(9))) != nil)
        #expect(Gains.study(doctored("study.recorded", "seconds", .integer(90_000_000))) != nil)
        #expect(
            Gains.shop(doctored("offer.acquired", "authorAmount", .integer(500))) != nil)
    }
}
