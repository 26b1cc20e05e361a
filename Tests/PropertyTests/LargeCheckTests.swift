import Core
import EventLog
import Folding
import Products
import TestSupport
import Testing

@testable import Engine

@Suite struct `A check of a large journal` {
    /// Takes every row of one of a product's stored tables away.
    private func empty(_ table: String, of product: String, _ engine: EventEngine) throws {
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: false)
        let session = try Session(
            journal: engine.journal, registry: engine.registry, store: store,
            snapshot: engine.journal.snapshot())
        let runtime = try #require(session.runtime(of: product))
        let mark = try #require(
            try store.views.snapshot().meta(Mark.name(of: runtime)).flatMap(Mark.init))
        let number = try #require(runtime.space.tables.first { $0.name == table }).number
        try store.views.write { views in
            try views.clear(table: store.firstTable(runtime, in: mark.set) + number)
        }
    }

    @Test(arguments: UInt64(0)..<4)
    func `finds the same as one in memory, and stores nothing`(seed: UInt64) throws {
        let commands = AllProducts.commands(seed: seed)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(30)))
        _ = try journal.open().rebuild()
        // The stored state lies some events behind.
        try journal.open().run(Array(commands.suffix(30)))
        let expected = try journal.open().verify()
        let stored = try ViewStore(at: journal.path).bytes()
        let found = try journal.openTight().verify()
        #expect(found.isWhole && expected.isWhole)
        #expect(found.digest == expected.digest && found.digest != nil)
        let checked = try journal.openTight().rebuild(isCheck: true)
        #expect(checked.differences == [])
        #expect(checked.digest == expected.digest)
        #expect(checked.entries.allSatisfy { $0.stored != nil })
        #expect(try ViewStore(at: journal.path).bytes() == stored)
    }

    @Test func `compares nothing that is not stored`() throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 5))
        let expected = try journal.open().verify()
        try ViewStore.reset(at: journal.path)
        let found = try journal.openTight().verify()
        #expect(found.isWhole)
        #expect(found.digest == expected.digest)
        let checked = try journal.openTight().rebuild(isCheck: true)
        #expect(checked.digest == expected.digest)
        #expect(checked.differences == [])
        let products = try journal.open().registry.products.map { $0.name + "." }
        #expect(
            checked.entries.allSatisfy { entry in
                entry.stored == nil || !products.contains(where: entry.model.hasPrefix)
            })
    }

    @Test func `is made in memory where there is no place for its file`() throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 8))
        let expected = try journal.open().rebuild()
        let engine = try journal.openTight(scratch: journal.path + "/nowhere")
        #expect(engine.maker.forgetful(at: Position(1)) == nil)
        #expect(try engine.verify().digest == expected.digest)
        #expect(try engine.rebuild(isCheck: true).digest == expected.digest)
    }

    @Test(arguments: ["accounts", "attempts"])
    func `finds rows that are missing from what is stored`(table: String) throws {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: 6))
        _ = try journal.open().rebuild()
        try empty(table, of: "examroom", journal.open())
        let expected = try journal.open().verify()
        let found = try journal.openTight().verify()
        #expect(!found.isWhole)
        #expect(found.findings == expected.findings)
        #expect(try !journal.openTight().rebuild(isCheck: true).differences.isEmpty)
    }

    @Test func `finds rows that nothing should be stored of`() throws {
        let commands = AllProducts.commands(seed: 7)
        let journal = try TemporaryJournal.after(commands)
        let engine = try journal.open()
        let snapshot = try engine.journal.snapshot()
        let session = try Session(
            journal: engine.journal, registry: engine.registry, store: nil, snapshot: snapshot)
        try session.catchUp(snapshot)
        let other = try Session(
            journal: engine.journal, registry: engine.registry, store: nil, snapshot: snapshot)
        try other.catchUp(snapshot, through: Position(1))
        let forgetful = try #require(journal.openTight().maker.forgetful(at: Position(1)))
        let folded = try Reader.folded(
            engine.journal, engine.registry, snapshot, Scope(through: snapshot.head.position),
            overflow: forgetful.overflowing())
        #expect(folded.hasOverflowed)
        _ = try forgetful.replaceStored(by: folded, snapshot)
        let store = try forgetful.store(isReadOnly: true)
        let stored = try Session(
            journal: engine.journal, registry: engine.registry, store: store, snapshot: snapshot)
        #expect(stored.position == snapshot.head.position)
        // Read from the file, one row after the other, and from memory.
        #expect(try stored.products(unlike: session) == [])
        #expect(try session.products(unlike: stored) == [])
        let all = Set(engine.registry.products.map(\.name))
        let reopened = try Session(
            journal: engine.journal, registry: engine.registry, store: store, snapshot: snapshot)
        #expect(try reopened.products(unlike: other) == all)
    }
}

extension ViewStore {
    /// Every stored row of every product.
    fileprivate func bytes() throws -> [[UInt8]] {
        let view = try snapshot()
        var found: [[UInt8]] = []
        for table in UInt16(0)..<5000 {
            try view.scan(table: table) { key, value in
                found.append(key + value)
                return true
            }
        }
        return found
    }
}
