import Engine
import Core
import TestSupport
import Testing

@Suite struct `What is recorded` {
    @Test(arguments: UInt64(500)..<512)
    func `of a rejected command is its refusal and nothing else`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            let outcomes = try engine.run(commands)
            let events = try engine.allEvents()
            for (command, outcome) in zip(commands, outcomes) where outcome.status == .rejected {
                for event in outcome.events {
                    let position = Int(event["position"]?.wholeNumber ?? 0)
                    let recorded = events[position - 1]
                    if recorded.command == nil { continue }  // a timer's
                    let traced = [
                        "credential-wrong", "biometric-disabled", "student-blocked", "forbidden",
                    ]
                    guard recorded.type == "examroom.violation.recorded",
                        recorded.text("code") == outcome.code,
                        traced.contains(outcome.code ?? "")
                    else { return "\(command) was rejected and recorded \(recorded.text)" }
                }
            }
            // Without the commands that left nothing, all the rest is the same.
            let kept = zip(commands, outcomes).filter {
                $1.status == .accepted || !$1.events.isEmpty
            }.map(\.0)
            let other = try TemporaryJournal.after(kept)
            if let found = try difference(
                events.map(\.text), other.open().allEvents().map(\.text))
            {
                return found
            }
            return Documents.difference(
                try Documents.all(of: engine), try Documents.all(of: other.open()))
        }
    }

    @Test(arguments: UInt64(600)..<612)
    func `has positions and revisions without gaps, each event told in one outcome`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            let outcomes = try engine.run(commands)
            var revisions: [String: Int64] = [:]
            let events = try engine.allEvents()
            for (index, event) in events.enumerated() {
                if event.position != index + 1 { return "position \(index + 1) is \(event.text)" }
                let revision = revisions[event.stream, default: 0]
                if event.revision != revision {
                    return "expected revision \(revision): \(event.text)"
                }
                revisions[event.stream] = revision + 1
            }
            let told = outcomes.filter { $0.status != .duplicate }.flatMap(\.events)
            let positions = told.compactMap { $0["position"]?.wholeNumber }
            if positions != events.map(\.position) { return "outcomes told of \(positions)" }
            for (event, outcome) in zip(events, told) {
                let isSame = ["at", "revision", "stream", "type"].allSatisfy {
                    event.json[$0] == outcome[$0]
                }
                if !isSame { return "told \(outcome), listed \(event.text)" }
            }
            let report = try engine.verify()
            return report.isWhole ? nil : "verify: \(report.findings)"
        }
    }

    @Test(arguments: UInt64(700)..<708)
    func `stays the same when the same lines come again`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let outcomes = try journal.run(commands)
            let export = try journal.open().exported()
            let accepted = zip(commands, outcomes).filter { $1.status == .accepted }
            let again = try journal.run(accepted.map(\.0))
            for ((command, first), second) in zip(accepted, again) {
                if second.status != .duplicate { return "\(command) answered \(second.json)" }
                // What was erased since reads null now; where and what it was stays.
                let places = [first, second].map { outcome in
                    outcome.events.map { "\($0["position"] ?? .null) \($0["type"] ?? .null)" }
                }
                if places[0] != places[1] {
                    return "\(command): \(first.json), then \(second.json)"
                }
            }
            return difference(export, try journal.open().exported())
        }
    }

    @Test(arguments: UInt64(800)..<808)
    func `survives export and import, byte for byte`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            var random = SplitMix64(seed: seed ^ 0xE0)
            var rest = commands[...]
            while !rest.isEmpty {
                let group = Array(rest.prefix(1 + Int(random.next() % 40)))
                rest = rest.dropFirst(group.count)
                try journal.run(group)
            }
            let engine = try journal.open()
            let lines = try engine.exported()
            let copy = try EventEngine.imported(lines)
            if let found = difference(lines, try copy.open().exported()) { return found }
            if let found = Documents.difference(
                try Documents.all(of: engine), try Documents.all(of: copy.open()))
            {
                return found
            }
            let again = try copy.run(commands)
            let expected = try journal.run(commands)
            for (left, right) in zip(expected, again) where left.document != right.document {
                return "the copy answers \(right.document.text), the journal \(left.document.text)"
            }
            let report = try copy.open().verify()
            return report.isWhole ? nil : "verify: \(report.findings)"
        }
    }
}
