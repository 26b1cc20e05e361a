import Engine
import Core
import LearnableEvents

/// Command lines of people who learn: each makes a subject, gets a pool of questions and takes a few
/// daily quizzes, some answers right and some wrong, so that levels and due dates vary (Learnable R18-R28).
///
/// The same numbers give the same lines.
struct PoolTraffic {
    let people: Int
    let questions: Int
    /// Before every id.
    private let prefix: String

    /// A quiz every ten days, of whose questions so many are answered.
    static let quizzes = 3
    private static let daysBetween = 10
    private static let answered = 20
    /// As many as one command may bring.
    private static let questionsOfTopic = 50

    private var random = SplitMix64(seed: 11)
    private var sent = 0
    /// Milliseconds since 1970; all that one round brings comes within its first hours.
    private var now: Int64 = 1_767_600_000_000

    init(people: Int, questions: Int, prefix: String = "") {
        self.people = people
        self.questions = questions
        self.prefix = prefix
    }

    private var topics: Int {
        max(1, (questions + Self.questionsOfTopic - 1) / Self.questionsOfTopic)
    }

    static func person(_ number: Int) -> String { "S-\(number)" }

    private func person(_ number: Int) -> String { prefix + Self.person(number) }

    /// The instant of the line that was made last, in milliseconds since 1970.
    var instant: Int64 { now }

    /// What follows comes at this instant.
    mutating func wait(until instant: Int64) { now = instant }

    private mutating func line(
        _ command: String, by: String, device: String? = nil, _ data: String
    ) -> [UInt8] {
        sent += 1
        now += 1
        let device = device.map { #""device":"\#($0)","# } ?? ""
        return Array(
            #"{"id":"\#(prefix)p-\#(sent)","command":"learnable.\#(command)","at":"\#(Instant(milliseconds: now))","by":"\#(by)",\#(device)"data":{\#(data)}}"#
                .utf8)
    }

    /// Due dates over two months, a level for each right answer, and no subscription needed.
    mutating func policy() -> [UInt8] {
        let levels = (1...4).map {
            #""levels.\#($0).minDays":1,"levels.\#($0).maxDays":60,"levels.\#($0).correctToAdvance":1,"levels.\#($0).formats":["multiple-choice"]"#
        }
        return line(
            "policy.adopt", by: "system",
            #""changes":{\#(levels.joined(separator: ",")),"trial.days":365,"reminder.quietAfterDays":0}"#
        )
    }

    /// A person's way to a full pool.
    mutating func filling(_ number: Int) -> [[UInt8]] {
        let person = person(number)
        let by = "student:\(person)"
        let draft = #""draft":"\#(prefix)D-\#(number)""#
        let subject = #""subject":"\#(prefix)U-\#(number)""#
        let student = #""student":"\#(person)""#
        let titles = (1...topics).map { #""Topic \#($0)""# }.joined(separator: ",")
        var lines = [
            line(
                "student.join", by: by, device: "device-\(person)",
                #"\#(student),"timeZone":"Europe/Berlin""#),
            line("draft.start", by: by, "\(student),\(draft)"),
            line("draft.describe", by: by, #"\#(draft),"description":"Arithmetic for adults""#),
            line("curriculum.request", by: by, draft),
            line(
                "curriculum.propose", by: "service:ai",
                #"\#(draft),"request":1,"title":"Arithmetic","chapters":[{"title":"Numbers","topics":[\#(titles)]}]"#
            ),
            line("tone.choose", by: by, #"\#(draft),"preset":"eli5""#),
            line(
                "add-ons.choose", by: by,
                #"\#(draft),"engagementQuestion":false,"endingProject":false,"reinforcement":true"#),
            line("generation.request", by: by, "\(draft),\(subject)"),
        ]
        for topic in 1...topics {
            lines.append(
                line(
                    "topic.deliver", by: "service:ai",
                    #"\#(subject),"topic":"1.\#(topic)","blocks":[{"kind":"text","text":"What a number is, and what it is not."}]"#
                ))
        }
        for topic in 1...topics {
            let named = #"\#(subject),"topic":"1.\#(topic)""#
            lines.append(line("topic.open", by: by, named))
            lines.append(line("topic.complete", by: by, named))
            let first = (topic - 1) * Self.questionsOfTopic
            let made = (first..<min(first + Self.questionsOfTopic, questions))
                .map { Self.question("\(prefix)Q-\(number)-\($0)") }.joined(separator: ",")
            lines.append(
                line("question.pool", by: "service:ai", #"\#(named),"questions":[\#(made)]"#))
        }
        return lines
    }

    private static func question(_ id: String) -> String {
        let variants = (1...4).map {
            #"{"level":\#($0),"format":"multiple-choice","text":"Which of these follows from \#(id)?","options":["the first","the second","the third"],"correct":0,"explanation":"It follows at once."}"#
        }
        return #"{"question":"\#(id)","variants":[\#(variants.joined(separator: ","))]}"#
    }

    /// The next day on which all take the quiz.
    mutating func nextRound() {
        let day: Int64 = 86_400_000
        now = (now / day + Int64(Self.daysBetween)) * day + day / 4
    }

    mutating func opening(_ number: Int, round: Int) -> [[UInt8]] {
        let person = person(number)
        let by = "student:\(person)"
        return [
            line("app.open", by: by, #""student":"\#(person)""#),
            line(
                "quiz.begin", by: by,
                #""student":"\#(person)","quiz":"\#(prefix)Z-\#(number)-\#(round)","kind":"daily""#),
        ]
    }

    /// What a quiz that was begun asks.
    static func questions(ofQuiz begun: Outcome) throws -> [String] {
        let events = try JSON(parsing: begun.document.bytes)["events"]?.array ?? []
        return (events.last?["data"]?["questions"]?.array ?? []).compactMap {
            $0["question"]?.string
        }
    }

    /// Four answers of five are right.
    mutating func answers(_ number: Int, round: Int, of due: [String]) -> [[UInt8]] {
        due.prefix(Self.answered).map { question in
            let choice = random.next() % 5 == 0 ? 1 : 0
            return line(
                "quiz.answer", by: "student:\(person(number))",
                #""quiz":"\#(prefix)Z-\#(number)-\#(round)","question":"\#(question)","choice":\#(choice)"#
            )
        }
    }

    /// When the read models are asked: the day after the last quiz.
    var end: Instant { Instant(milliseconds: now + 86_400_000) }
}
