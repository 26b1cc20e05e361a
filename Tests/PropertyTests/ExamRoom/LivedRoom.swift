import Engine
import Events
import TestSupport
import Testing

/// A journal that a random history has left behind, as laws look at it.
struct LivedRoom {
    let journal: TemporaryJournal
    let engine: Engine
    let events: [PastFact]

    init(_ journal: TemporaryJournal, _ engine: Engine) throws {
        self.journal = journal
        self.engine = engine
        events = try engine.allEvents()
    }

    /// A document with all its pages.
    func show(
        _ model: String, _ key: String? = nil, _ arguments: [String: String] = [:],
        now: Instant? = nil
    ) throws -> JSON {
        var request = ShowRequest()
        request.arguments = arguments
        request.now = now.map { "\($0)" }
        return try JSON(parsing: engine.show("examroom.\(model)", key: key, request).bytes)
    }
}

/// Where a random history comes from.
enum Life: Sendable, CustomTestStringConvertible {
    /// One journal, told everything as it happens.
    case alone(UInt64)
    /// The journal of a device that meets others: its own commands live, theirs merged.
    case meeting(UInt64)

    static let some =
        (UInt64(900)..<908).map { Life.alone($0) } + (UInt64(520)..<524).map { Life.meeting($0) }

    var seed: UInt64 {
        switch self {
        case .alone(let seed), .meeting(let seed): seed
        }
    }

    var testDescription: String {
        switch self {
        case .alone(let seed): "alone \(seed)"
        case .meeting(let seed): "meeting \(seed)"
        }
    }

    private var commands: [TestCommand] {
        switch self {
        case .alone(let seed): ExamRoomHistory.commands(seed: seed)
        case .meeting(let seed): MeetingHistory.commands(seed: seed, devices: 3)
        }
    }

    private func room(after commands: [TestCommand]) throws -> LivedRoom {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        switch self {
        case .alone: try engine.run(commands)
        case .meeting: try MeetingDevice(engine).live(commands)
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

/// Device D-1 of a meeting: lives its own commands, merges the others', then settles what clashed
/// and looks again at grades.
private final class MeetingDevice {
    private let engine: Engine
    private var told = 0

    init(_ engine: Engine) { self.engine = engine }

    func live(_ commands: [TestCommand]) throws {
        try engine.run(commands.filter { $0.device == nil && $0.command != MeetingHistory.meet })
        var round: [TestCommand] = []
        for command in commands {
            if command.command == MeetingHistory.meet {
                try meet(round, at: command.at ?? .epoch)
                round = []
            } else if command.device != nil {
                round.append(command)
            }
        }
    }

    private func meet(_ round: [TestCommand], at next: Instant) throws {
        let shared = Int64(try engine.allEvents().count)
        let devices = Dictionary(grouping: round) { $0.device ?? "" }
        let last = round.compactMap(\.at).max() ?? next - 86_400
        for (device, commands) in devices.sorted(by: { $0.key < $1.key }) {
            if device == "D-1" {
                try engine.run(commands + grades(at: last, by: "D-1"))
                continue
            }
            let end = commands.compactMap(\.at).max() ?? last
            let inner = (commands + (try grades(at: end, by: device))).map(\.inner)
            let merge = TestCommand(
                "merge-\(device)-\(next)", "examroom.device.merge", at: last + 3600,
                by: "service:hub",
                [
                    ("device", .string(device)), ("batch", .string("B-\(next)")),
                    ("seen", .integer(shared)), ("commands", .array(inner)),
                ])
            guard try engine.run([merge])[0].status == .accepted else { throw NotMerged() }
        }
        try engine.run([TestCommand("end-\(next)", "clock.advance", at: next, by: "system")])
        try engine.run(choices(at: next + 60))
    }

    private struct NotMerged: Error {}

    /// A number that hangs on the text alone, so that shrinking changes no other choice.
    private static func number(of text: String) -> Int {
        text.utf8.reduce(7) { ($0 * 31 + Int($1)) % 10_007 }
    }

    private func grades(at instant: Instant, by device: String) throws -> [TestCommand] {
        try engine.allEvents().filter { $0.type == "examroom.attempt.submitted" }.compactMap {
            let attempt = $0.text("attempt")
            let chance = Self.number(of: "\(attempt) \(device) \(instant)")
            guard chance % 4 == 0 else { return nil }
            told += 1
            return TestCommand(
                "grade-\(told)", "examroom.grade.modify", at: instant, by: "admin:A-1",
                device: device,
                [
                    ("attempt", .string(attempt)),
                    ("score", .integer(Int64(chance / 4 % ($0.number("maxScore") + 1)))),
                    ("reason", .string("Another look")),
                ])
        }
    }

    private func choices(at instant: Instant) throws -> [TestCommand] {
        try engine.allEvents().filter { $0.type == "examroom.conflict.detected" }.compactMap {
            let choices = $0.data["choices"]?.array?.compactMap(\.string) ?? []
            let conflict = $0.text("conflict")
            let choice = Self.number(of: conflict) % (choices.count + 1)
            guard choices.indices.contains(choice) else { return nil }
            told += 1
            return TestCommand(
                "choice-\(told)", "examroom.conflict.resolve", at: instant, by: "admin:A-1",
                [("conflict", .string(conflict)), ("choice", .string(choices[choice]))])
        }
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
