import Core
import Engine
import TestSupport
import Testing

/// A document of an earlier moment is the same from a state that is kept near it as from a fold of everything.
@Suite struct `A state that is kept near a moment` {
    @Test(arguments: BasisLife.all)
    func
        `gives every document that a fold of all events gives, in whatever order moments are asked`(
            life: BasisLife
        )
    {
        life.expect { engine, events in
            try Self.difference(
                engine, Self.moments(of: events.map { Int($0.position) }), of: life.product)
        }
    }

    @Test func `gives nothing personal of who was erased since`() throws {
        let journal = try TemporaryJournal.after(
            ExamRoomHistory.commands(seed: 1960, count: 90))
        let engine = try journal.open()
        let position = try engine.allEvents().count - 1
        let trial = PastTrial(room: 8)
        let before = try Self.difference(
            engine, [position, position - 1], of: "examroom", in: trial)
        #expect(before == nil)
        try engine.run(
            ["A-1", "S-1", "S-2"].map { person in
                TestCommand(
                    "erase-\(person)", "account.erase", at: Instant("2028-05-01T00:00:00Z"),
                    by: "system", [("subject", .string("examroom/\(person)"))])
            })
        let after = try Self.difference(
            engine, [position, position - 1], of: "examroom", in: trial)
        #expect(after == nil)
    }

    // MARK: Moments

    /// Forward, back over a short way and a long one, the same again, and on beyond where a state reaches.
    private static func moments(of positions: [Int]) -> [Int] {
        let count = positions.count
        let middle = count * 2 / 3
        let places = [
            middle, middle - 1, middle + 1, middle - 9, middle + 40, 3, count - 2, count - 7,
        ]
        return places.filter { (0..<count).contains($0) }.map { positions[$0] }
    }

    private static func difference(
        _ engine: EventEngine, _ positions: [Int], of product: String,
        in trial: PastTrial = PastTrial(room: 8)
    ) throws -> String? {
        let own = try engine.models().filter { $0.name.hasPrefix(product + ".") }
        for model in own {
            let keys =
                try model.key == nil ? [nil] : engine.keys(of: model.name).prefix(1).map { $0 }
            for position in positions {
                for key in keys {
                    var request = ShowRequest()
                    request.asOf = Moment("\(position)")
                    if let key {
                        // A model that cannot do without an argument, and has none to show for the key.
                        guard let arguments = try engine.samples(of: model.name, key: key).first
                        else { continue }
                        request.arguments = arguments
                    }
                    let near = try engine.show(model.name, key: key, request, in: trial)
                    let whole = try engine.wholeShow(model.name, key: key, request)
                    guard near.text == whole.text else {
                        return """
                            \(model.name) \(key ?? "") as of \(position):
                              \(whole.text)
                              \(near.text)
                            """
                    }
                }
            }
        }
        return nil
    }
}
