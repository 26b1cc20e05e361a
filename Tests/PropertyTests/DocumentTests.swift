import Engine
import Core
import TestSupport
import Testing

/// What an export gives, an import takes (R34, R35).
@Suite struct `An exported archive` {
    private static let end = Instant("2026-05-01T00:00:00Z")

    @Test("comes in elsewhere as the exams that it was made of", arguments: UInt64(1000)..<1012)
    func roundTrip(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let here = try TemporaryJournal.after(commands)
            let engine = try here.open()
            let export: [(String, JSON)] = [
                ("export", .string("XP-end")), ("scope", .string("all")),
                ("format", .string("json")),
            ]
            try engine.run([
                TestCommand("end", "examroom.export.make", at: Self.end, by: "system", export)
            ])
            let shown = try JSON(parsing: engine.show("examroom.export", key: "XP-end").bytes)
            let document = shown["content"] ?? .null
            let there = try TemporaryJournal()
            let elsewhere = try there.open()
            let outcomes = try elsewhere.run([
                TestCommand(
                    "in", "examroom.import.apply", at: Self.end, by: "system",
                    [("import", .string("IM-1")), ("document", document)])
            ])
            guard outcomes[0].status == .accepted else { return "refused: \(outcomes[0].json)" }
            for exam in document["exams"]?.array ?? [] {
                let id = exam["exam"]?.string ?? ""
                let before = try Self.content(of: id, engine)
                let after = try Self.content(of: id, elsewhere)
                if before != after { return "\(id) was \(before), came in as \(after)" }
            }
            return nil
        }
    }

    /// What of an exam is its own, and not that of its time and place.
    private static func content(of exam: String, _ engine: EventEngine) throws -> JSON {
        let view = try JSON(parsing: engine.show("examroom.exam", key: exam).bytes)
        return .object(
            of: ["details", "questions", "maxScore"].map { ($0, view[$0] ?? .null) })
    }
}
