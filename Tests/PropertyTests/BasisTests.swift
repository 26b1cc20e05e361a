import Engine
import Events
import Projections
import TestSupport
import Testing

/// A document from its basis alone is the document from everything (ADR 0020).
@Suite struct `A basis` {
    private static let lives =
        (UInt64(1900)..<1905).map { Life.alone($0) } + [.meeting(1920), .meeting(1921)]
        + (UInt64(1940)..<1943).map { Life.scattered($0) }

    @Test(arguments: lives)
    func `gives every document of a life, as of any moment`(life: Life) {
        life.expect { room in try Self.difference(room.engine, room.events) }
    }

    @Test func `gives every document of an imported journal, after erasures`() throws {
        let commands = ExamRoomHistory.commands(seed: 1960, count: 90)
        let journal = try TemporaryJournal.after(commands)
        let people = ["A-1", "S-1", "S-2"].enumerated().map { place, person in
            TestCommand(
                "erase-\(person)", "account.erase", at: Instant("2028-05-01T00:00:00Z"),
                by: "system", [("subject", .string("examroom/\(person)"))])
        }
        try journal.run(people)
        let copy = try Engine.imported(journal.open().exported())
        let engine = try copy.open()
        #expect(try Self.difference(engine, engine.allEvents()) == nil)
    }

    @Test func `gives every document of the example scenarios`() throws {
        let files = Tree.files("Examples/examroom", ".jsonl")
        #expect(files.count >= 9)
        for file in files {
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            _ = try Scenario(file: file).run(on: engine)
            let events = try engine.allEvents()
            let found = try Self.difference(engine, events, moments: 2)
            #expect(found == nil, "\(file)")
        }
    }

    // MARK: Moments

    /// The requests under which documents are compared: ends of commands and places between, instants,
    /// what the journal had been told.
    private static func requests(_ events: [PastFact], count: Int) -> [ShowRequest] {
        guard let last = events.last else { return [] }
        func request(_ asOf: String, _ arguments: [String: String]) -> ShowRequest {
            var request = ShowRequest()
            request.asOf = asOf
            request.arguments = arguments
            return request
        }
        let all = ["page": "all", "viewer": "admin", "attempt": "AT-x"]
        var requests = [request("\(last.position)", all)]
        for place in 1..<max(count, 2) {
            // Primes, so that some are ends of commands and others are not.
            let event = events[(place &* 7919 &+ events.count / 3) % events.count]
            requests.append(request("\(event.position)", [:]))
            if place % 2 == 1 { requests.append(request("\(event.at)", all)) }
        }
        var known = ShowRequest()
        known.knownAt = "2100-01-01T00:00:00Z"
        requests.append(known)
        return requests
    }

    private static let others = ["", "NEVER-MET", "S-1", "EX-1", "AT-1", "EX-1/S-1"]

    private static func difference(
        _ engine: Engine, _ events: [PastFact], moments: Int = 4, bases: [String: Basis]? = nil
    ) throws -> String? {
        for request in requests(events, count: moments) {
            for trial in try engine.trial(request, others: others, bases: bases)
            where trial.whole != trial.fromBasis {
                return """
                    \(trial.model) \(trial.key) as of \(request.asOf ?? "the end"):
                      \(trial.whole)
                      \(trial.fromBasis)
                    """
            }
        }
        return nil
    }
}
