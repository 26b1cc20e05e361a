import Core
import EventLog
import Folding
import Products
import Synchronization
import TestSupport
import Testing

@testable import Engine

@Suite struct `A question about the past of a large journal` {
    private func journal(_ seed: UInt64) throws -> TemporaryJournal {
        try TemporaryJournal.after(AllProducts.commands(seed: seed))
    }

    /// Some documents of every model as of a position; in a trial from a state that is kept near it.
    private func documents(
        _ engine: EventEngine, asOf position: Position, in trial: PastTrial? = nil
    ) throws -> [String] {
        var request = ShowRequest()
        request.asOf = .position(position)
        return try engine.models().flatMap { model in
            try (model.key == nil ? [nil] : engine.keys(of: model.name).prefix(2).map { $0 })
                .compactMap { (key: String?) in
                    let samples = try key.map { try engine.samples(of: model.name, key: $0) }
                    // Of some there is nothing to ask yet.
                    guard let sample = samples.map(\.first) ?? [:] else { return nil }
                    request.arguments = sample
                    let document =
                        try trial.map { try engine.show(model.name, key: key, request, in: $0) }
                        ?? engine.show(model.name, key: key, request)
                    return "\(model.name) \(key ?? ""): \(document.text)"
                }
        }
    }

    @Test(arguments: UInt64(0)..<2)
    func `is answered as from a state in memory, forth and back`(seed: UInt64) throws {
        let journal = try journal(seed)
        let (whole, tight) = (try journal.open(), try journal.openTight())
        let last = try whole.journal.head().position.number
        let trial = PastTrial(room: 8)
        for part in [2, 3, 1] {
            let position = Position(last * UInt64(part) / 4)
            let expected = try documents(whole, asOf: position)
            #expect(try documents(tight, asOf: position) == expected, "\(part) quarters")
            // No timer passes there, so that this one is never asked.
            func isAsked(_ document: String) -> Bool { !document.hasPrefix("timers.pending") }
            #expect(
                try documents(tight, asOf: position, in: trial).filter(isAsked)
                    == expected.filter(isAsked), "\(part) quarters")
        }
    }

    @Test func `of an instant is answered as from a state in memory`() throws {
        let journal = try journal(3)
        let (whole, tight) = (try journal.open(), try journal.openTight())
        let middle = Position(try whole.journal.head().position.number / 2)
        var request = ShowRequest()
        request.asOf = .instant(try whole.journal.snapshot().instant(at: middle))
        for model in ["examroom.students", "timers.pending", "tafawoq.policy", "quranflow.policy"] {
            #expect(try tight.show(model, request) == whole.show(model, request), "\(model)")
        }
    }

    @Test func `lets go of rows while it is folded, and behind it`() throws {
        let journal = try journal(4)
        let engine = try journal.openTight()
        let snapshot = try engine.journal.snapshot()
        let past = try engine.maker.past(snapshot, Scope(through: snapshot.head.position))
        #expect(past.hasOverflowed && past.limit != nil)
        #expect(past.runtimes.allSatisfy { $0.isStored && $0.rowCount == 0 })
        // What is taken back is none of those.
        past.goHome()
        let other = try engine.maker.past(snapshot, Scope(through: Position(30)))
        try other.goAside(snapshot, through: snapshot.head.position)
        #expect(other.runtimes.contains { $0.changeCount > 0 })
        other.goHome()
        let again = try engine.maker.past(snapshot, Scope(through: Position(30)))
        #expect(try other.products(unlike: again) == [])
    }

    @Test func `keeps the rows that changed since they were stored, and no others`() throws {
        let commands = AllProducts.commands(seed: 9)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(40)))
        _ = try journal.open().rebuild()
        try journal.open().run(Array(commands.suffix(40)))
        let engine = try journal.openTight()
        let head = try engine.journal.head().position
        let state = try engine.comparedState(engine.registry.products, through: head, of: head)
        let session = state.session
        #expect(session.storedPosition < head && session.position == head)
        let answering = Answering(
            session: session, snapshot: state.snapshot, scope: state.scope, maker: state.maker)
        func documents() throws -> [[String]] {
            try engine.registry.models.filter { !$0.product.isEmpty }.map { model in
                try answering.documents(of: model, now: answering.lastInstant()).map {
                    "\($0.name): \($0.document.text)"
                }.sorted()
            }
        }
        let before = try documents()
        let tables = session.runtimes.flatMap(\.space.tables)
        let changed = tables.map(\.changeCount)
        #expect(changed.contains { $0 > 0 })
        #expect(tables.map(\.rowCount) != changed)
        session.relieve()
        #expect(tables.map(\.rowCount) == changed)
        #expect(try documents() == before)
        #expect(tables.map(\.changeCount) == changed)
        let timers = session.runtimes.flatMap { $0.timers.pending() }.map { "\($0)" }
        let fresh = try engine.maker.past(state.snapshot, Scope(through: head))
        #expect(fresh.runtimes.flatMap { $0.timers.pending() }.map { "\($0)" } == timers)
    }

    @Test func `is answered in memory where there is no place for its file`() throws {
        let journal = try journal(10)
        let engine = try journal.openTight(scratch: journal.path + "/nowhere")
        let middle = Position(try engine.journal.head().position.number / 2)
        #expect(
            try documents(engine, asOf: middle) == documents(journal.open(), asOf: middle))
        let snapshot = try engine.journal.snapshot()
        #expect(try !engine.maker.past(snapshot, Scope(through: middle)).hasOverflowed)
    }

    @Test(arguments: UInt64(5)..<7, [true, false])
    func `finds the same differences as in memory`(seed: UInt64, isBehind: Bool) throws {
        let commands = AllProducts.commands(seed: seed)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(isBehind ? 30 : 0)))
        _ = try journal.open().rebuild()
        if isBehind { try journal.open().run(Array(commands.suffix(30))) }
        let (whole, tight) = (try journal.open(), try journal.openTight())
        let last = try whole.journal.head().position.number
        let (old, new) = (Position(last / 3), Position(last - 1))
        let found = try tight.diff(from: old, to: new)
        #expect(try found == whole.diff(from: old, to: new))
        #expect(found.contains { !$0.differing.isEmpty })
        // What is stored stands there, or some events before.
        #expect(
            try tight.diff(from: old, to: Position(last))
                == whole.diff(from: old, to: Position(last)))
    }

    @Test(arguments: UInt64(7)..<9)
    func `tells the same of what would be`(seed: UInt64) throws {
        let journal = try journal(seed)
        let (whole, tight) = (try journal.open(), try journal.openTight())
        let snapshot = try whole.journal.snapshot()
        let last = snapshot.head.position
        var without = Alternative()
        without.without = Set(stride(from: 5, to: last.number, by: 29).map { Position($0) })
        var later = Alternative()
        later.until = try snapshot.instant(at: last).adding(seconds: 40 * 86_400)
        var both = without
        both.until = later.until
        for alternative in [without, later, both] {
            let found = try tight.whatIf(alternative)
            let expected = try whole.whatIf(alternative)
            #expect(found.models == expected.models)
            #expect(found.models.contains { !$0.differing.isEmpty })
        }
    }
}

@Suite struct `A question about what would come behind the last event` {
    private let clock = Instant(Scenario.clock)

    private final class Counter: EngineObserver {
        private let count = Mutex(0)

        var events: Int { count.withLock { $0 } }

        func engine(did activity: EngineActivity) {
            guard case .folded(let fold) = activity else { return }
            count.withLock { $0 += fold.events }
        }
    }

    private func open(_ journal: TemporaryJournal) throws -> (EventEngine, Counter) {
        let counter = Counter()
        var options = EventEngine.Options()
        options.observer = counter
        return (try EventEngine(at: journal.path, options: options), counter)
    }

    /// A journal whose state is stored, and commands that come behind it.
    private func journal(_ seed: UInt64) throws -> (TemporaryJournal, [String]) {
        let commands = AllProducts.commands(seed: seed)
        let journal = try TemporaryJournal.after(Array(commands.dropLast(12)))
        _ = try journal.open().rebuild()
        return (
            journal, commands.suffix(12).map { String(decoding: $0.line, as: UTF8.self) }
        )
    }

    @Test(arguments: UInt64(0)..<2)
    func `folds nothing that is stored, to explain a command`(seed: UInt64) throws {
        let (journal, lines) = try journal(seed)
        let (engine, counter) = try open(journal)
        let found = try engine.explain(lines, clock: clock)
        #expect(found.count == lines.count)
        #expect(counter.events == 0)
        try ViewStore.reset(at: journal.path)
        let (fresh, all) = try open(journal)
        #expect(
            try fresh.explain(lines, clock: clock).map(\.document) == found.map(\.document))
        #expect(all.events > 0)
        #expect(found.contains { !$0.checks.isEmpty })
    }

    @Test(arguments: UInt64(2)..<4)
    func `folds nothing that is stored, to tell what commands would change`(seed: UInt64) throws {
        let (journal, lines) = try journal(seed)
        let (engine, counter) = try open(journal)
        var alternative = Alternative()
        alternative.commands = lines
        // An export is made of a past.
        let models = try engine.models().map(\.name).filter {
            $0.contains(".") && !$0.hasSuffix(".export")
        }
        let found = try engine.whatIf(alternative, models: models)
        #expect(counter.events == 0)
        try ViewStore.reset(at: journal.path)
        let expected = try open(journal).0.whatIf(alternative, models: models)
        #expect(found.models == expected.models)
        #expect(found.outcomes.map(\.document) == expected.outcomes.map(\.document))
        #expect(found.models.contains { !$0.differing.isEmpty })
    }
}
