import Engine
import Core
import TafawoqEvents
import TestSupport
import Testing

/// A journal that a random life of Tafawoq has left behind, as laws look at it.
struct PreparedLife {
    let journal: TemporaryJournal
    let engine: EventEngine
    let commands: [TestCommand]
    private(set) var events: [PastFact]

    init(_ commands: [TestCommand]) throws {
        self.commands = commands
        journal = try TemporaryJournal()
        engine = try journal.open()
        try engine.run(commands)
        events = try engine.allEvents()
    }

    func show(
        _ model: String, _ key: String, now: Instant? = nil, asOf: Int64? = nil
    ) throws -> JSON {
        var request = ShowRequest()
        request.now = now
        request.asOf = asOf.flatMap { Moment("\($0)") }
        return try JSON(parsing: engine.show("tafawoq.\(model)", key: key, request).bytes)
    }

    static let students = ["S-1", "S-2", "S-3"]
    static let seeds: [UInt64] = [4001, 4002, 4003, 4004, 4005, 4006]

    /// Checks a law over a random life; a counterexample is made small first.
    static func expect(
        _ seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
        _ law: (PreparedLife) throws -> String?
    ) {
        let history = TafawoqHistory.commands(seed: seed)
        let failure = Law.failure(seed: seed, history) { try law(PreparedLife($0)) }
        if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation) }
    }
}

extension PastFact {
    /// The type without `tafawoq.`.
    var name: String { type.replacing("tafawoq.", with: "") }
    func flag(_ field: String) -> Bool { data[field] == .bool(true) }
    func time(_ field: String) -> Instant? { data[field]?.string.map { Instant($0) } }
    func hundredths(_ field: String) -> Int64 {
        guard case .number(let number)? = data[field] else { return -1 }
        return number.hundredths ?? -1
    }
}

/// The values that the laws need, as events adopt them.
struct AdoptedValues {
    private var values: [String: JSON] = [
        "free.examsPerWeek": .integer(1), "premium.examsPerWeek": .null,
        "grace.seconds": .integer(259_200),
    ]

    mutating func take(_ event: PastFact) {
        guard event.name == "policy.adopted" else { return }
        for change in event.data["changes"]?.members ?? [] { values[change.name] = change.value }
    }

    func number(_ name: String) -> Int? { values[name]?.wholeNumber.map { Int($0) } }
}
