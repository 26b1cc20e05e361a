import EventLog
import Foundation
import Products
import TestSupport
import Testing

@testable import Engine

@Suite struct `A state that is stored` {
    private static let day = "2026-02-02T09:00:00Z"
    private let place: DiskPlace
    private let engine: EventEngine

    init() throws {
        place = try DiskPlace()
        engine = try place.open()
    }

    /// A state of one's own at the head, on top of what is stored.
    private func session(isReadOnly: Bool = false) throws -> (Session, JournalSnapshot) {
        let snapshot = try engine.journal.snapshot()
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: isReadOnly)
        let session = try Session(
            journal: engine.journal, registry: engine.registry, store: store, snapshot: snapshot)
        try session.catchUp(snapshot)
        return (session, snapshot)
    }

    private func register(_ numbers: ClosedRange<Int>) throws {
        _ = try engine.submit(
            numbers.map { Room.register("S-\($0)", at: Self.day) }, clock: fixedClock)
    }

    @Test func `is not written over by one that stands further back`() throws {
        try register(1...20)
        let (first, start) = try session()
        try first.save(start)
        try register(21...25)
        let (late, middle) = try session()
        #expect(late.storedPosition == start.head.position)
        try register(26...30)
        let (early, end) = try session()
        try early.save(end)
        // Its rows of the first twenty are in what is stored, and nowhere else.
        try late.save(middle)
        let (fresh, head) = try session()
        #expect(fresh.storedPosition == head.head.position)
        #expect(try engine.verify().isWhole)
        // It goes on from where it stands.
        try late.catchUp(head)
        try late.save(head)
        #expect(late.storedPosition == head.head.position)
        #expect(try engine.verify().isWhole)
    }

    /// One attempt, whose answers are right or wrong.
    private func attempt(_ id: String, _ student: String, _ option: String, _ hour: Int) throws {
        let at = "2026-02-03T\(hour):00:00Z"
        let outcomes = try engine.submit(
            [
                Room.start(id, "EX-1", student, at: at),
                Room.answer(id, "Q-1", option, student, at: at),
                Room.answer(id, "Q-2", option, student, at: at), Room.submit(id, student, at: at),
            ], clock: fixedClock)
        #expect(outcomes.allSatisfy { $0.status == .accepted })
    }

    @Test func `is left to whoever stored a later one: ranks were settled in between`() throws {
        _ = try engine.submit(Room.exam("EX-1", maxAttempts: 9, at: Self.day), clock: fixedClock)
        try register(1...3)
        try attempt("AT-1", "S-1", "a", 10)
        try attempt("AT-2", "S-2", "a", 11)
        let (first, start) = try session()
        try first.save(start)
        let (late, _) = try session()
        let (reading, _) = try session(isReadOnly: true)
        #expect(late.storedPosition == start.head.position)
        try attempt("AT-3", "S-1", "b", 12)
        let (early, middle) = try session()
        try early.save(middle)
        try attempt("AT-4", "S-1", "b", 13)
        let head = try engine.journal.snapshot()
        for session in [late, reading] {
            try session.catchUp(head)
            try session.save(head)
            #expect(session.isSuperseded)
            #expect(session.storedPosition == start.head.position)
        }
        let (fresh, _) = try session()
        #expect(fresh.storedPosition == middle.head.position)
        try fresh.save(head)
        #expect(!fresh.isSuperseded)
        #expect(try engine.verify().isWhole)
    }

    @Test func `stays where it cannot be opened now, and is whole`() throws {
        try register(1...20)
        let (first, start) = try session()
        try first.save(start)
        func file() throws -> UInt64? {
            try FileManager.default.attributesOfItem(atPath: place.journal + "/views.mdb")[
                .systemFileNumber] as? UInt64
        }
        let before = try file()
        let directory = unsafe open(place.journal, O_RDONLY)
        defer { close(directory) }
        #expect(flock(directory, LOCK_EX) == 0)
        let maker = engine.maker
        #expect(engineError { _ = try maker.views(isReadOnly: false) }?.kind == .busy)
        #expect(flock(directory, LOCK_UN) == 0)
        #expect(try file() == before)
    }

    @Test func `is never replaced by an older one: a rebuild goes on to what others stored`() throws
    {
        try register(1...20)
        var options = EventEngine.Options()
        options.rebuildLimit.step = 5
        let rebuilding = try EventEngine(at: place.journal, options: options)
        var others: (Session, JournalSnapshot)?
        let report = try rebuilding.rebuild { progress in
            guard progress.what == "folding", others == nil else { return }
            try register(21...40)
            let other = try session()
            try other.0.save(other.1)
            others = other
        }
        let (other, stored) = try #require(others)
        // Rows of the first forty are in what it stored, and nowhere else.
        try register(41...45)
        let head = try engine.journal.snapshot()
        try other.catchUp(head)
        try other.save(head)
        #expect(report.position == stored.head.position)
        #expect(other.storedPosition == head.head.position)
        #expect(try engine.verify().isWhole)
    }

    @Test func `is left as it is by a check, which compares it, and by an engine that only reads`()
        throws
    {
        try register(1...20)
        let (first, start) = try session()
        try first.save(start)
        try register(21...25)
        let report = try engine.rebuild(isCheck: true)
        #expect(report.differences == [])
        #expect(try place.open(isReadOnly: true).rebuild().digest == report.digest)
        let (late, _) = try session()
        #expect(late.storedPosition == start.head.position)
    }

    @Test func `of one product is all that a question to that product folds`() throws {
        try register(1...600)
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: false)
        let reader = Reader(store: store, maker: engine.maker, pasts: KeptPasts(), near: 0)
        func products() -> [[String]] { reader.sessions.map { $0.products.map(\.name).sorted() } }
        _ = try reader.show("journal.summary", nil, ShowRequest())
        #expect(products() == [[]])
        _ = try reader.show("examroom.students", nil, ShowRequest())
        #expect(products() == [["examroom"]])
        // ExamRoom's is stored by now.
        _ = try reader.show("tafawoq.policy", nil, ShowRequest())
        #expect(products() == [["examroom", "tafawoq"]])
        _ = try reader.show("timers.pending", nil, ShowRequest())
        #expect(products() == [["examroom", "learnable", "quranflow", "tafawoq"]])
        reader.forget()
        _ = try reader.show("examroom.students", nil, ShowRequest())
        #expect(products() == [["examroom", "learnable", "quranflow", "tafawoq"]])
    }

    @Test func `of what is asked alone is opened for who asks a question and ends`() throws {
        try register(1...600)
        let (first, start) = try session()
        try first.save(start)
        let store = try StoredState(
            journal: engine.journal, registry: engine.registry, isReadOnly: false)
        let reader = Reader(
            store: store, maker: engine.maker, pasts: KeptPasts(), opensAskedAlone: true)
        for (model, products) in [
            ("journal.summary", [[]]), ("examroom.students", [["examroom"]]),
            ("tafawoq.policy", [["examroom"], ["tafawoq"]]),
            ("timers.pending", [["examroom", "learnable", "quranflow", "tafawoq"]]),
        ] {
            let document = try reader.show(model, nil, ShowRequest()).document
            #expect(try document == engine.show(model))
            #expect(reader.sessions.map { $0.products.map(\.name).sorted() } == products)
        }
    }

    @Test func `of one product is made again without the others`() throws {
        try register(1...20)
        let (first, start) = try session()
        try first.save(start)
        try register(21...25)
        let report = try engine.rebuild(["tafawoq.policy"])
        #expect(report.entries.map(\.model) == ["tafawoq.policy"])
        let (session, head) = try session()
        #expect(session.storedPosition == start.head.position)
        #expect(session.position == head.head.position)
        #expect(session.foldedEvents == head.head.position.number - start.head.position.number)
        #expect(try engine.verify().isWhole)
    }
}
