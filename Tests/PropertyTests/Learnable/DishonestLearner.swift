import Core
import Engine
import TestSupport

/// Two accounts of one learner, on two devices, who try whatever they may send to get more than is due; the AI
/// service answers what they ask it for.
struct DishonestLearner: DishonestActor {
    static let product = "learnable"
    static let begin = Instant("2026-03-20T06:00:00Z")
    static let actors: Set = ["student:S-1", "student:S-2"]
    private static let zones = ["Europe/Berlin", "Pacific/Kiritimati", "America/Los_Angeles"]
    private static let topics = ["1.1", "1.2", "2.1"]

    var script: Script
    private var subjects: [(id: String, student: String)] = []
    private typealias Quiz = (id: String, pages: [(question: String, isChoice: Bool)])
    /// What is due when, of whom.
    private var due: [String: (student: String, day: String)] = [:]
    private var mastered: Set<String> = []
    private var open: [String: Quiz] = [:]
    private var last: [String: Quiz] = [:]
    private var offers: [String] = []

    init(script: Script) { self.script = script }

    mutating func stage() {
        let access = script.one(of: ["whole-app", "premium-features"])
        let levels = (1...4).map { #""levels.\#($0).correctToAdvance":1"# }.joined(separator: ",")
        let short = (1...4).map { #""levels.\#($0).minDays":1,"levels.\#($0).maxDays":1"# }
        script.tell(
            "policy.adopt", by: "system",
            #""changes":{"access.afterTrial":"\#(access)","subjects.freeLimit":2,"trial.days":30,\#(levels),\#(short.joined(separator: ",")),"mastered.everyDays":2}"#
        )
        for student in ["S-1", "S-2"] {
            script.tell(
                "student.join", by: "student:\(student)", device: student == "S-1" ? "D-1" : nil,
                #""student":"\#(student)","timeZone":"Europe/Berlin""#)
            addSubject(of: student)
        }
        for _ in 0..<3 { finishTopics() }
    }

    mutating func act() {
        script.pass([0, 60, 3_600, 30_000, 40_000])
        let student = script.one(of: ["S-1", "S-1", "S-2"])
        let by = "student:\(student)"
        let own = #""student":"\#(student)""#
        switch script.below(34) {
        case 0..<2: open(student)
        case 2..<14: takeDaily(student)
        case 14:
            script.tell(
                "student.relocate", by: by,
                #"\#(own),"timeZone":"\#(script.one(of: Self.zones))""#)
            takeDaily(student)
        case 15..<19: removeDue(student)
        case 19:
            // Days later, in the quiz of before.
            script.pass([100_000, 200_000])
            takeDaily(student)
        case 20: script.tell("quiz.skip", by: by, own)
        case 21: takeOptional(student)
        case 22:
            let from = script.now + script.one(of: [-90_000, -3_600, -600, 600])
            let to = from + script.one(of: [60, 600, 7_200, 43_200])
            script.tell(
                "study.record", by: by,
                #"\#(own),"activity":"lecture","from":"\#(from)","to":"\#(to)""#)
        case 23: addSubject(of: student)
        case 24..<27: for _ in 0..<3 { finishTopics() }
        case 27: publish(student)
        case 28: acquire(student)
        case 29:
            let other = script.id("S")
            script.tell(
                "student.join", by: "student:\(other)", device: device(),
                #""student":"\#(other)","timeZone":"Europe/Berlin""#)
        case 30:
            // What only the payment service may send.
            script.tell(
                script.one(of: ["subscription.activate", "subscription.renew"]), by: by,
                #"\#(own),"plan":"P","paidUntil":"2030-01-01T00:00:00Z","payment":"PAY""#)
        case 31:
            guard script.below(8) == 0 else { return }
            script.tell("student.start-over", by: by, #"\#(own),"confirmed":true"#)
        case 32: answer(student, again: true)
        default:
            guard let subject = subjects.last, script.below(3) == 0 else { return }
            script.tell("subject.delete", by: by, #""subject":"\#(subject.id)","confirmed":true"#)
        }
    }

    private mutating func device() -> String { script.one(of: ["D-1", "D-2", "D-3"]) }

    private mutating func open(_ student: String) {
        script.tell(
            "app.open", by: "student:\(student)", device: device(), #""student":"\#(student)""#)
    }

    /// Lets days go by and takes away what was due on them.
    private mutating func removeDue(_ student: String) {
        script.pass([0, 60, 100_000, 200_000, 300_000])
        let today = "\(script.now)".prefix(10)
        let by = "student:\(student)"
        for (question, entry) in due.sorted(by: { $0.key < $1.key }) {
            guard entry.student == student, entry.day < today || script.chance(20) else { continue }
            let named = #""question":"\#(question)""#
            if mastered.contains(question) {
                let command = script.one(of: ["disable", "disable", "enable"])
                script.tell("recurrence.\(command)", by: by, named)
            } else if script.chance(20) {
                script.tell("question.delete", by: by, #"\#(named),"confirmed":true"#)
            }
        }
        takeDaily(student)
    }

    private mutating func addSubject(of student: String) {
        let by = "student:\(student)"
        let subject = script.id("SU")
        let named = #""draft":"\#(script.id("DR"))""#
        script.tell("draft.start", by: by, #""student":"\#(student)",\#(named)"#)
        script.tell("draft.describe", by: by, #"\#(named),"description":"Numbers""#)
        script.tell("curriculum.request", by: by, named)
        script.tell(
            "curriculum.propose", by: "service:ai",
            #"\#(named),"request":1,"title":"T","chapters":[{"title":"A","topics":["a","b"]},{"title":"B","topics":["c"]}]"#
        )
        script.tell("tone.choose", by: by, #"\#(named),"preset":"eli5""#)
        script.tell(
            "add-ons.choose", by: by,
            #"\#(named),"engagementQuestion":false,"endingProject":false,"reinforcement":true"#)
        script.tell("generation.request", by: by, #"\#(named),"subject":"\#(subject)""#)
        for topic in Self.topics {
            script.tell(
                "topic.deliver", by: "service:ai",
                #""subject":"\#(subject)","topic":"\#(topic)","blocks":[{"kind":"text","text":"Read."}]"#
            )
        }
        subjects.append((subject, student))
    }

    private mutating func finishTopics() {
        let (subject, student) = script.one(of: subjects)
        let topic = #""subject":"\#(subject)","topic":"\#(script.one(of: Self.topics))""#
        script.tell("topic.open", by: "student:\(student)", topic)
        script.tell("topic.complete", by: "student:\(student)", topic)
        let made = [script.id("Q"), script.id("Q")]
        let list = made.map { Lessons.question($0) }.joined(separator: ",")
        script.tell("question.pool", by: "service:ai", #"\#(topic),"questions":[\#(list)]"#)
    }

    /// Begins a daily quiz, or goes on in the one that is open.
    private mutating func takeDaily(_ student: String) {
        if open[student] != nil { return answer(student) }
        script.tell(
            "quiz.begin", by: "student:\(student)",
            #""student":"\#(student)","quiz":"\#(script.id("QZ"))","kind":"daily""#)
    }

    private mutating func takeOptional(_ student: String) {
        script.tell(
            "quiz.begin", by: "student:\(student)",
            #""student":"\#(student)","quiz":"\#(script.id("QZ"))","kind":"optional""#)
    }

    /// Answers in the open quiz, on one device or two, and sometimes not all; or once more in the last one.
    private mutating func answer(_ student: String, again: Bool = false) {
        guard let quiz = again ? last[student] : open[student] else { return }
        let leavesSome = script.chance(15)
        let by = "student:\(student)"
        for page in quiz.pages {
            if leavesSome, script.chance(50) { continue }
            let named = #""quiz":"\#(quiz.id)","question":"\#(page.question)""#
            let isRight = script.chance(85)
            for device in ["D-1", "D-2"].prefix(1 + script.below(2)) {
                if page.isChoice {
                    script.tell(
                        "quiz.answer", by: by, device: device,
                        #"\#(named),"choice":\#(isRight ? 0 : 1)"#)
                } else {
                    script.tell(
                        "quiz.answer", by: by, device: device, #"\#(named),"answer":"Words""#)
                    script.tell(
                        "quiz.self-assess", by: by, device: device,
                        #"\#(named),"correct":\#(isRight)"#)
                }
            }
        }
    }

    private mutating func publish(_ student: String) {
        guard let subject = subjects.last(where: { $0.student == student }) else { return }
        let offer = script.id("OF")
        offers.append(offer)
        script.tell(
            "offer.publish", by: "student:\(student)",
            #""offer":"\#(offer)","subject":"\#(subject.id)","price":{"amount":\#(script.one(of: [0, 500])),"currency":"EUR"},"summary":"s""#
        )
    }

    /// With no payment, or one that the buyer says was made.
    private mutating func acquire(_ student: String) {
        guard !offers.isEmpty else { return }
        let payment =
            script.below(2) == 0
            ? "" : #","payment":{"reference":"P-1","amount":500,"currency":"EUR"}"#
        script.tell(
            "offer.acquire", by: "student:\(student)",
            #""offer":"\#(script.one(of: offers))","student":"\#(student)","subject":"\#(script.id("SU"))"\#(payment)"#
        )
    }

    // MARK: What they see

    mutating func see(_ outcome: Outcome, of command: TestCommand) {
        for event in outcome.recorded {
            let fact = PastFact(event.document)
            let student = fact.text("student")
            switch fact.type {
            case "learnable.quiz.begun":
                let pages = (fact.data["questions"]?.array ?? []).map {
                    ($0["question"]?.string ?? "", $0["format"]?.string == "multiple-choice")
                }
                last[student] = (fact.thing, pages)
                if fact.text("kind") == "daily" { open[student] = last[student] }
            case "learnable.quiz.completed", "learnable.quiz.lapsed", "learnable.quiz.abandoned":
                if open[student]?.id == fact.thing { open[student] = nil }
            case "learnable.question.deleted": due[fact.thing] = nil
            case "learnable.student.started-over":
                due = due.filter { $0.value.student != student }
                open[student] = nil
            default:
                guard fact.isQuestion, fact.data["due"] != nil else { continue }
                due[fact.thing] = (student, fact.text("due"))
                if fact.type == "learnable.question.mastered" { mastered.insert(fact.thing) }
            }
        }
    }
}
