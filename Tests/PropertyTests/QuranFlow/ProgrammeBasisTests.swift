import Engine
import Core
import QuranFlowEvents
import Projections
import QuranFlowProjections
import TestSupport
import Testing

/// A document of QuranFlow from its basis alone is the document from everything (ADR 0020).
@Suite struct `A basis of QuranFlow` {
    @Test(arguments: UInt64(3200)..<3208)
    func `gives every document of a life, as of any moment`(seed: UInt64) throws {
        let journal = try TemporaryJournal.after(QuranFlowHistory.commands(seed: seed))
        let engine = try journal.open()
        #expect(try Self.difference(engine, engine.allEvents()) == nil)
    }

    @Test func `gives every document of the example scenarios`() throws {
        for file in Tree.files("Examples/quranflow", ".jsonl") {
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            _ = try Scenario(file: file).run(on: engine)
            let found = try Self.difference(engine, engine.allEvents())
            #expect(found == nil, "\(file)")
        }
    }

    private static func difference(_ engine: EventEngine, _ events: [PastFact]) throws -> String? {
        guard let last = events.last else { return nil }
        var moments = ["\(last.position)"]
        for place in 1..<4 {
            let event = events[(place &* 7919 &+ events.count / 3) % events.count]
            moments.append(place == 2 ? "\(event.at)" : "\(event.position)")
        }
        for moment in moments {
            var request = ShowRequest()
            request.asOf = Moment(moment)
            for trial in try engine.trial(request, others: ["", "NEVER-MET", "S-1", "E-1"])
            where trial.whole != trial.fromBasis && trial.model.hasPrefix("quranflow.") {
                return
                    "\(trial.model) \(trial.key) as of \(moment):\n\(trial.whole)\n\(trial.fromBasis)"
            }
        }
        return nil
    }
}
