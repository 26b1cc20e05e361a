import Engine
import Core
import ExamRoomEvents
import TestSupport
import Testing

/// A journal that a random history has left behind, as laws look at it.
struct LivedRoom {
    let journal: TemporaryJournal
    let engine: EventEngine
    private(set) var events: [PastFact]

    init(_ journal: TemporaryJournal, _ engine: EventEngine) throws {
        self.journal = journal
        self.engine = engine
        events = try engine.allEvents()
    }

    /// The same room with another story of how it came about: what laws must notice.
    func telling(_ change: (PastFact) -> [PastFact]) -> LivedRoom {
        var other = self
        other.events = events.flatMap(change)
        return other
    }

    /// A document with all its pages.
    func show(
        _ model: String, _ key: String? = nil, _ arguments: [String: String] = [:],
        now: Instant? = nil
    ) throws -> JSON {
        var request = ShowRequest()
        request.arguments = arguments
        request.now = now
        return try JSON(parsing: engine.show("examroom.\(model)", key: key, request).bytes)
    }
}

/// Where a random history comes from.
enum Life: Sendable, CustomTestStringConvertible {
    /// One journal, told everything as it happens.
    case alone(UInt64)
    /// The journal of a device that meets others: its own commands live, theirs merged.
    case meeting(UInt64)
    /// A life that would have fitted into one journal, scattered over devices that tell late.
    case scattered(UInt64)

    static let some =
        (UInt64(900)..<907).map { Life.alone($0) } + (UInt64(520)..<523).map { Life.meeting($0) }
        + (UInt64(940)..<945).map { Life.scattered($0) }

    var seed: UInt64 {
        switch self {
        case .alone(let seed), .meeting(let seed), .scattered(let seed): seed
        }
    }

    var testDescription: String {
        switch self {
        case .alone(let seed): "alone \(seed)"
        case .meeting(let seed): "meeting \(seed)"
        case .scattered(let seed): "scattered \(seed)"
        }
    }

    private var commands: [TestCommand] {
        switch self {
        case .alone(let seed), .scattered(let seed): ExamRoomHistory.commands(seed: seed)
        case .meeting(let seed): MeetingHistory.commands(seed: seed, devices: 3)
        }
    }

    /// The room after the whole life.
    var room: LivedRoom {
        get throws { try room(after: commands) }
    }

    private func room(after commands: [TestCommand]) throws -> LivedRoom {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        switch self {
        case .alone: try engine.run(commands)
        case .meeting: try MeetingDevice(engine).live(commands)
        case .scattered: try ScatteredLife(engine).live(commands)
        }
        return try LivedRoom(journal, engine)
    }

    /// Checks a law over this life; a counterexample is made small first.
    func expect(
        sourceLocation: SourceLocation = #_sourceLocation, _ law: (LivedRoom) throws -> String?
    ) {
        let failure = Law.failure(seed: seed, commands) { try law(room(after: $0)) }
        if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation) }
    }
}

// MARK: Where an event of a merge comes from

extension PastFact {
    var by: String { json["by"]?.string ?? "" }
    private var origin: JSON? { data["origin"].flatMap { $0.isNull ? nil : $0 } }
    var isMerged: Bool { origin != nil }

    /// When it happened, on whichever device.
    var moment: Instant { origin.map { Instant($0["at"]?.string ?? "") } ?? at }

    /// The device that it happened on; empty where none is known.
    var writer: String { origin?["device"]?.string ?? json["device"]?.string ?? "" }

    /// Whether the field lost against a later write: then no read model shows it.
    func lost(_ field: String) -> Bool {
        origin?["superseded"]?.array?.contains(.string(field)) ?? false
    }

    func hundredths(_ field: String) -> Int64? { data[field]?.number?.hundredths }

    func optionalInstant(_ field: String) -> Instant? {
        data[field]?.string.map { Instant($0) }
    }
}
