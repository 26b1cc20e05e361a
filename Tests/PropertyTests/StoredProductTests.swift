import Core
import TestSupport
import Testing

@testable import Engine

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

    @Test(arguments: UInt64(0)..<6)
    func `is shown the same, whichever products were folded before`(seed: UInt64) throws {
        let journal = try TemporaryJournal.after([])
        let engine = try journal.open()
        var random = SplitMix64(seed: seed ^ 0xCD)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var states: [Int] = []
        func reader() throws -> Reader {
            let store = try StoredState(
                journal: engine.journal, registry: engine.registry,
                isReadOnly: below(3) == 0, rebuilds: engine.maker.rebuilds)
            return Reader(
                store: below(3) == 0 ? nil : store, maker: engine.maker, pasts: KeptPasts(),
                near: UInt64(below(2) * 300))
        }
        var reading = try reader()
        let commands = AllProducts.commands(seed: seed)
        var rest = commands[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + below(commands.count / 8))
            rest = rest.dropFirst(part.count)
            _ = try engine.run(Array(part))
            if below(5) == 0 { reading = try reader() }
            if below(8) == 0 { _ = try engine.rebuild(["learnable.policy"]) }
            for _ in 0..<6 {
                let model = engine.registry.models[below(engine.registry.models.count)]
                var key: String?
                if model.key != nil {
                    let keys = try reading.keys(of: model.name)
                    #expect(try keys == engine.keys(of: model.name))
                    if keys.isEmpty { continue }
                    key = keys[below(keys.count)]
                }
                var request = ShowRequest()
                if let key {
                    let samples = try reading.samples(of: model.name, key: key)
                    guard let sample = samples.first else { continue }
                    request.arguments = sample
                }
                let found = try reading.show(model.name, key, request).document
                let expected = try engine.show(model.name, key: key, request)
                #expect(found.text == expected.text, "\(model.name) \(key ?? "")")
                states.append(reading.sessions.count)
            }
        }
        #expect(states.contains { $0 > 1 })
    }
}
