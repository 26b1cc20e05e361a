import Core
import Dispatch
import EventLog
import Products
import Synchronization
import TestSupport
import Testing

@testable import Engine

@Suite struct `A large journal that nothing is stored of` {
    /// Whatever its length is, and however little memory its state takes.
    private func openLarge(
        _ journal: TemporaryJournal, isReadOnly: Bool = false, _ observer: Counter = Counter()
    ) throws -> EventEngine {
        var options = EventEngine.Options.tight
        options.isReadOnly = isReadOnly
        options.readers = 4
        options.observer = observer
        return try EventEngine(at: journal.path, options: options)
    }

    /// A journal whose stored state was thrown away.
    private func journal(_ seed: UInt64) throws -> (TemporaryJournal, expected: String) {
        let journal = try TemporaryJournal.after(AllProducts.commands(seed: seed))
        let expected = try journal.open().show("examroom.students").text
        try ViewStore.reset(at: journal.path)
        return (journal, expected)
    }

    @Test(arguments: UInt64(0)..<3)
    func `has the state of the product in question made and stored by who asks first`(
        seed: UInt64
    ) throws {
        let (journal, expected) = try journal(seed)
        let engine = try openLarge(journal)
        #expect(try engine.show("examroom.students").text == expected)
        #expect(try Stored(engine).products.contains("examroom"))
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
    }

    @Test func `has all states made and stored by the first command`() throws {
        let commands = AllProducts.commands(seed: 4)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(20)))
        try ViewStore.reset(at: journal.path)
        let engine = try openLarge(journal)
        let outcomes = try engine.run(Array(commands.suffix(20)))
        let whole = try TemporaryJournal.after(Array(commands.dropLast(20)))
        #expect(
            try whole.open().run(Array(commands.suffix(20))).map(\.status) == outcomes.map(\.status)
        )
        #expect(try Stored(engine).products == engine.registry.products.map(\.name))
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
        #expect(try journal.open().verify().isWhole)
    }

    @Test func `has the other states made where one is further than who asks`() throws {
        let commands = AllProducts.commands(seed: 7)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(20)))
        let former = try journal.open().journal.snapshot()
        _ = try journal.open().run(Array(commands.suffix(20)))
        try ViewStore.reset(at: journal.path)
        let engine = try openLarge(journal)
        let products = engine.registry.products
        let newest = try engine.journal.snapshot()
        #expect(newest.head.position > former.head.position)
        try engine.maker.make(products.filter { $0.name == "examroom" }, newest)
        #expect(try Stored(engine).products == ["examroom"])
        let position = try engine.read { try $0.present(former, products).position }
        #expect(position == former.head.position)
        let stored = try Stored(engine)
        #expect(stored.products == products.map(\.name))
        #expect(stored.positions["examroom"] == newest.head.position)
        #expect(try journal.open().rebuild(isCheck: true).differences == [])
    }

    @Test func `is folded once, however many ask at the same time`() throws {
        let (journal, expected) = try journal(5)
        let counter = Counter()
        let engine = try openLarge(journal, counter)
        let (others, mine) = try concurrently(
            (0..<3).map { _ in { @Sendable in try engine.show("examroom.students").text } }
        ) {
            try engine.show("examroom.students").text
        }
        #expect(others + [mine] == Array(repeating: expected, count: 4))
        #expect(counter.folds == 1)
    }

    @Test func `is folded in memory where nothing can be stored`() throws {
        let (journal, expected) = try journal(6)
        let other = try ViewStore(at: journal.path)
        let engine = try openLarge(journal)
        // Somebody else is writing the views all the time.
        let (isWriting, isShown) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (_, shown) = try concurrently({
            try other.write { _ in
                isWriting.signal()
                isShown.wait()
            }
        }) {
            isWriting.wait()
            defer { isShown.signal() }
            return try engine.show("examroom.students").text
        }
        #expect(shown == expected)
        #expect(try Stored(engine).products == [])
    }

    @Test func `is folded once, into a file of its own, by a reader that may not store`() throws {
        let commands = AllProducts.commands(seed: 8)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(20)))
        let expected = try journal.open().show("examroom.students").text
        try ViewStore.reset(at: journal.path)
        let writer = try journal.open()
        let counter = Counter()
        let engine = try openLarge(journal, isReadOnly: true, counter)
        let former = try engine.journal.snapshot()
        let (others, mine) = try concurrently(
            (0..<3).map { _ in { @Sendable in try engine.show("examroom.students").text } }
        ) {
            try engine.show("examroom.students").text
        }
        #expect(others + [mine] == Array(repeating: expected, count: 4))
        #expect(counter.folds == 1)
        #expect(try Stored(writer).positions.isEmpty)
        // What is recorded later is folded on top.
        try writer.run(Array(commands.suffix(20)))
        #expect(
            try engine.show("examroom.students").text == writer.show("examroom.students").text)
        // Who stands further back has no use for what was made later, and folds in memory.
        let later = try openLarge(journal, isReadOnly: true)
        func open(_ snapshot: JournalSnapshot) throws -> Session {
            try later.maker.opened(snapshot, nil) {
                try Session(
                    journal: later.journal, registry: later.registry, store: $0, snapshot: snapshot)
            }
        }
        let newest = try later.journal.snapshot()
        #expect(try open(newest).position == newest.head.position)
        let session = try open(former)
        #expect(session.position == .zero)
        try session.catchUp(former)
        #expect(session.position == former.head.position)
    }
}

/// Counts folds.
private final class Counter: EngineObserver {
    private let count = Mutex(0)

    var folds: Int { count.withLock { $0 } }

    func engine(did activity: EngineActivity) {
        if case .folded = activity { count.withLock { $0 += 1 } }
    }
}

/// What is stored of a journal.
private struct Stored {
    /// Those whose rows are where an overflow puts them, and a state that was folded in memory has none.
    let products: [String]
    private(set) var positions: [String: Position] = [:]

    init(_ engine: EventEngine) throws {
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: true)
        let session = try Session(
            journal: engine.journal, registry: engine.registry, store: store,
            snapshot: engine.journal.snapshot())
        let view = try store.views.snapshot()
        var products: [String] = []
        for runtime in session.runtimes {
            guard let mark = try view.meta(Mark.name(of: runtime)).flatMap(Mark.init) else {
                continue
            }
            positions[runtime.product] = mark.position
            if mark.set == .second { products.append(runtime.product) }
        }
        self.products = products
    }
}
