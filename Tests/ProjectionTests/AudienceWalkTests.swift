import Core
import Engine
import TestSupport
import Testing

/// Every model and every event of every example, asked in the name of every kind of actor (contract, Who may see what).
@Suite struct `An audience` {
    /// Documents that show what others chose to show: names on boards, authors in the shop.
    private static let shownByChoice: Set = [
        "examroom.leaderboard", "learnable.shop", "learnable.offer",
    ]

    @Test(arguments: Scenarios.all)
    func `is shown no personal value of another person`(scenario: Scenario) throws {
        let walk = try Walk(scenario)
        var asked = 0
        for viewer in walk.viewers where viewer.kind == .student || viewer.kind == .service {
            let others = walk.personal.filter { $0.value.allSatisfy { $0 != viewer.id } }.keys
            for question in walk.questions where !Self.shownByChoice.contains(question.model) {
                guard let document = try walk.show(question, as: viewer) else { continue }
                asked += 1
                for value in others where viewer.kind == .student && document.text.contains(value) {
                    Issue.record("\(viewer) sees \(value) in \(question)")
                }
            }
            for event in try walk.events(as: viewer) where viewer.kind == .student {
                for value in others where event.text.contains(value) {
                    Issue.record("\(viewer) sees \(value) in \(event.text)")
                }
            }
        }
        #expect(asked > 0)
    }

    @Test(arguments: Scenarios.all)
    func `of nobody is refused in the same words whether or not the thing exists`(
        scenario: Scenario
    ) throws {
        let walk = try Walk(scenario)
        for stranger in Walk.strangers {
            for question in walk.questions where question.key != nil {
                let there = walk.refusal(question, as: stranger)
                var other = question
                other.key = "nobody-knows-it"
                let missing = walk.refusal(other, as: stranger)
                #expect(
                    there?.replacing(question.key ?? "", with: "KEY")
                        == missing?.replacing("nobody-knows-it", with: "KEY"),
                    "\(question) as \(stranger)")
            }
        }
    }

    @Test(arguments: Scenarios.all)
    func `of system is shown everything as it is`(scenario: Scenario) throws {
        let walk = try Walk(scenario)
        let system = try #require(Viewer("system"))
        for question in walk.questions {
            #expect(try walk.show(question, as: system) == walk.show(question, as: nil))
        }
        #expect(try walk.events(as: system) == walk.events(as: nil))
    }

    @Test(arguments: Scenarios.all)
    func `finds events by what it is shown of them`(scenario: Scenario) throws {
        let walk = try Walk(scenario)
        let values = try walk.events(as: nil).map(\.value)
        let senders = Set(values.compactMap { $0["by"].string })
        let tags = Set(values.flatMap { $0["tags"].items ?? [] }.compactMap(\.string))
        for viewer in walk.viewers where viewer.kind == .student {
            let shown = try walk.events(as: viewer)
            func find(_ change: (inout EventFilter) -> Void) throws -> [Document] {
                var filter = EventFilter()
                filter.viewer = viewer
                change(&filter)
                var found: [Document] = []
                try walk.engine.events(filter) {
                    found.append($0)
                    return true
                }
                return found
            }
            for sender in senders {
                let expected = shown.filter { $0.value["by"].string == sender }
                #expect(try find { $0.by = sender } == expected, "\(viewer), by \(sender)")
            }
            for tag in tags {
                let expected = shown.filter { document in
                    (document.value["tags"].items ?? []).contains { $0.string == tag }
                }
                #expect(try find { $0.tag = tag } == expected, "\(viewer), tag \(tag)")
            }
        }
    }

    @Test(arguments: Scenarios.all)
    func `sees in an outcome what it sees in the journal`(scenario: Scenario) throws {
        let walk = try Walk(scenario, untilLine: 0)
        var events = 0
        for step in scenario.steps {
            guard case .submit(let command, _) = step.kind else { continue }
            guard let viewer = Viewer(command["by"]?.string ?? "") else { continue }
            let outcome = try walk.engine.submit(
                [command.canonical], clock: Instant(rfc3339: Scenario.clock), as: viewer)[0]
            for event in outcome.recorded {
                let whole = try walk.engine.event(at: event.position, as: viewer)
                #expect(whole?.value["data"].canonical == event.data.canonical)
                events += 1
            }
        }
        #expect(events > 0 || scenario.steps.count < 5)
    }

    @Test(arguments: Scenarios.all.filter { $0.product == "examroom" })
    func `who sits an exam learns key and score once results are published (R21)`(
        scenario: Scenario
    ) throws {
        let walk = try Walk(scenario, untilLine: 0)
        for step in scenario.steps {
            guard case .submit(let command, _) = step.kind else { continue }
            let by = command["by"]?.string ?? ""
            let outcome = try walk.engine.submit(
                [command.canonical], clock: Instant(rfc3339: Scenario.clock), as: Viewer(by))[0]
            guard by.hasPrefix("student:") else { continue }
            for event in outcome.recorded {
                let attempt = event.data["attempt"].string ?? ""
                let isPublished =
                    try walk.engine.show("examroom.result", key: attempt).value["published"].bool
                    ?? false
                for hidden in Self.keysAndScores(event) {
                    #expect(hidden.isNull != isPublished, "\(event.document.text)")
                }
            }
        }
    }

    /// What an event tells of the right answers, and of how many were right.
    private static func keysAndScores(_ event: Event) -> [Document.Value] {
        switch event.type {
        case "examroom.attempt.started": (event.data["paper"].items ?? []).map { $0["correct"] }
        case "examroom.attempt.submitted":
            ["correct", "score", "percent", "passed"].map { event.data[$0] }
                + (event.data["marks"].items ?? []).map { $0["points"] }
        case "examroom.points.awarded": [event.data["percent"], event.data["points"]]
        default: []
        }
    }

    @Test(arguments: Scenarios.all.filter { $0.product == "tafawoq" })
    func `who sits an exam or practises sees no answer before it is completed`(
        scenario: Scenario
    ) throws {
        let walk = try Walk(scenario, untilLine: 0)
        for step in scenario.steps {
            guard case .submit(let command, _) = step.kind else { continue }
            let outcome = try walk.engine.submit(
                [command.canonical], clock: Instant(rfc3339: Scenario.clock))[0]
            for event in outcome.recorded
            where event.type == "tafawoq.exam.delivered"
                || event.type == "tafawoq.practice.delivered"
            {
                let student = Viewer("student:" + (event.data["student"].string ?? ""))
                let seen = try walk.engine.event(at: event.position, as: student)
                let questions = try #require(seen?.value["data"]["questions"].items)
                #expect(!questions.isEmpty)
                for question in questions {
                    #expect(question["answer"].isNull && question["explanation"].isNull)
                    #expect(question["text"].string != nil)
                }
            }
        }
    }
}

/// A scenario that was played, and all that can be asked after it.
private struct Walk {
    struct Question: CustomStringConvertible {
        let model: String
        var key: String?
        let arguments: [String: String]

        var description: String { "\(model) \(key ?? "") \(arguments)" }
    }

    /// Actors whom no journal knows.
    static let strangers = ["student:N-9", "coach:N-9", "admin:N-9", "service:app"].compactMap {
        Viewer($0)
    }

    private let journal: TemporaryJournal
    let engine: EventEngine
    let questions: [Question]
    let viewers: [Viewer]
    /// Whose each personal value is that somebody wrote.
    let personal: [String: Set<String>]

    init(_ scenario: Scenario, untilLine last: Int = .max) throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
        if last > 0 { _ = try scenario.run(on: engine) }
        var questions: [Question] = []
        for model in try engine.models() {
            let keys: [String?] = model.key == nil ? [nil] : try engine.keys(of: model.name)
            for key in keys {
                for arguments in try engine.samples(of: model.name, key: key ?? "") {
                    questions.append(Question(model: model.name, key: key, arguments: arguments))
                }
            }
        }
        self.questions = questions
        var actors: Set<String> = []
        var personal: [String: Set<String>] = [:]
        try engine.export { line in
            guard let event = try? JSON(parsing: line) else { return }
            Self.collect(event, &personal)
        }
        try engine.events { event in
            actors.insert(event.value["by"].string ?? "")
            for tag in event.value["tags"].items ?? [] { actors.insert(tag.string ?? "") }
            return true
        }
        viewers = actors.sorted().compactMap { Viewer($0) } + Self.strangers
        self.personal = personal
    }

    /// What is sealed with a person's key; what a coach says of themselves is for their students to read.
    private static func collect(_ event: JSON, _ personal: inout [String: Set<String>]) {
        guard let sealed = event["sealed"], let person = sealed["person"]?.string,
            event["stream"]?.string?.contains("/coach/") == false
        else { return }
        // A student's keys may be several in turn: PRODUCT/ID/TERM.
        let id = person.split(separator: "/").dropFirst().first.map(String.init) ?? person
        for field in sealed["fields"]?.array ?? [] {
            for text in texts(event["data"]?[field.string ?? ""]) where text.count >= 5 {
                personal[text, default: []].insert(id)
            }
        }
    }

    private static func texts(_ value: JSON?) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let items): items.flatMap { texts($0) }
        case .object(let members): members.flatMap { texts($0.value) }
        default: []
        }
    }

    // MARK: Asking

    /// The document; nil where the viewer may not see it.
    func show(_ question: Question, as viewer: Viewer?) throws -> Document? {
        var request = ShowRequest()
        request.arguments = question.arguments
        request.viewer = viewer
        do throws(EngineError) {
            return try engine.show(question.model, key: question.key, request)
        } catch {
            guard error.kind == .refused else { throw error }
            return nil
        }
    }

    /// What is said to whoever may not ask it; nil where they may.
    func refusal(_ question: Question, as viewer: Viewer) -> String? {
        var request = ShowRequest()
        request.arguments = question.arguments
        request.viewer = viewer
        do throws(EngineError) {
            _ = try engine.show(question.model, key: question.key, request)
            return nil
        } catch {
            return error.kind == .refused ? error.message : nil
        }
    }

    func events(as viewer: Viewer?) throws -> [Document] {
        var filter = EventFilter()
        filter.viewer = viewer
        var found: [Document] = []
        try engine.events(filter) { event in
            found.append(event)
            return true
        }
        return found
    }
}
