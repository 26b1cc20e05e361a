import Core
import EventLog
import Products
import TestSupport
import Testing

@testable import Engine

@Suite struct `A rebuild with less memory than its state takes` {
    /// Rows go to the stored views after every few events, however little memory they take.
    private func openTight(_ journal: TemporaryJournal, step: UInt64) throws -> EventEngine {
        var options = EventEngine.Options()
        options.rebuildLimit.bytes = .min
        options.rebuildLimit.leastRows = 1
        options.rebuildLimit.step = step
        return try EventEngine(at: journal.path, options: options)
    }

    private struct Interrupted: Error {}

    @Test(arguments: UInt64(0)..<6)
    func `stores and shows what one in memory does, time after time`(seed: UInt64) throws {
        let commands = AllProducts.commands(seed: seed)
        let journal = try TemporaryJournal.after([])
        var random = SplitMix64(seed: seed ^ 0xEF)
        var rest = commands[...]
        // It fills one set of tables and then the other, with commands in between.
        while !rest.isEmpty {
            let part = rest.prefix(commands.count / 4 + 1)
            rest = rest.dropFirst(part.count)
            try journal.open().run(Array(part))
            let step = 1 + random.next() % 90
            let found = try openTight(journal, step: step).rebuild()
            let engine = try journal.open()
            let expected = try engine.rebuild(isCheck: true)
            #expect(found.digest == expected.digest, "every \(step) events")
            #expect(expected.differences == [])
            #expect(try engine.verify().isWhole)
        }
        let whole = try TemporaryJournal.after(commands)
        let expected = try withExtendedLifetime(whole) { try Documents.all(of: whole.open()) }
        let difference = Documents.difference(expected, try Documents.all(of: journal.open()))
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: [1, 2, 4])
    func `may fold its products in groups, each of which lets go of its rows`(
        groups count: Int
    ) throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 9))
        let engine = try openTight(journal, step: 20)
        let products = engine.registry.products
        let groups = (0..<count).map { group in
            products.indices.filter { $0 % count == group }.map { products[$0] }
        }
        let snapshot = try engine.journal.snapshot()
        let session = try Reader.folded(
            engine.journal, engine.registry, snapshot,
            Scope(through: snapshot.head.position), groups: groups,
            overflow: engine.maker.overflowing())
        _ = try engine.maker.replaceStored(by: session, snapshot)
        #expect(session.limit != nil)
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
        #expect(try journal.open().verify().isWhole)
    }

    @Test func `goes on to what others stored meanwhile of some of its products`() throws {
        let commands = AllProducts.commands(seed: 8)
        let journal = try TemporaryJournal.after(Array(commands.prefix(commands.count / 2)))
        let engine = try openTight(journal, step: 20)
        let products = engine.registry.products
        let snapshot = try engine.journal.snapshot()
        let session = try Reader.folded(
            engine.journal, engine.registry, snapshot, Scope(through: snapshot.head.position),
            groups: products.map { [$0] }, overflow: engine.maker.overflowing())
        try journal.open().run(Array(commands.dropFirst(commands.count / 2)))
        // The third of four is stored further than the rebuild got: the first two are there already when that is found.
        let newest = try engine.journal.snapshot()
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: false)
        let other = try Session(
            journal: engine.journal, registry: engine.registry, store: store, snapshot: newest,
            of: [products[2]])
        try other.catchUp(newest)
        try other.save(newest)
        let stored = try engine.maker.replaceStored(by: session, snapshot)
        #expect(stored?.head.position == newest.head.position)
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
        #expect(try journal.open().verify().isWhole)
    }

    @Test
    func `leaves what is stored to be read until it is whole, and as it was where it is ended`()
        throws
    {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 3))
        let expected = try journal.open().rebuild().digest
        let engine = try openTight(journal, step: 10)
        var asked = 0
        #expect(throws: EngineError.self) {
            _ = try engine.rebuild { progress in
                guard progress.what == "folding", progress.done > 150 else { return }
                // Both by a program of its own and by the one that rebuilds.
                for reader in [try journal.open(), engine] {
                    let report = try reader.rebuild(["learnable.policy"], isCheck: true)
                    #expect(report.differences == [])
                    _ = try reader.show("examroom.students")
                }
                asked += 1
                if asked == 3 { throw Interrupted() }
            }
        }
        #expect(asked == 3)
        #expect(try Overflowed(engine).rows() == 0)
        let report = try journal.open().rebuild(isCheck: true)
        #expect(report.digest == expected && report.differences == [])
        #expect(try engine.rebuild().digest == expected)
        #expect(try Overflowed(engine).rows() == 0)
    }

    @Test func `ends with one line where another has begun meanwhile, which is stored`() throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 4))
        let first = try openTight(journal, step: 10)
        var others: [String] = []
        let failure = #expect(throws: EngineError.self) {
            _ = try first.rebuild { progress in
                guard others.isEmpty, progress.done > 100 else { return }
                others.append(try openTight(journal, step: 30).rebuild().digest)
            }
        }
        #expect(failure?.message.contains("another rebuild of") == true)
        let report = try journal.open().rebuild(isCheck: true)
        #expect(report.digest == others.first && report.differences == [])
    }

    @Test func `is gone on from by those who stand on what was stored before`() throws {
        let commands = AllProducts.commands(seed: 5)
        let journal = try TemporaryJournal.after(Array(commands.prefix(commands.count / 2)))
        // It stands on what was stored before the rebuild, with rows that differ from it.
        let former = try journal.open()
        _ = try former.rebuild()
        _ = try former.show("examroom.students")
        let rest = commands.dropFirst(commands.count / 2)
        try former.run(Array(rest.prefix(rest.count / 2)))
        _ = try openTight(journal, step: 15).rebuild()
        try former.run(Array(rest.dropFirst(rest.count / 2)))
        for model in former.registry.models where model.key == nil && model.arguments.isEmpty {
            _ = try former.show(model.name)
        }
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
        #expect(try journal.open().verify().isWhole)
    }

    @Test func `lets go of the rows that documents asked for once they are many`() throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 7))
        let engine = try openTight(journal, step: 20)
        let snapshot = try engine.journal.snapshot()
        let session = try Reader.folded(
            engine.journal, engine.registry, snapshot, Scope(through: snapshot.head.position),
            overflow: engine.maker.overflowing())
        _ = try engine.maker.replaceStored(by: session, snapshot)
        session.loadRows()
        func rows() -> Int { session.runtimes.reduce(0) { $0 + $1.rowCount } }
        let loaded = rows()
        #expect(loaded > 100)
        session.limit?.leastRows = loaded + 1
        session.relieve()
        #expect(rows() == loaded)
        session.limit?.leastRows = loaded
        session.relieve()
        #expect(rows() == 0)
    }

    @Test func `may be killed: what it left is not read, and is gone after the next`() throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 6))
        let expected = try journal.open().rebuild().digest
        let engine = try openTight(journal, step: 10)
        let snapshot = try engine.journal.snapshot()
        let session = try Reader.folded(
            engine.journal, engine.registry, snapshot, Scope(through: Position(200)),
            overflow: engine.maker.overflowing())
        // Nobody ends or drops it.
        withExtendedLifetime(session) {}
        #expect(try Overflowed(engine).rows() > 0)
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
        #expect(try journal.open().verify().isWhole)
        #expect(try engine.rebuild().digest == expected)
        #expect(try Overflowed(engine).rows() == 0)
    }
}

@Suite struct `The memory of a rebuild` {
    @Test func `is exceeded by what is allocated behind its beginning`() {
        let limit = MemoryLimit(bytes: 64 << 20).fromHere
        let rows = [UInt8](repeating: 1, count: 1 << 30)
        #expect(limit.isExceeded)
        withExtendedLifetime(rows) {}
    }
}

/// The rows in those sets of tables that nobody reads.
private struct Overflowed {
    private let store: StoredState
    private let engine: EventEngine

    init(_ engine: EventEngine) throws {
        self.engine = engine
        store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: true)
    }

    func rows() throws -> Int {
        let session = try Session(
            journal: engine.journal, registry: engine.registry, store: nil,
            snapshot: engine.journal.snapshot())
        let view = try store.views.snapshot()
        var count = 0
        for runtime in session.runtimes {
            let mark = try view.meta(Mark.name(of: runtime)).flatMap(Mark.init)
            for (number, _) in store.numberedTables(runtime, in: (mark?.set ?? .first).other) {
                try view.scan(table: number) { _, _ in
                    count += 1
                    return true
                }
            }
        }
        return count
    }
}
