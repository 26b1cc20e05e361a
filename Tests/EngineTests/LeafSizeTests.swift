import Core
import Cryptography
import EventLog
import Testing

@testable import Engine
@testable import LearnableEvents

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

    @Test func `is measured by what its numbers stand for`() throws {
        let names = Names()
        func begun(pages: Int) -> EventEnvelope {
            let event = Learnable.Quiz.Begun.with { event in
                event.questions = (1...pages).map { number in
                    let id = "Q\(number)-" + String(repeating: "x", count: 50)
                    return .with { $0.question = Identifier(names.intern(id)) }
                }
            }
            var writer = BinaryWriter()
            event.write(to: &writer)
            return EventEnvelope(
                metadata: .nowhere, type: PayloadType(Learnable.Quiz.Begun.self), version: 1,
                revision: 0, recordedAt: .epoch, tags: [],
                place: SealingContext(position: Position(1), recordedAt: .epoch),
                payload: BinaryReader(writer.bytes))
        }
        let size = LeafSize(names: names)
        #expect(size.largest([begun(pages: 1)]) == nil)
        #expect(try #require(size.largest([begun(pages: 100)])) < Limits.leafBytes)
        #expect(try #require(size.largest([begun(pages: 800)])) > Limits.leafBytes)
    }

    @Test func `is as long as can be proved where a learner comes back to hundreds of questions`()
        throws
    {
        let place = try DiskPlace()
        let engine = try place.open()
        let pooled = try engine.submit(Self.pool(topics: 12), clock: fixedClock)
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
        #expect(begun.map(\.status) == [.accepted, .accepted])
        let opened = try #require(begun.first?.recorded.first)
        #expect(opened.data["due"].integer == 600)
        let quiz = try #require(begun.last?.recorded.last)
        #expect(quiz.data["questions"].items?.count == 400)
        var longest = 0
        try engine.export(isSealed: true) { bytes in
            for line in bytes.split(separator: 10) { longest = max(longest, line.count) }
        }
        #expect((Limits.leafBytes * 8 / 10)...Limits.leafBytes ~= longest)
    }

    /// An archive of so many results that the event which lists them cannot be proved.
    @Test func `is recorded all the same where it lists what came of an archive`() throws {
        let results = (1...1_200).map { number in
            let attempt = "A-\(number)-" + String(repeating: "x", count: 50)
            return #"{"attempt":"\#(attempt)","closedAt":"2026-01-01T09:00:00Z","exam":"E","#
                + #""how":"student","maxScore":1,"passed":true,"percent":100,"score":1,"#
                + #""startedAt":"2026-01-01T08:00:00Z","student":"S"}"#
        }.joined(separator: ",")
        let head =
            #""exams":[],"format":"examroom.archive","images":[],"#
            + #""results":[\#(results)],"version":1}"#
        let digest = SHA256Digest.hex(of: Array("{\(head)".utf8))
        let place = try DiskPlace()
        let engine = try place.open()
        let outcomes = try engine.submit(
            [
                line(
                    "import", "examroom.import.apply", Self.day, by: "system",
                    #"{"import":"I","document":{"digest":"\#(digest)",\#(head)}"#)
            ], clock: fixedClock)
        #expect(outcomes.map(\.message) == [nil])
        let applied = try #require(outcomes.first?.recorded.last)
        #expect(applied.data["omitted"].items?.count == 1_200)
    }
}
