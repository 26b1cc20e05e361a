import Engine
import Core
import LearnableEvents
import Projections
import LearnableProjections
import TestSupport
import Testing

/// What holds for every document of Learnable, whatever it says.
@Suite struct `The documents of Learnable` {
    @Test(arguments: LearnedLife.seeds)
    func `are the same after a rebuild and in an imported journal`(seed: UInt64) {
        LearnedLife.expect(seed) { life in
            let report = try life.journal.open().rebuild(isCheck: true)
            if report.differences != [] { return "\(report.differences)" }
            let copy = try EventEngine.imported(life.engine.exported())
            return Documents.difference(
                try Documents.all(of: life.engine), try Documents.all(of: copy.open()))
        }
    }

    @Test(arguments: LearnedLife.seeds)
    func `follow from their basis alone`(seed: UInt64) {
        LearnedLife.expect(seed) { try Self.difference($0.engine, $0.events) }
    }

    @Test func `of the example scenarios follow from their basis alone`() throws {
        for file in Tree.files("Examples/learnable", ".jsonl") {
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            _ = try Scenario(file: file).run(on: engine)
            let found = try Self.difference(engine, engine.allEvents())
            #expect(found == nil, "\(file)")
        }
    }

    private static func difference(_ engine: EventEngine, _ events: [PastFact]) throws -> String? {
        for place in 1..<5 {
            guard !events.isEmpty else { return nil }
            let event = events[(place &* 7919 &+ events.count / 3) % events.count]
            for asOf in ["\(event.position)", "\(event.at)"] {
                var request = ShowRequest()
                request.asOf = Moment(asOf)
                for trial in try engine.trial(request, others: ["", "NEVER-MET", "S-1", "SU-1"])
                where trial.model.hasPrefix("learnable.") && trial.whole != trial.fromBasis {
                    return """
                        \(trial.model) \(trial.key) as of \(asOf):
                          \(trial.whole)
                          \(trial.fromBasis)
                        """
                }
            }
        }
        return nil
    }
}
