import Engine
import Core
import TestSupport
import Testing

/// What is folded is the same however it came to be folded.
@Suite struct `Folded state` {
    @Test(arguments: UInt64(0)..<12)
    func `from any stored state equals the fold from the start`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            var random = SplitMix64(seed: seed ^ 0xFEED)
            var rest = commands[...]
            while !rest.isEmpty {
                let group = Array(rest.prefix(1 + Int(random.next() % 24)))
                rest = rest.dropFirst(group.count)
                let engine = try journal.open()
                // A question stores the state for the next engine; one in two groups asks none.
                if random.next() % 2 == 0 { _ = try engine.models() }
                try engine.run(group)
                if random.next() % 2 == 0 { _ = try engine.show("journal.summary") }
            }
            let fresh = try TemporaryJournal.after(commands)
            // Groups are frames of the journal; nothing that an export says may hang on them.
            let lines = try difference(fresh.open().told(), journal.open().told())
            if let lines { return "told otherwise than in one batch: \(lines)" }
            let documents = Documents.difference(
                try Documents.all(of: fresh.open()), try Documents.all(of: journal.open()))
            if let documents { return "one batch against many: \(documents)" }
            let report = try journal.open().rebuild(isCheck: true)
            return report.differences.isEmpty
                ? nil : "stored otherwise than rebuilt: \(report.differences)"
        }
    }

    @Test(arguments: UInt64(100)..<108)
    func `kept in memory through many small steps equals a rebuild`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            for command in commands {
                try engine.run([command])
                _ = try engine.show("timers.pending")
            }
            let before = try Documents.all(of: engine)
            let report = try engine.rebuild(isCheck: true)
            if !report.differences.isEmpty { return "rebuild differs in \(report.differences)" }
            return Documents.difference(before, try Documents.all(of: journal.open()))
        }
    }

    @Test(arguments: UInt64(200)..<206)
    func `after an erasure equals a rebuild, and nothing of the person is left to read`(
        seed: UInt64
    ) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            for command in commands {
                try engine.run([command])
                if command.command.hasPrefix("examroom.account") {
                    _ = try engine.show("journal.summary")
                }
            }
            _ = try Documents.all(of: engine)
            let before = try engine.allEvents()
            let people = ["S-1", "S-2"]
            try engine.run(
                people.map {
                    TestCommand(
                        "erase-\($0)", "account.erase", at: Instant("2026-05-01T00:00:00Z"),
                        by: "system", [("subject", .string("examroom/\($0)"))])
                })
            let after = try Documents.all(of: engine)
            let report = try journal.open().rebuild(isCheck: true)
            if !report.differences.isEmpty { return "rebuild differs in \(report.differences)" }
            let fresh = try Documents.all(of: journal.open())
            if let found = Documents.difference(after, fresh) { return found }
            // Positions, revisions and everything that is not personal stay as they were.
            for (old, new) in zip(before, try engine.allEvents()) {
                if old.position != new.position || old.revision != new.revision
                    || old.stream != new.stream || old.type != new.type
                {
                    return "the erasure changed \(old.text) to \(new.text)"
                }
            }
            let texts = try Array(fresh.values) + engine.exported()
            for text in texts {
                for person in people where text.contains("\"Person \(person)\"") {
                    return "\(person)'s name is still in \(text)"
                }
            }
            return nil
        }
    }

    @Test(arguments: UInt64(0)..<6)
    func `of products that were folded apart is that of all folded together`(seed: UInt64) throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: seed))
        let engine = try journal.open()
        let together = try engine.digests(folding: [
            ["examroom", "learnable", "quranflow", "tafawoq"]
        ])
        #expect(together.count > 100)
        #expect(try engine.rebuild().entries.allSatisfy { together[$0.model] == $0.digest })
        for groups in [
            [["examroom"], ["learnable", "quranflow", "tafawoq"]],
            [["learnable", "tafawoq"], ["examroom"], ["quranflow"]],
            [["tafawoq"], ["quranflow"], ["examroom"], ["learnable"]],
        ] {
            let digests = try engine.digests(folding: groups)
            let differing = together.keys.filter { together[$0] != digests[$0] }.sorted()
            #expect(differing == [], "folded apart: \(groups)")
        }
    }
}
