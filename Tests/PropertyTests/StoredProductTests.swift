import Core
import Engine
import TestSupport
import Testing

@Suite struct `What is stored of each product` {
    @Test(arguments: UInt64(0)..<6)
    func `is gone on from where it stands, whichever products are further than others`(
        seed: UInt64
    ) throws {
        let commands = AllProducts.commands(seed: seed)
        let whole = try TemporaryJournal.after(commands)
        let expected = try withExtendedLifetime(whole) { try Documents.all(of: whole.open()) }
        let journal = try TemporaryJournal.after([])
        var random = SplitMix64(seed: seed ^ 0xAB)
        var rest = commands[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + Int(random.next() % UInt64(commands.count / 4)))
            rest = rest.dropFirst(part.count)
            // Each an engine of its own: what it does not fold it takes from what is stored.
            try journal.open().run(Array(part))
            let models = ["examroom", "learnable", "quranflow", "tafawoq"]
                .filter { _ in random.next() % 3 == 0 }.map { "\($0).policy" }
            if models.isEmpty { continue }
            let report = try journal.open().rebuild(models, isCheck: true)
            #expect(report.entries.map(\.model) == models)
            #expect(report.differences == [])
        }
        let engine = try journal.open()
        let difference = Documents.difference(expected, try Documents.all(of: engine))
        #expect(difference == nil, "\(difference ?? "")")
        #expect(try engine.verify().isWhole)
    }
}
