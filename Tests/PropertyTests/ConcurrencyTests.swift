import Engine
import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct `Concurrent submitters` {
    /// An exam day of eight students, each with their own commands: what anyone's day gives does
    /// not hang on the others', since Speed Demon (R28) is put out of reach.
    private struct ExamDay {
        let stage: [TestCommand]
        let students: [[TestCommand]]
        let end: [TestCommand]

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
            let open = Instant("2026-02-02T08:00:00Z")
            var stage = [
                TestCommand(
                    "stage-0", "examroom.policy.adopt", at: open, by: "system",
                    [
                        (
                            "changes",
                            .object(of: [
                                ("speedDemonMinPrior", .integer(1_000_000)),
                                ("milestones", .array([.integer(100), .integer(150)])),
                            ])
                        )
                    ])
            ]
            func tell(_ command: String, _ data: [(String, JSON)]) {
                stage.append(
                    TestCommand("stage-\(stage.count)", command, at: open, by: "system", data))
            }
            for exam in ["EX-1", "EX-2"] {
                tell(
                    "examroom.exam.create",
                    [
                        ("exam", .string(exam)), ("title", .string(exam)),
                        ("durationMinutes", .integer(600)), ("maxAttempts", .integer(2)),
                    ])
                for question in ["Q-1", "Q-2", "Q-3"] {
                    let options = ["a", "b"].map { option in
                        JSON.object(of: [
                            ("option", .string(option)), ("text", .string(option)),
                            ("correct", .bool(option == "a")),
                        ])
                    }
                    tell(
                        "examroom.question.add",
                        [
                            ("exam", .string(exam)), ("question", .string(question)),
                            ("prompt", .string("?")), ("options", .array(options)),
                        ])
                }
                tell("examroom.exam.publish", [("exam", .string(exam))])
            }
            var students: [[TestCommand]] = []
            for number in 1...8 {
                let student = "S-\(number)"
                tell(
                    "examroom.account.register",
                    [
                        ("account", .string(student)), ("role", .string("student")),
                        ("name", .string(student)),
                        (
                            "credential",
                            .object(of: [
                                ("scheme", .string("bcrypt")), ("salt", .string("s")),
                                ("digest", .string("d")),
                            ])
                        ),
                    ])
                var day: [TestCommand] = []
                var at = open + 60
                func act(_ command: String, _ data: [(String, JSON)]) {
                    at = at + Int64(below(20))
                    day.append(
                        TestCommand(
                            "\(student)-\(day.count)", command, at: at, by: "student:\(student)",
                            data))
                }
                // Two are allowed at each exam; every third start is refused.
                for round in 1...6 {
                    let attempt = JSON.string("AT-\(number)-\(round)")
                    act(
                        "examroom.attempt.start",
                        [
                            ("attempt", attempt), ("exam", .string("EX-\(1 + round % 2)")),
                            ("student", .string(student)),
                        ])
                    for question in ["Q-1", "Q-2", "Q-3"] {
                        act(
                            "examroom.answer.save",
                            [
                                ("attempt", attempt), ("question", .string(question)),
                                ("chosen", .array([.string(below(3) == 0 ? "b" : "a")])),
                                ("seconds", .integer(Int64(below(60)))),
                            ])
                    }
                    if round != 5 { act("examroom.attempt.submit", [("attempt", attempt)]) }
                }
                students.append(day)
            }
            self.stage = stage
            self.students = students
            end = [
                TestCommand(
                    "end", "clock.advance", at: Instant("2026-02-10T00:00:00Z"), by: "system")
            ]
        }
    }

    @Test(arguments: UInt64(0)..<3)
    func `break no rule, and what they make does not hang on who came first`(seed: UInt64) throws {
        let day = ExamDay(seed: seed)
        let sequential = try TemporaryJournal.after(
            day.stage + day.students.flatMap(\.self) + day.end)

        let journal = try TemporaryJournal()
        let engine = try journal.open()
        try engine.run(day.stage)
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: day.students.count) { index in
            var random = SplitMix64(seed: seed &* 31 &+ UInt64(index))
            var rest = day.students[index][...]
            while !rest.isEmpty {
                let group = Array(rest.prefix(1 + Int(random.next() % 3)))
                rest = rest.dropFirst(group.count)
                do {
                    let outcomes = try engine.run(group)
                    for (command, outcome) in zip(group, outcomes)
                    where outcome.json["id"]?.string != command.id {
                        failures.withLock { $0.append("\(command) got \(outcome.document.text)") }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        try engine.run(day.end)
        #expect(failures.withLock { $0 } == [])

        let events = try engine.allEvents()
        let room = try LivedRoom(journal, engine)
        #expect(AttemptLaw.broken(by: events) == nil)
        #expect(ScoreLaw.broken(by: events) == nil)
        #expect(try AwardLaw.broken(by: events) ?? AwardLaw.hidden(in: room) == nil)
        #expect(events.count(where: { $0.type == "examroom.attempt.started" }) == 8 * 4)
        #expect(events.map(\.position) == Array(1...Int64(events.count)))
        let report = try engine.verify()
        #expect(report.isWhole, "\(report.findings)")

        let ordered = try Self.unordered(Documents.all(of: sequential.open()))
        let mixed = try Self.unordered(Documents.all(of: engine))
        let found = Documents.difference(ordered, mixed)
        #expect(found == nil, "\(found ?? "")")
        // Whoever came first, every stream tells the same.
        let streams = [events, try sequential.open().allEvents()].map { events in
            Dictionary(grouping: events, by: \.stream)
                .mapValues { $0.map { "\($0.at) \($0.data)" } }
        }
        #expect(streams[0] == streams[1])
    }

    /// Without the models that number positions or list events in their order: these tell of the
    /// order itself.
    private static func unordered(_ documents: [String: String]) -> [String: String] {
        let models = Set(
            documents.filter { $0.value.contains("osition\":") }.keys.map {
                String($0.prefix { $0 != " " })
            }
        ).union(["examroom.audit"])
        return documents.filter { !models.contains(String($0.key.prefix { $0 != " " })) }
    }
}
