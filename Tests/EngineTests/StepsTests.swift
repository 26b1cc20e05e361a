import Core
import Engine
import Products
import TestSupport
import Testing

/// `step` where `PropertyTests` do not go: in large journals, and in somebody's name.
@Suite struct `The steps of a document` {
    @Test func `of a large journal are searched from a position on, at most so many at a time`()
        throws
    {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try engine.submit(LSAT.lines(people: 500), clock: fixedClock)
        let last = try #require(engine.show("journal.summary").value["events"].integer)
        try #require(last > 4096)
        // It rests on nearly every event: there is no basis to walk along.
        let question = DocumentQuestion("examroom.exam-analytics", key: "LSAT-6")
        func document(_ position: Int, _ now: Instant) throws -> Document {
            var request = ShowRequest()
            request.asOf = .position(Position(UInt64(position)))
            request.now = now
            return try engine.show(question.model, key: question.key, request)
        }
        let first = last - 100
        for from in [
            Moment.position(Position(UInt64(first))),
            .instant(try engine.allEvents()[first - 1].at),
        ] {
            var steps = try engine.steps(question, from: from, keptBytes: 1)
            #expect(steps.basis == nil && !steps.isExact && !steps.mayGoOn)
            let causes = try engine.why(question, limit: 20).causes
            let places = steps.places.map { Int($0.position.number) }
            #expect(causes.count > 3)
            #expect(
                places.suffix(causes.count)
                    == causes.map { Int($0.event.position.number) }.reversed()[...])
            for cause in causes.prefix(3) {
                let position = Int(cause.event.position.number)
                let step = try steps.step(at: steps.index(of: .position(cause.event.position)))
                #expect(step.cause == cause)
                #expect(try step.new == document(position, steps.now))
                #expect(try step.old == document(position - 1, steps.now))
            }
        }
        let many = try engine.steps(DocumentQuestion("journal.summary"), from: nil, keptBytes: 4096)
        #expect(many.mayGoOn && many.places.count == 64)
        #expect(many.places.map(\.position.number) == Array(1...64))
    }

    @Test func `in somebody's name are those that why lists for them`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
        let student = try #require(Viewer("student:S-1"))
        var isHidden = false
        for (model, key) in [
            ("examroom.result", "AT-1"), ("examroom.attempt", "AT-1"),
            ("examroom.achievements", "S-1"), ("examroom.leaderboard", "points"),
        ] {
            let question = DocumentQuestion(model, key: key, as: student)
            let causes = try engine.why(question, limit: .max).causes
            var steps = try engine.steps(question, from: nil, keptBytes: 1)
            #expect(steps.places.map(\.position) == causes.map(\.event.position).reversed())
            for index in steps.places.indices {
                #expect(try steps.step(at: index).cause == causes[causes.count - 1 - index])
            }
            let whole = try engine.why(DocumentQuestion(model, key: key), limit: .max).causes
            isHidden = isHidden || whole.map(\.event) != causes.map(\.event)
        }
        #expect(isHidden, "the student saw all of every event")
        let other = try #require(Viewer("student:S-404"))
        #expect(throws: EngineError.self) {
            try engine.steps(DocumentQuestion("examroom.result", key: "AT-1", as: other))
        }
    }

    @Test func `of an empty journal, and of a key that nothing changed, are none`() throws {
        let engine = try TemporaryJournal().open()
        let steps = try engine.steps(DocumentQuestion("examroom.exam", key: "EX-1"))
        #expect(steps.places.isEmpty && steps.isExact && !steps.mayGoOn)
        #expect(steps.index(of: .position(.zero)) == 0)
        #expect(throws: EngineError.self) {
            try engine.steps(
                DocumentQuestion("examroom.exam", key: "EX-1"), from: .position(Position(1)))
        }
    }
}
