import Engine
import EventLog
import Testing

@Suite struct `An event that says much by few numbers` {
    private static let day = "2026-03-01T09:00:00Z"

    private static func by(
        _ who: String, _ id: String, _ command: String, _ data: String
    ) -> [UInt8] {
        line(id, "learnable.\(command)", day, by: who, data)
    }

    /// A learner whose pool has 50 questions of each topic, with ids as long as they may be.
    private static func pool(topics: Int) -> [[UInt8]] {
        let titles = Array(repeating: #""t""#, count: topics).joined(separator: ",")
        let variants = [
            #"{"level":1,"format":"multiple-choice""#, #"{"level":2,"format":"multiple-choice""#,
            #"{"level":3,"format":"free-text""#, #"{"level":4,"format":"free-text""#,
        ].map { form in
            form.contains("multiple")
                ? form + #","text":"q","options":["a","b"],"correct":0,"explanation":"e"}"#
                : form + #","text":"q","answer":"a","explanation":"e"}"#
        }.joined(separator: ",")
        var commands = [
            by(
                "admin:A", "policy", "policy.adopt",
                #"{"changes":{"addOns.reinforcement":true,"addOns.engagementQuestion":false,"addOns.endingProject":false,"trial.days":365}}"#
            ),
            Array(
                #"{"id":"join","command":"learnable.student.join","at":"\#(day)","by":"student:S","device":"D","data":{"student":"S","timeZone":"UTC"}}"#
                    .utf8),
            by("student:S", "start", "draft.start", #"{"student":"S","draft":"D"}"#),
            by("student:S", "describe", "draft.describe", #"{"draft":"D","description":"x"}"#),
            by("student:S", "request", "curriculum.request", #"{"draft":"D"}"#),
            by(
                "service:ai", "propose", "curriculum.propose",
                #"{"draft":"D","request":1,"title":"T","chapters":[{"title":"c","topics":[\#(titles)]}]}"#
            ),
            by("student:S", "tone", "tone.choose", #"{"draft":"D","tone":"x"}"#),
            by("student:S", "generate", "generation.request", #"{"draft":"D","subject":"U"}"#),
        ]
        // A topic is opened when all are there.
        commands += (1...topics).map { topic in
            by(
                "service:ai", "deliver-\(topic)", "topic.deliver",
                #"{"subject":"U","topic":"1.\#(topic)","blocks":[{"kind":"text","text":"x"}]}"#)
        }
        for topic in 1...topics {
            let topicID = #""subject":"U","topic":"1.\#(topic)""#
            let questions = (1...50).map { number in
                let id = "Q\(topic)-\(number)-" + String(repeating: "x", count: 52)
                return #"{"question":"\#(id)","variants":[\#(variants)]}"#
            }.joined(separator: ",")
            commands += [
                by("student:S", "open-\(topic)", "topic.open", #"{\#(topicID)}"#),
                by("student:S", "complete-\(topic)", "topic.complete", #"{\#(topicID)}"#),
                by(
                    "service:ai", "pool-\(topic)", "question.pool",
                    #"{\#(topicID),"questions":[\#(questions)]}"#),
            ]
        }
        return commands
    }

    @Test(arguments: [(5, "accepted"), (12, "too-large")])
    func `is refused where its leaf is too long to prove`(topics: Int, expected: String) throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let pooled = try engine.submit(Self.pool(topics: topics), clock: fixedClock)
        #expect(pooled.compactMap(\.message) == [])
        let later = "2026-03-04T09:00:00Z"
        let begun = try engine.submit(
            [
                line(
                    "open", "learnable.app.open", later, by: "student:S", #"{"student":"S"}"#),
                line(
                    "begin", "learnable.quiz.begin", later, by: "student:S",
                    #"{"student":"S","quiz":"Z","kind":"daily"}"#),
            ], clock: fixedClock)
        #expect(begun.last.map { $0.code ?? $0.status.rawValue } == expected)
        var longest = 0
        try engine.export(isSealed: true) { bytes in
            for line in bytes.split(separator: 10) { longest = max(longest, line.count) }
        }
        #expect(longest <= Limits.leafBytes)
    }
}
