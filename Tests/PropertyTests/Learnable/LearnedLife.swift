import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

/// A journal that a random life of Learnable has left behind, as laws look at it.
struct LearnedLife {
    let journal: TemporaryJournal
    let engine: EventEngine
    private(set) var events: [PastFact]

    init(_ commands: [TestCommand]) throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
        try engine.run(commands)
        events = try engine.allEvents()
    }

    /// The same life with another story of how it came about: what laws must notice.
    func telling(_ change: (PastFact) -> [PastFact]) -> LearnedLife {
        var other = self
        other.events = events.flatMap(change)
        return other
    }

    func show(
        _ model: String, _ key: String, _ arguments: [String: String] = [:], now: Instant? = nil
    ) throws -> JSON {
        var request = ShowRequest()
        request.arguments = arguments
        request.now = now
        return try JSON(parsing: engine.show("learnable.\(model)", key: key, request).bytes)
    }

    static let seeds: [UInt64] = [3001, 3002, 3003, 3004, 3005, 3006]

    /// Checks a law over a random life; a counterexample is made small first.
    static func expect(
        _ seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
        _ law: (LearnedLife) throws -> String?
    ) {
        let history = LearnableHistory.commands(seed: seed, count: 500)
        let failure = Law.failure(seed: seed, history) { try law(LearnedLife($0)) }
        if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation) }
    }
}

extension PastFact {
    /// The id at the end of the stream.
    var thing: String { String(stream.split(separator: "/").last ?? "") }
    var isQuestion: Bool { stream.hasPrefix("learnable/question/") }
    var student: String { text("student") }

    /// Days since 1970 of a date in the data.
    func day(_ field: String) -> Int { LocalDate(text: text(field)).map { Int($0.days) } ?? .min }
}

/// The values that matter to the schedule, as events adopt them.
struct AdoptedLevels {
    var values: [String: Int] = [
        "levels.1.minDays": 1, "levels.1.maxDays": 2, "levels.2.minDays": 3, "levels.2.maxDays": 4,
        "levels.3.minDays": 7, "levels.3.maxDays": 8, "levels.4.minDays": 14,
        "levels.4.maxDays": 15, "levels.1.correctToAdvance": 7, "levels.2.correctToAdvance": 7,
        "levels.3.correctToAdvance": 7, "levels.4.correctToAdvance": 7, "mastered.everyDays": 20,
        "streak.studySeconds": 1,
    ]
    var words = [
        "wrongAnswer.due": "shortest", "wrongAnswer.count": "kept",
        "streak.quizIdleDays": "neutral",
    ]

    mutating func take(_ event: PastFact) {
        guard event.type == "learnable.policy.adopted" else { return }
        for change in event.data["changes"]?.members ?? [] {
            if let number = change.value.wholeNumber { values[change.name] = Int(number) }
            if let word = change.value.string { words[change.name] = word }
        }
    }

    subscript(name: String) -> Int { values[name] ?? 0 }

    func range(_ level: Int) -> ClosedRange<Int> {
        self["levels.\(level).minDays"]...self["levels.\(level).maxDays"]
    }
}
