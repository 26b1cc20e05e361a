import Core
import Engine
import Products
import TestSupport
import Testing

/// `what-if` against journals in which it did come otherwise.
@Suite struct `What if it had come otherwise` {
    /// A random life of a product, and read models of it.
    struct Life: Sendable, CustomTestStringConvertible {
        let product: String
        let commands: [TestCommand]

        var testDescription: String { product }

        static let all = [
            Life(
                product: "examroom", commands: ExamRoomHistory.commands(seed: 21, count: 120)),
            Life(
                product: "learnable", commands: LearnableHistory.commands(seed: 22, count: 120)),
            Life(
                product: "quranflow", commands: QuranFlowHistory.commands(seed: 23, count: 120)),
            Life(product: "tafawoq", commands: TafawoqHistory.commands(seed: 24, count: 120)),
        ]

        /// Without those that quote the journal itself, which holds what it holds.
        func models(_ engine: EventEngine) throws -> [ModelInfo] {
            let quoting = [
                "examroom.audit", "examroom.changes", "examroom.export", "examroom.sync",
                "tafawoq.log",
            ]
            return try engine.models().filter {
                $0.name.hasPrefix("\(product).") && !quoting.contains($0.name)
            }
        }
    }

    /// Every document of the life's models, by model, key and arguments.
    private static func documents(
        of life: Life, _ engine: EventEngine, asOf: Position? = nil, now: Instant
    ) throws -> [String: Document] {
        var found: [String: Document] = [:]
        for model in try life.models(engine) {
            for key in model.key == nil ? [nil] : try engine.keys(of: model.name) as [String?] {
                for sample in try key.map({ try engine.samples(of: model.name, key: $0) }) ?? [[:]]
                {
                    var request = ShowRequest()
                    request.asOf = asOf.map { .position($0) }
                    request.now = now
                    request.arguments = sample
                    found[name(model.name, key ?? "", sample)] = try engine.show(
                        model.name, key: key, request)
                }
            }
        }
        return found
    }

    private static func name(_ model: String, _ key: String, _ sample: [String: String]) -> String {
        "\(model) \(key) \(sample.sorted { $0.key < $1.key })"
    }

    /// What is listed must be what differs between the documents, and nothing else.
    private static func expect(
        _ compared: [ModelComparison], _ old: [String: Document], _ new: [String: Document],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var listed: [String: DocumentDifference] = [:]
        for model in compared {
            for each in model.differing {
                listed[name(model.model, each.key, each.arguments)] = each.difference
            }
        }
        let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        #expect(Set(listed.keys) == names, sourceLocation: sourceLocation)
        for name in names {
            guard let before = old[name], let after = new[name] else { continue }
            let difference = try DocumentDifference(from: before, to: after)
            #expect(listed[name] == difference, "\(name)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Laws

    @Test(arguments: Life.all)
    func `without the last events it is as it was before them`(life: Life) throws {
        let journal = try TemporaryJournal.after(life.commands)
        let engine = try journal.open()
        let events = try engine.allEvents()
        let cut = events.count * 2 / 3
        let now = try #require(events.last).at
        var alternative = Alternative()
        alternative.without = Set((cut + 1...events.count).map { Position(UInt64($0)) })
        alternative.now = now
        let found = try engine.whatIf(alternative, models: life.models(engine).map(\.name))
        // Keys that were not there before are asked at both, and nothing is known of them before.
        let before = try Self.documents(of: life, engine, asOf: Position(UInt64(cut)), now: now)
        let after = try Self.documents(of: life, engine, now: now)
        for model in found.models {
            for each in model.differing {
                let name = Self.name(model.model, each.key, each.arguments)
                let pair = (old: after[name], new: before[name])
                guard let old = pair.old, let new = pair.new else { continue }
                let difference = try DocumentDifference(from: old, to: new)
                #expect(each.difference == difference, "\(name)")
            }
        }
        let listed = found.models.reduce(0) { $0 + $1.differing.count }
        #expect(listed > 5)
    }

    @Test(arguments: Life.all)
    func `further commands make what they would make in the journal`(life: Life) throws {
        let cut = life.commands.count * 2 / 3
        let journal = try TemporaryJournal.after(Array(life.commands.prefix(cut)))
        let whole = try TemporaryJournal.after(life.commands)
        let (engine, other) = (try journal.open(), try whole.open())
        let now = try #require(other.allEvents().last).at
        var alternative = Alternative()
        let rest = life.commands.dropFirst(cut)
        alternative.commands = rest.map { String(decoding: $0.line, as: UTF8.self) }
        alternative.now = now
        let found = try engine.whatIf(alternative, models: life.models(engine).map(\.name))
        try Self.expect(
            found.models, Self.documents(of: life, engine, now: now),
            Self.documents(of: life, other, now: now))
        #expect(found.outcomes.count == rest.count)
        #expect(found.models.contains { !$0.differing.isEmpty })
    }

    @Test(arguments: Life.all)
    func `the clock goes on as an advance lets it`(life: Life) throws {
        let journal = try TemporaryJournal.after(life.commands)
        let engine = try journal.open()
        let until = try #require(engine.allEvents().last).at + 40 * 86_400
        var alternative = Alternative()
        alternative.until = until
        alternative.now = until
        let found = try engine.whatIf(alternative, models: life.models(engine).map(\.name))
        let before = try Self.documents(of: life, engine, now: until)
        try engine.run([TestCommand("what-if-until", "clock.advance", at: until, by: "system")])
        try Self.expect(found.models, before, Self.documents(of: life, engine, now: until))
    }

    @Test func `an event that said something else is folded as an import of that would be`() throws
    {
        let examDay = try Scenario(file: "Examples/examroom/01-exam-day.jsonl")
        let journal = try TemporaryJournal()
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        _ = try examDay.run(on: engine)
        let lines = try engine.exported().map { line in
            line.contains("\"examroom.attempt.started\"")
                ? line.replacing("\"passPercent\":50", with: "\"passPercent\":80") : line
        }
        let changed = try EventEngine.imported(lines)
        let now = try #require(engine.allEvents().last).at
        var alternative = Alternative()
        alternative.now = now
        alternative.changes = [
            .init(.ofType("examroom.attempt.started", tag: "exam:EX-1"), ["passPercent": 80])
        ]
        let names = ["examroom.result", "examroom.results", "examroom.leaderboard"]
        let found = try engine.whatIf(alternative, models: names, counting: "$.passed == true")
        let life = Life(product: "examroom", commands: [])
        func documents(_ engine: EventEngine) throws -> [String: Document] {
            try Self.documents(of: life, engine, now: now).filter { name, _ in
                names.contains { name.hasPrefix("\($0) ") }
            }
        }
        let (old, new) = (try documents(engine), try documents(changed.open()))
        try Self.expect(found.models, old, new)
        let results = try #require(found.models.first)
        func passed(_ documents: [String: Document]) -> Int {
            documents.count { name, document in
                name.hasPrefix("examroom.result ") && document.text.contains("\"passed\":true")
            }
        }
        #expect(results.holding?.old == passed(old) && results.holding?.new == passed(new))
        #expect(passed(new) < passed(old))
    }

    @Test func `the same commands on both sides leave the policy's doing alone`() throws {
        let life = Life.all[1]
        let journal = try TemporaryJournal.after(life.commands)
        let engine = try journal.open()
        var alternative = Alternative()
        alternative.until = try #require(engine.allEvents().last).at + 90 * 86_400
        alternative.commandsComeAnyway = true
        let models = try life.models(engine).map(\.name)
        let same = try engine.whatIf(alternative, models: models)
        #expect(same.models.allSatisfy { $0.differing.isEmpty })
        alternative.policies["learnable"] = ["trial.days": 1]
        let other = try engine.whatIf(alternative, models: models)
        #expect(other.models.allSatisfy { $0.documents > 0 || $0.differing.isEmpty })
    }

    @Test func `a policy is in force whatever was adopted`() throws {
        let journal = try TemporaryJournal.after([
            TestCommand(
                "p-1", "examroom.policy.adopt", at: Instant("2026-02-01T08:00:00Z"), by: "system",
                [("changes", .object(of: [("defaultPassPercent", .integer(60))]))])
        ])
        let engine = try journal.open()
        var alternative = Alternative()
        alternative.policies["examroom"] = ["defaultPassPercent": 55]
        let found = try engine.whatIf(alternative, models: ["examroom.policy"])
        let text = try #require(found.models.first?.differing.first).difference.patch.text
        #expect(text.contains("55") && text.contains("60"), "\(text)")
        // Nobody else's documents are looked at.
        let all = try engine.whatIf(alternative)
        #expect(
            all.models.filter { !$0.differing.isEmpty }.allSatisfy {
                $0.model.hasPrefix("examroom.")
            })
    }

    @Test func `a command that did not come leaves none of its events`() throws {
        let journal = try TemporaryJournal()
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/tafawoq/premium.jsonl").run(on: engine)
        var alternative = Alternative()
        alternative.withoutCommands = ["c-8"]
        let own = try engine.allEvents().filter { $0.command == "c-8" }.map(\.position)
        #expect(own.count > 1)
        var byPosition = Alternative()
        byPosition.without = Set(own.map { Position(UInt64($0)) })
        let (one, other) = (try engine.whatIf(alternative), try engine.whatIf(byPosition))
        #expect(one.models == other.models)
        #expect(one.models.contains { !$0.differing.isEmpty })
    }

    @Test func `a fork writes nothing`() throws {
        let life = Life.all[3]
        let journal = try TemporaryJournal.after(life.commands)
        let engine = try journal.open()
        let before = try engine.exportedBytes()
        var alternative = Alternative()
        alternative.policies["tafawoq"] = ["trial.days": 3]
        alternative.without = [Position(5)]
        alternative.changes = [.init(.ofType("tafawoq.exam.started"), ["tier": "free"])]
        alternative.commands = [#"{"id":"x","command":"clock.advance","by":"system","data":{}}"#]
        alternative.until = try #require(engine.allEvents().last).at + 400 * 86_400
        _ = try engine.whatIf(alternative)
        #expect(try engine.exportedBytes() == before)
        #expect(try engine.verify().isWhole)
        let next = try engine.submit(
            one: line("x", "clock.advance", "2027-01-01T00:00:00Z"), isDryRun: true)
        #expect(next.status == .accepted)
    }

    // MARK: What is wrong

    struct Wrong: Sendable, CustomTestStringConvertible {
        let says: String
        let make: @Sendable (inout Alternative) -> Void

        var testDescription: String { says }
    }

    @Test(arguments: [
        Wrong(says: "there is no product \"exam\"") { $0.policies["exam"] = [:] },
        Wrong(says: "the policy of examroom") {
            $0.policies["examroom"] = ["defaultPassPercent": 155]
        },
        Wrong(says: "the policy of examroom") {
            $0.policies["examroom"] = ["defaultPasPercent": 55]
        },
        Wrong(says: "there is no event 0 to leave out") { $0.without = [.zero] },
        Wrong(says: "there is no event 999 to leave out") { $0.without = [Position(999)] },
        Wrong(says: "no command \"c-none\" was accepted") { $0.withoutCommands = ["c-none"] },
        Wrong(says: "position 999 is not reached yet") {
            $0.changes = [.init(.at(Position(999)), ["a": 1])]
        },
        Wrong(says: "did you mean examroom.attempt.started?") {
            $0.changes = [.init(.ofType("examroom.atempt.started"), ["a": 1])]
        },
        Wrong(says: "there is no event of type examroom.exam.withdrawn to change") {
            $0.changes = [.init(.ofType("examroom.exam.withdrawn"), ["exam": "EX-1"])]
        },
        Wrong(says: "examroom.attempt.started: data") {
            $0.changes = [.init(.ofType("examroom.attempt.started"), ["passPercent": "much"])]
        },
        Wrong(says: "the clock cannot go on to 2020-01-01") {
            $0.until = Instant("2020-01-01T00:00:00Z")
        },
    ])
    func `is said in a line`(wrong: Wrong) throws {
        let journal = try TemporaryJournal()
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
        var alternative = Alternative()
        wrong.make(&alternative)
        let error = engineError { _ = try engine.whatIf(alternative) }
        let message = try #require(error).message
        #expect(message.contains(wrong.says), "\(message)")
        #expect(!message.contains("\n"))
    }

    @Test func `a line that is no command is answered as such`() throws {
        let journal = try TemporaryJournal()
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        var alternative = Alternative()
        alternative.commands = ["{", "{}"]
        let found = try engine.whatIf(alternative)
        #expect(found.outcomes.map(\.code) == ["malformed", "malformed"])
        #expect(found.models.allSatisfy { $0.differing.isEmpty })
    }

    @Test func `a position that is not reached is refused, not taken for the last`() throws {
        let journal = try TemporaryJournal()
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        let question = DocumentQuestion("examroom.policy")
        let far = Position(7)
        for error in [
            engineError {
                _ = try engine.diff(question, from: .position(.zero), to: .position(far))
            },
            engineError { _ = try engine.diff(from: .zero, to: far) },
            engineError { _ = try engine.why(question, asOf: far) },
        ] {
            #expect(error?.message == "position 7 is not reached yet; the last event is at 0")
        }
    }
}
