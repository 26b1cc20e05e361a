import Core
import Engine
import Foundation
import Products
import Synchronization
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

/// What a caller gives, and what becomes of it.
@Suite struct `A caller` {
    private let place: DiskPlace

    init() throws { place = try DiskPlace() }

    private func register(_ numbers: ClosedRange<Int>, in engine: EventEngine) throws {
        let outcomes = try engine.submit(
            numbers.map { Room.register("S-\($0)", at: day) }, clock: fixedClock)
        #expect(outcomes.allSatisfy { $0.status == .accepted })
    }

    private final class Folds: EngineObserver {
        private let counted = Mutex(0)

        func engine(did activity: EngineActivity) {
            if case .folded = activity { counted.withLock { $0 += 1 } }
        }

        var count: Int { counted.withLock { $0 } }
    }

    @Test func `who asks wrongly costs the next one nothing`() throws {
        try register(1...300, in: try place.open())
        // Without stored views: what is let go of is folded from the first event.
        try FileManager.default.removeItem(atPath: place.journal + "/views.mdb")
        let folds = Folds()
        let engine = try place.open {
            $0.observer = folds
            $0.isReadOnly = true
        }
        let first = try engine.show("examroom.students")
        let before = folds.count
        #expect(before > 0)
        #expect(engineError { _ = try engine.show("no.such") }?.kind == .wrongUse)
        #expect(engineError { _ = try engine.show("examroom.exam") }?.kind == .wrongUse)
        #expect(try engine.show("examroom.students") == first)
        #expect(folds.count == before)
    }

    @Test func `may give the greatest and the least of numbers`() async throws {
        let engine = try place.open { $0.writerWaitSeconds = .max }
        try register(1...40, in: engine)
        let all = try await engine.page(after: .zero, bytes: .max)
        #expect(all.events.count == 40)
        #expect(try await engine.page(after: Position(.max)).events.isEmpty)
        for bytes in [Int.min, 0, Int.max] {
            var count = 0
            for try await _ in try engine.events(EventFilter(), sliceBytes: bytes) { count += 1 }
            #expect(count == 40)
        }
        await engine.close()
    }
}
