import Engine
import Core
import TestSupport
import Testing

@Suite struct `As of a position` {
    @Test(arguments: UInt64(300)..<306)
    func `equals a journal cut there`(seed: UInt64) {
        expectLaw(seed: seed, count: 70) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            let outcomes = try engine.run(commands)
            let export = try engine.exported()
            let ends = outcomes.compactMap { $0.events.last?["position"]?.wholeNumber }
            let head = Int(try engine.allEvents().count)
            var random = SplitMix64(seed: seed ^ 0xC07)
            var cuts = (0..<2).map { _ in Int(random.next() % UInt64(head + 1)) }
            for _ in 0..<2 where !ends.isEmpty {
                cuts.append(Int(ends[Int(random.next() % UInt64(ends.count))]))
            }
            for cut in cuts {
                let part = try EventEngine.imported(exported(export, upTo: cut))
                let found = try Self.difference(engine, part.open(), at: cut, &random)
                // Its directory holds the persons' keys as long as the journal is in use.
                withExtendedLifetime(part) {}
                if let found { return "cut at \(cut) of \(head): \(found)" }
            }
            return nil
        }
    }

    private static func difference(
        _ whole: EventEngine, _ part: EventEngine, at cut: Int, _ random: inout SplitMix64
    ) throws -> String? {
        var request = ShowRequest()
        request.asOf = Moment("\(cut)")
        for model in try whole.models() {
            // Each question about the past folds anew: a few keys of each model.
            let keys = try Documents.keys(of: model, whole).shuffled(using: &random).prefix(2)
            for key in keys {
                let past = try whole.show(model.name, key: key, request).text
                let present = try part.show(model.name, key: key).text
                if past != present {
                    return "\(model.name) \(key ?? ""):\n  \(past)\n  \(present)"
                }
            }
        }
        return nil
    }
}

@Suite struct `The clock` {
    @Test(arguments: UInt64(400)..<412)
    func `advanced in any steps gives the same events`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let end = TestCommand(
                "the-end", "clock.advance", at: Instant("2027-01-01T00:00:00Z"), by: "system")
            let plain = try TemporaryJournal()
            let outcomes = try plain.run(commands + [end])
            var random = SplitMix64(seed: seed ^ 0xC10C)
            var stepped: [TestCommand] = []
            var clock = Instant("2026-02-01T00:00:00Z")
            for (command, outcome) in zip(commands + [end], outcomes) {
                // What is malformed, unknown, duplicate or reuses an id fires no timers: an advance
                // before it would.
                let fires =
                    outcome.status != .duplicate
                    && !["malformed", "unknown-command", "id-reused"].contains(outcome.code)
                if fires, let at = command.at, clock.milliseconds + 1 < at.milliseconds {
                    for _ in 0..<random.next() % 3 {
                        let room = UInt64(at.milliseconds - clock.milliseconds - 1)
                        let step = Instant(
                            milliseconds: clock.milliseconds + Int64(random.next() % room))
                        stepped.append(
                            TestCommand(
                                "step-\(stepped.count)", "clock.advance", at: step,
                                by: "service:clock"))
                    }
                    clock = max(clock, at)
                }
                stepped.append(command)
            }
            let other = try TemporaryJournal.after(stepped)
            if let found = try difference(
                plain.open().allEvents().map(\.text), other.open().allEvents().map(\.text))
            {
                return found
            }
            return Documents.difference(
                try Documents.all(of: plain.open()), try Documents.all(of: other.open()))
        }
    }

    @Test(arguments: UInt64(450)..<456)
    func `goes on in an engine opened again as if it had never been closed`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let one = try TemporaryJournal()
            let engine = try one.open()
            for command in commands { try engine.run([command]) }
            let other = try TemporaryJournal()
            for command in commands { try other.run([command]) }
            let found = try difference(
                one.open().allEvents().map(\.text), other.open().allEvents().map(\.text))
            if let found { return found }
            let left = try one.open().show("timers.pending")
            let right = try other.open().show("timers.pending")
            return left == right ? nil : "timers: \(left.text) against \(right.text)"
        }
    }
}
