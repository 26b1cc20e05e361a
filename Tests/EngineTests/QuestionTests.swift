import Core
import Engine
import Products
import TestSupport
import Testing

/// `diff`, `why` and `bisect` against every position of small journals, one after the other.
@Suite struct `Questions about the past` {
    private static let scenarios = [
        "examroom/01-exam-day", "learnable/optional-quiz", "quranflow/03-submission-limit",
        "tafawoq/dashboard",
    ]

    private struct Asked {
        let engine: EventEngine
        let last: UInt64
        let now: Instant
        let question: DocumentQuestion

        func document(_ position: UInt64, now: Instant?) throws -> Document {
            var request = ShowRequest()
            request.asOf = .position(Position(position))
            request.now = now
            request.arguments = question.arguments
            return try engine.show(question.model, key: question.key, request)
        }
    }

    /// Every document of a scenario's end, by a few keys a model.
    private static func forEachDocument(
        of scenario: String, _ body: (Asked) throws -> Void
    ) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/\(scenario).jsonl").run(on: engine)
        let events = try engine.allEvents()
        let product = String(scenario.split(separator: "/")[0])
        let now = try #require(events.last).at
        var count = 0
        for model in try engine.models() where model.name.hasPrefix(product) {
            for key in try Documents.keys(of: model, engine).prefix(1) {
                for sample in try key.map({ try engine.samples(of: model.name, key: $0) }) ?? [[:]]
                {
                    count += 1
                    try body(
                        Asked(
                            engine: engine, last: UInt64(events.count), now: now,
                            question: DocumentQuestion(model.name, key: key, arguments: sample)))
                }
            }
        }
        #expect(count > 5)
    }

    @Test(arguments: scenarios)
    func `why lists exactly the positions at which a document changes`(scenario: String) throws {
        var changes = 0
        try Self.forEachDocument(of: scenario) { asked in
            let documents = try (0...asked.last).map { try asked.document($0, now: asked.now) }
            let expected = (1...Int(asked.last)).filter { documents[$0] != documents[$0 - 1] }
            let found = try asked.engine.why(asked.question, limit: .max)
            #expect(found.isExact)
            #expect(
                found.causes.map { Int($0.event.position.number) } == expected.reversed(),
                "\(asked.question)")
            for cause in found.causes {
                let position = Int(cause.event.position.number)
                let difference = try DocumentDifference(
                    from: documents[position - 1], to: documents[position])
                #expect(cause.changes == difference.changes)
            }
            changes += expected.count
        }
        #expect(changes > 50)
    }

    @Test(arguments: scenarios)
    func `why lists exactly the positions at which the value at a path changes`(
        scenario: String
    ) throws {
        var paths = 0
        try Self.forEachDocument(of: scenario) { asked in
            let documents = try (0...asked.last).map {
                try JSON(parsing: asked.document($0, now: asked.now).bytes)
            }
            for member in documents.last?.members?.prefix(3) ?? [] {
                let path = [JSONPath.Step.name(member.name)].pathText
                let values = documents.map { $0[member.name] }
                let expected = (1...Int(asked.last)).filter { values[$0] != values[$0 - 1] }
                let found = try asked.engine.why(asked.question, path: path, limit: .max)
                #expect(
                    found.causes.map { Int($0.event.position.number) } == expected.reversed(),
                    "\(asked.question) \(path)")
                paths += expected.isEmpty ? 0 : 1
            }
        }
        #expect(paths > 5)
    }

    @Test(arguments: scenarios)
    func `bisect agrees with a look at every position`(scenario: String) throws {
        var turns = 0
        try Self.forEachDocument(of: scenario) { asked in
            let documents = try (0...asked.last).map {
                try JSON(parsing: asked.document($0, now: nil).bytes)
            }
            let middle = documents[documents.count / 2]
            for member in middle.members?.prefix(4) ?? [] {
                let path = [JSONPath.Step.name(member.name)].pathText
                let text =
                    switch member.value {
                    case .array, .object: "\(path)[0] || \(path).*"
                    default: "\(path) == \(member.value)"
                    }
                let condition = try JSONCondition(text)
                let holds = documents.map { condition.holds(for: $0) }
                // Before the first position nothing holds.
                let expected = (0...Int(asked.last)).filter {
                    holds[$0] != ($0 > 0 && holds[$0 - 1])
                }
                let question = "\(asked.question) \(text)"
                let all = try asked.engine.bisect(asked.question, text, .all)
                #expect(all.map { Int($0.position.number) } == expected, "\(question)")
                #expect(all.allSatisfy { $0.holds == holds[Int($0.position.number)] })
                let first = try asked.engine.bisect(asked.question, text)
                #expect(
                    first.map { Int($0.position.number) }
                        == holds.firstIndex(of: true).map { [$0] } ?? [], "\(question)")
                let last = try asked.engine.bisect(asked.question, text, .last)
                #expect(
                    last.map { Int($0.position.number) }
                        == expected.last { holds[$0] }.map { [$0] } ?? [], "\(question)")
                turns += expected.count
            }
        }
        #expect(turns > 10)
    }

    @Test(arguments: scenarios)
    func `a difference applied to the former document gives the later one`(
        scenario: String
    ) throws {
        var differing = 0
        var random = SplitMix64(seed: 7)
        try Self.forEachDocument(of: scenario) { asked in
            for _ in 0..<6 {
                let moments = [0, 1].map { _ in random.next() % (asked.last + 1) }
                let found = try asked.engine.diff(
                    asked.question, from: .position(Position(moments[0])),
                    to: .position(Position(moments[1])))
                let old = try asked.document(moments[0], now: nil)
                let new = try asked.document(moments[1], now: nil)
                #expect(found.old == old && found.new == new)
                let patched = try JSONPatch.apply(
                    JSON(parsing: found.difference.patch.bytes), to: JSON(parsing: old.bytes))
                #expect(try patched == JSON(parsing: new.bytes), "\(asked.question) \(moments)")
                #expect(found.difference.isEmpty == (old == new))
                differing += old == new ? 0 : 1
            }
        }
        #expect(differing > 10)
    }

    @Test func `every document that differs between two positions is listed, and no other`() throws
    {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/learnable/optional-quiz.jsonl").run(on: engine)
        let count = try engine.allEvents().count
        let (old, new) = (Position(UInt64(count / 2)), Position(UInt64(count)))
        let now = try #require(engine.allEvents().last).at
        let compared = try engine.diff(
            models: ["learnable.home", "learnable.quiz"], from: old, to: new)
        #expect(compared.map(\.model) == ["learnable.home", "learnable.quiz"])
        for model in compared {
            let keys = try engine.keys(of: model.model)
            #expect(model.documents == keys.count)
            for key in keys {
                let pair = try [old, new].map {
                    var request = ShowRequest()
                    request.asOf = .position($0)
                    request.now = now
                    return try engine.show(model.model, key: key, request)
                }
                let listed = model.differing.first { $0.key == key }
                #expect((listed != nil) == (pair[0] != pair[1]))
                if let listed {
                    #expect(try listed.difference == DocumentDifference(from: pair[0], to: pair[1]))
                }
            }
        }
        #expect(compared.contains { !$0.differing.isEmpty })
    }

    @Test func `the models about people have a document for everybody whom an event is about`()
        throws
    {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
        let head = Position(UInt64(try engine.allEvents().count))
        let accounts = try engine.keys(of: "examroom.account").map { "examroom/\($0)" }
        var alternative = Alternative()
        alternative.without.insert(Position(3))
        for model in ["audit.subject", "person.timeline"] {
            let keys = try engine.keys(of: model)
            #expect(keys == keys.sorted())
            #expect(Set(accounts).isSubset(of: keys))
            for key in keys { #expect(try engine.show(model, key: key).text != "null", "\(key)") }
            for viewer in [nil, Viewer("admin:A-1")] {
                let found = try engine.diff(
                    models: [model], from: Position(1), to: head, as: viewer)
                #expect(found.map(\.documents) == [keys.count])
                #expect(found.allSatisfy { !$0.differing.isEmpty })
                let turn = try engine.bisectAnyKey(of: model, as: viewer, "$.total >= 3")
                #expect(turn != nil)
            }
            var lines = 0
            try engine.exportDocuments(of: [model]) { _ in lines += 1 }
            #expect(lines == 1 + keys.count)
            let other = try engine.whatIf(alternative, models: [model])
            #expect(other.models.map(\.documents) == [keys.count])
        }
    }

    @Test func `of any key, the one of which a condition held first is found`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/learnable/optional-quiz.jsonl").run(on: engine)
        let condition = "$.level >= 1"
        let firsts = try engine.keys(of: "learnable.question").compactMap { key in
            try engine.bisect(DocumentQuestion("learnable.question", key: key), condition).first
        }
        let found = try #require(
            try engine.bisectAnyKey(of: "learnable.question", condition))
        #expect(found.position == firsts.map(\.position).min())
        #expect(try engine.bisectAnyKey(of: "learnable.question", "$.level > 1000") == nil)
    }

    @Test func `what is wrong with a path or a condition is said in a line`() throws {
        let engine = try TemporaryJournal().open()
        let question = DocumentQuestion("journal.summary")
        #expect {
            try engine.why(question, path: "$.a[")
        } throws: {
            "\($0)".contains("the path \"$.a[\", byte 4: a selector expected")
        }
        #expect {
            try engine.bisect(question, "$.a = 1")
        } throws: {
            "\($0)".contains("the condition \"$.a = 1\", byte 4")
        }
    }
}
