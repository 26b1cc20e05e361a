import Engine
import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Batches of devices that had seen more or less of the journal that they come to (ExamRoom R47).
@Suite struct `Batches in any order` {
    @Test(
        "ExamRoom R47: they give the same, and the same choices in what they held lead to the same",
        arguments: UInt64(900)..<996)
    func order(seed: UInt64) {
        let devices = 2 + Int(seed % 3)
        let history = PartedHistory.commands(seed: seed, devices: devices)
        let failure = Law.failure(seed: seed, history) { commands in
            try Deliveries(commands, seed: seed).failure()
        }
        if let failure { Issue.record(Comment(rawValue: failure)) }
    }

    @Test func `hold attempts that began here for their number, and late answers apart`() throws {
        var ownHeld = 0
        var apart = 0
        for seed in UInt64(900)..<1020 {
            let history = PartedHistory.commands(seed: seed, devices: 2 + Int(seed % 3))
            let deliveries = Deliveries(history, seed: seed)
            let place = try deliveries.delivered(in: deliveries.devices)
            let facts = try place.engine.allEvents()
            let whole = facts.filter { $0.type == "examroom.attempt.held" }
            let limits = facts.filter { $0.text("kind") == "attempt-limit" }
                .map { $0.text("conflict") }
            ownHeld += whole.count(where: {
                limits.contains($0.text("conflict")) && $0.text("attempt").hasPrefix("AT-base")
            })
            apart += facts.count(where: { fact in
                fact.type == "examroom.answer.held"
                    && whole.contains { $0.text("conflict") == fact.text("conflict") }
            })
        }
        #expect(ownHeld > 0)
        #expect(apart > 0)
    }
}

/// Brings what the devices of a parted history did to one journal after another, in every order.
private struct Deliveries {
    private let commands: [TestCommand]
    private let seed: UInt64
    private let meeting = Instant("2026-02-02T12:00:00Z")

    init(_ commands: [TestCommand], seed: UInt64) {
        self.commands = commands
        self.seed = seed
    }

    /// The devices that did anything.
    var devices: [String] {
        Set(commands.filter { $0.command != PartedHistory.part }.compactMap(\.device)).sorted()
    }

    /// Why two orders differ, if they do.
    func failure() throws -> String? {
        var first: (order: [String], documents: [String: String])?
        for order in orders() {
            let place = try delivered(in: order)
            var documents = try Merged.documents(of: place.engine)
            try choose(place.engine)
            for (name, document) in try Merged.documents(of: place.engine) {
                documents["\(name), chosen"] = document
            }
            guard let known = first else {
                first = (order, documents)
                continue
            }
            if let found = Documents.difference(known.documents, documents) {
                return "\(known.order) and \(order): \(found)"
            }
        }
        return nil
    }

    /// Every order of up to three devices, six of those of more.
    private func orders() -> [[String]] {
        func all(_ rest: [String]) -> [[String]] {
            rest.isEmpty
                ? [[]]
                : rest.flatMap { next in
                    all(rest.filter { $0 != next }).map { [next] + $0 }
                }
        }
        var random = SplitMix64(seed: seed ^ 0x0DE5)
        let every = all(devices)
        return every.count <= 6 ? every : Array(every.shuffled(using: &random).prefix(6))
    }

    struct Place {
        let journal: TemporaryJournal
        let engine: EventEngine
    }

    /// A journal after its own commands and the batches of the devices.
    func delivered(in order: [String]) throws -> Place {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        var seen: [String: Int] = [:]
        for command in commands {
            guard let device = command.device else {
                try engine.run([command])
                continue
            }
            if command.command == PartedHistory.part {
                seen[device] = try engine.allEvents().count
            }
        }
        for (index, device) in order.enumerated() {
            let batch = commands.filter {
                $0.device == device && $0.command != PartedHistory.part
            }
            let outcome = try engine.run([
                TestCommand(
                    "merge-\(device)", "examroom.device.merge", at: meeting + Int64(index),
                    by: "service:hub",
                    [
                        ("device", .string(device)), ("batch", .string("B-1")),
                        ("seen", .integer(Int64(seen[device] ?? 0))),
                        ("commands", .array(batch.map(\.inner))),
                    ])
            ])[0]
            if outcome.status != .accepted { throw NotMerged(outcome: outcome.document.text) }
        }
        try engine.run([
            TestCommand("end", "clock.advance", at: meeting + 86_400, by: "system")
        ])
        return Place(journal: journal, engine: engine)
    }

    private struct NotMerged: Error {
        let outcome: String
    }

    /// Settles what is pending, in order of the conflicts' ids, by choices that hang on these alone.
    private func choose(_ engine: EventEngine) throws {
        let found = try engine.allEvents().filter { $0.type == "examroom.conflict.detected" }
            .map { $0.text("conflict") }
        for conflict in found.sorted() {
            let sum = conflict.utf8.reduce(Int(seed % 7)) { $0 + Int($1) }
            let choice = sum % 2 == 0 ? "keep" : "set-aside"
            try engine.run([
                TestCommand(
                    "choice-\(conflict)", "examroom.conflict.resolve", at: meeting + 90_000,
                    by: "admin:A-1",
                    [("conflict", .string(conflict)), ("choice", .string(choice))])
            ])
        }
    }
}
