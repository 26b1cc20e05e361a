import Engine
import Core
import ExamRoomEvents
import TestSupport

/// Choices that hang on a text alone, so that shrinking changes no other.
private enum Chance {
    static func number(of text: String) -> Int {
        text.utf8.reduce(7) { ($0 * 31 + Int($1)) % 10_007 }
    }
}

extension EventEngine {
    /// An admin's choices in some of the conflicts.
    fileprivate func choices(at instant: Instant) throws -> [TestCommand] {
        try allEvents().filter { $0.type == "examroom.conflict.detected" }.compactMap {
            let choices = $0.data["choices"]?.array?.compactMap(\.string) ?? []
            let conflict = $0.text("conflict")
            let choice = Chance.number(of: conflict) % (choices.count + 1)
            guard choices.indices.contains(choice) else { return nil }
            return TestCommand(
                "choice-\(conflict)", "examroom.conflict.resolve", at: instant, by: "admin:A-1",
                [("conflict", .string(conflict)), ("choice", .string(choices[choice]))])
        }
    }
}

/// Device D-1 of a meeting: lives its own commands, merges the others', then settles what clashed
/// and looks again at grades.
final class MeetingDevice {
    private let engine: EventEngine
    private var told = 0

    init(_ engine: EventEngine) { self.engine = engine }

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
        try engine.run(engine.choices(at: next + 60))
    }

    private struct NotMerged: Error {}

    private func grades(at instant: Instant, by device: String) throws -> [TestCommand] {
        try engine.allEvents().filter { $0.type == "examroom.attempt.submitted" }.compactMap {
            let attempt = $0.text("attempt")
            let chance = Chance.number(of: "\(attempt) \(device) \(instant)")
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
}

/// The commands of a random history on three devices, the first of them here. Who is where changes now
/// and then; the others' commands come in batches when they get round to it.
final class ScatteredLife {
    private let engine: EventEngine
    private var waiting: [String: [TestCommand]] = [:]
    private var seen: [String: Int64] = [:]
    private var latest = Instant.epoch
    private var batches = 0

    init(_ engine: EventEngine) { self.engine = engine }

    func live(_ commands: [TestCommand]) throws {
        for (index, command) in commands.enumerated() {
            latest = max(latest, command.at ?? .epoch)
            let device = 1 + Chance.number(of: "\(command.by) \(index / 12)") % 3
            let isFirst = index < 12 || device == 1
            if isFirst || !Self.travels(command) {
                var own = command
                own.device = "D-1"
                try engine.run([own])
            } else {
                waiting["D-\(device)", default: []].append(command)
            }
            let visitor = "D-\(2 + Chance.number(of: command.id) % 12)"
            if waiting[visitor] != nil { try deliver(visitor) }
        }
        for device in waiting.keys.sorted() { try deliver(device) }
        try engine.run(engine.choices(at: latest))
        try engine.run([
            TestCommand("end", "clock.advance", at: latest + 86_400, by: "system")
        ])
    }

    /// What a device does by itself; the rest is the journal's own.
    private static func travels(_ command: TestCommand) -> Bool {
        command.command.hasPrefix("examroom.") && command.command != "examroom.exam.invent"
            && !command.by.hasPrefix("coach") && command.by.contains(":")
    }

    private func deliver(_ device: String) throws {
        let commands = (waiting.removeValue(forKey: device) ?? []).enumerated().sorted {
            let instants = [$0.element.at ?? .epoch, $1.element.at ?? .epoch]
            return instants[0] == instants[1]
                ? $0.offset < $1.offset : instants[0] < instants[1]
        }.map(\.element)
        // One that is malformed makes the whole batch so: then each comes by itself.
        if try !merge(commands, of: device) {
            for command in commands { _ = try merge([command], of: device) }
        }
        seen[device] = Int64(try engine.allEvents().count)
    }

    private func merge(_ commands: [TestCommand], of device: String) throws -> Bool {
        batches += 1
        let merge = TestCommand(
            "merge-\(batches)", "examroom.device.merge", at: latest, by: "service:hub",
            [
                ("device", .string(device)), ("batch", .string("B-\(batches)")),
                ("seen", .integer(seen[device] ?? 0)),
                ("commands", .array(commands.map(\.inner))),
            ])
        return try engine.run([merge])[0].status == .accepted
    }
}
