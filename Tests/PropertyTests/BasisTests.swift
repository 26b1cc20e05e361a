import Engine
import Core
import ExamRoomEvents
import Projections
import ExamRoomProjections
import TestSupport
import Testing

/// A document from its basis alone is the document from everything (ADR 0020).
@Suite struct `A basis` {
    @Test(arguments: BasisLife.all)
    func `gives every document of a life, as of any moment`(life: BasisLife) {
        life.expect { engine, events in
            try Self.difference(engine, events, of: life.product, moments: life.moments)
        }
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
        let copy = try EventEngine.imported(journal.open().exported())
        let engine = try copy.open()
        #expect(try Self.difference(engine, engine.allEvents()) == nil)
    }

    @Test(arguments: BasisLife.products)
    func `gives every document of the example scenarios`(product: String) throws {
        let files = Tree.files("Examples/\(product)", ".jsonl")
        #expect(files.count >= 9)
        for file in files {
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            _ = try Scenario(file: file).run(on: engine)
            let found = try Self.difference(engine, engine.allEvents(), of: product, moments: 2)
            #expect(found == nil, "\(file)")
        }
    }

    @Test func `holds what the journal had been told, and asks at its last event`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let commands = ExamRoomHistory.commands(seed: 1970, count: 120)
        for start in stride(from: 0, to: commands.count, by: 10) {
            // Clocks are set back now and then: commits are not in order of `recordedAt`.
            let hour = start == 60 ? 3 : start / 10
            let lines = commands[start..<min(start + 10, commands.count)].map(\.line)
            _ = try engine.submit(lines, clock: Self.clock(hour: hour))
        }
        let events = try engine.allEvents()
        for hour in 0..<12 {
            var request = ShowRequest()
            request.knownAt = Instant(rfc3339: Self.clock(hour: hour))
            request.arguments = ["page": "all"]
            for trial in try engine.trial(request, others: Self.others) {
                #expect(trial.whole == trial.fromBasis, "\(trial.model) \(trial.key)")
            }
            let known = events.last {
                Instant($0.json["recordedAt"]?.string ?? "") <= Instant(Self.clock(hour: hour))
            }
            var dated = request
            dated.now = known.map(\.at)
            for attempt in try engine.keys(of: "examroom.attempt") {
                let pair = try [request, dated].map {
                    var request = $0
                    request.arguments = [:]
                    return try engine.show("examroom.attempt", key: attempt, request).text
                }
                #expect(pair[0] == pair[1], "known at hour \(hour)")
            }
        }
    }

    private static func clock(hour: Int) -> String {
        "2026-06-01T\(hour < 10 ? "0" : "")\(hour):00:00Z"
    }

    // MARK: Tests of the test

    @Test func `that lacks a query is found out`() throws {
        let rooms = try [Life.alone(1900), .alone(1903), .meeting(1920), .scattered(1940)].map {
            let room = try $0.room
            try room.engine.run(Self.afterwards)
            return try LivedRoom(room.journal, room.engine)
        }
        for model in ExamRoom.readModels {
            for (missing, basis) in model.basis?.lacking ?? [] {
                let isFound = try rooms.contains { room in
                    try Self.difference(room.engine, room.events, bases: [model.name: basis]) != nil
                }
                #expect(isFound, "\(model.name) needs no \(missing)")
            }
        }
    }

    /// What few lives do: other numbers for every view that depends on some.
    private static let afterwards = {
        let at = Instant("2030-01-01T00:00:00Z")
        let changes = JSON.object(of: [
            ("defaultTimeZone", .string("Asia/Tokyo")), ("scoreBuckets", .integer(20)),
        ])
        let used = ["answers", "cache", "database", "exports", "images"].map {
            ($0, JSON.integer(1))
        }
        return [
            TestCommand(
                "other-policy", "examroom.policy.adopt", at: at, by: "system",
                [("changes", changes)]),
            TestCommand(
                "measure", "examroom.storage.measure", at: at, by: "service:sync",
                [
                    ("device", .string("D-S-1")), ("capacityBytes", .integer(800)),
                    ("usedBytes", .object(of: used)),
                ]),
        ]
    }()

    // MARK: What it costs

    @Test func `costs no more events in a journal that has grown`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let life = ExamRoomHistory.commands(seed: 1980, count: 150).filter {
            $0.command != "examroom.policy.adopt"
        }
        let end = TestCommand(
            "end", "clock.advance", at: Instant("2030-01-01T00:00:00Z"), by: "system")
        try engine.run(life + [end])
        let before = try Self.costs(engine)
        for copy in 1...12 {
            let lines = life.map { Self.renamed($0.line, copy: copy) }
            _ = try engine.submit(lines, clock: Scenario.clock)
        }
        let after = try Self.costs(engine)
        // These rest on every exam that there is; and admins are told of everybody's requests.
        let growing: Set = ["examroom.available", "examroom.images"]
        for (question, events) in before
        where !growing.contains(question.model) && !question.key.hasPrefix("A-") {
            #expect(after[question] == events, "\(question.model) \(question.key)")
        }

        let count = try engine.allEvents().count
        var request = ShowRequest()
        request.asOf = Moment("\(count - 1)")
        var shown = 0
        for (question, events) in after where question.model == "examroom.exam" {
            let found = try engine.countingShow(question.model, key: question.key, request)
            #expect(found.events == events)
            shown += 1
        }
        #expect(shown > 20)
        let board = try engine.countingShow("examroom.leaderboard", key: "points", request)
        #expect(board.events == UInt64(count - 1), "a model without a basis folds everything")
    }

    private struct Question: Hashable {
        let model: String
        let key: String
    }

    /// How many events each document rests on.
    private static func costs(_ engine: EventEngine) throws -> [Question: UInt64] {
        let trials = try engine.trial(ShowRequest(), others: [])
        return Dictionary(
            uniqueKeysWithValues: trials.map { (Question(model: $0.model, key: $0.key), $0.events) }
        )
    }

    /// The same command about other things: `EX-1` is `EX-c3-1` in the third copy.
    private static func renamed(_ line: [UInt8], copy: Int) -> [UInt8] {
        var renamed: [UInt8] = []
        for (place, byte) in line.enumerated() {
            renamed.append(byte)
            guard byte == UInt8(ascii: "-"), place > 0 else { continue }
            let former = line[place - 1]
            let isID = (65...90).contains(former) || former == UInt8(ascii: "c")
            if isID { renamed += Array("c\(copy)-".utf8) }
        }
        return renamed
    }

    // MARK: Moments

    /// The requests under which documents are compared: ends of commands and places between, instants,
    /// what the journal had been told.
    private static func requests(_ events: [PastFact], count: Int) -> [ShowRequest] {
        guard let last = events.last else { return [] }
        func request(_ asOf: String, _ arguments: [String: String]) -> ShowRequest {
            var request = ShowRequest()
            request.asOf = Moment(asOf)
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
        known.knownAt = Instant(rfc3339: "2100-01-01T00:00:00Z")
        requests.append(known)
        return requests
    }

    /// Keys that no life has, and some that a model of another kind has.
    private static let others = [
        "", "NEVER-MET", "S-1", "EX-1", "AT-1", "EX-1/S-1", "SU-1", "E-1",
    ]

    private static func difference(
        _ engine: EventEngine, _ events: [PastFact], of product: String = "examroom",
        moments: Int = 4, bases: [String: Basis]? = nil
    ) throws -> String? {
        let foreign = BasisLife.products.filter { $0 != product }.map { $0 + "." }
        for request in requests(events, count: moments) {
            for trial in try engine.trial(request, others: others, bases: bases)
            where trial.whole != trial.fromBasis
                && !foreign.contains(where: { trial.model.hasPrefix($0) })
            {
                return """
                    \(trial.model) \(trial.key) as of \(request.asOf.map { "\($0)" } ?? "the end"):
                      \(trial.whole)
                      \(trial.fromBasis)
                    """
            }
        }
        return nil
    }
}
