import Products
import Engine
import Foundation
import TestSupport
import Testing

@Suite struct `Long work that is told to end` {
    private static let day = "2026-02-02T09:00:00Z"
    private let place: DiskPlace
    private let engine: EventEngine
    private let enough = EngineError(.closed, "enough")

    init() throws {
        place = try DiskPlace()
        engine = try place.open()
        // Enough for every stretch of the work to tell how far it is.
        let lines = (1...4_200).map { Room.register("S-\($0)", at: Self.day) }
        _ = try engine.submit(lines, clock: fixedClock)
    }

    @Test func `ends a verification in each of its stretches with the error that was thrown`()
        throws
    {
        var stretches: [String] = []
        _ = try engine.verify { stretches.append($0.what) }
        // The tree's few leaves may all be another thread's.
        #expect(
            Set(stretches).subtracting(["hashing the tree"])
                == ["verifying", "folding", "digesting"])
        for stretch in ["verifying", "folding", "digesting"] {
            #expect(throws: enough) {
                try engine.verify { if $0.what == stretch { throw enough } }
            }
        }
        #expect(try engine.verify().isWhole)
    }

    @Test func `ends a rebuild, and what is stored is right all the same`() throws {
        for stretch in ["folding", "digesting"] {
            #expect(throws: enough) {
                try engine.rebuild { if $0.what == stretch { throw enough } }
            }
            #expect(try engine.rebuild(isCheck: true).differences == [])
        }
    }

    @Test func `ends a backup, which the next run makes whole`() throws {
        let backup = place.journal + "-backup"
        #expect(throws: enough) { try engine.backup(to: backup) { _ in throw enough } }
        #expect(!FileManager.default.fileExists(atPath: backup + "/backup.json"))
        #expect(try engine.backup(to: backup).events == 4_200)
    }

    @Test func `tells how far it is without going back`() throws {
        var reached: [String: [UInt64]] = [:]
        let report = try engine.rebuild { reached[$0.what, default: []].append($0.done) }
        #expect(reached["folding"] == [4_096])
        #expect(reached["digesting"]?.count ?? 0 > 1)
        for (stretch, done) in reached { #expect(done == done.sorted(), "\(stretch)") }
        #expect(report.events == 4_200)
    }
}
