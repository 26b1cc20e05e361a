import Products
import Engine
import Core
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

/// Counts how often stored views were found to be damaged by who read them.
private final class Damage: EngineObserver {
    private let found = Atomic(0)

    func engine(did activity: EngineActivity) {
        guard case .failed(let failure) = activity, failure.operation == .readViews else { return }
        found.add(1, ordering: .relaxed)
    }

    var count: Int { found.load(ordering: .relaxed) }
}

@Suite struct `Stored views` {
    private static let lines =
        [Room.register("S-1", at: day), Room.register("A-1", "admin", at: day)]
        + Room.exam("EX-1", at: day)
        + [
            Room.start("AT-1", "EX-1", "S-1", at: day),
            Room.answer("AT-1", "Q-1", "a", "S-1", at: day),
        ]

    private let place: DiskPlace
    private let expected: [String: String]

    init() throws {
        place = try DiskPlace()
        let engine = try place.open()
        _ = try engine.submit(Self.lines, clock: fixedClock)
        expected = try Documents.all(of: engine)
    }

    private var views: String { place.journal + "/views.mdb" }

    /// Right answers by an engine that only reads, then by one that also stores; then it goes on.
    private func expectRight(
        _ expected: [String: String], _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for isReadOnly in [true, false, true] {
            let engine = try place.open(isReadOnly: isReadOnly)
            let found = try Documents.all(of: engine)
            let difference = Documents.difference(expected, found)
            #expect(
                difference == nil, "\(what), read only \(isReadOnly): \(difference ?? "")",
                sourceLocation: sourceLocation)
            if !isReadOnly {
                #expect(try engine.verify().isWhole, "\(what)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func `that are missing, cut off or nonsense are made again`() throws {
        let whole = try Data(contentsOf: URL(filePath: views))
        let other = try DiskPlace()
        do {
            let engine = try other.open()
            _ = try engine.submit(one: Room.register("S-9", at: day))
            _ = try engine.show("examroom.students")
        }
        var random = SplitMix64(seed: 11)
        let nonsense = Data((0..<whole.count).map { _ in UInt8(random.next() % 256) })
        let cases: [(String, Data?)] = [
            ("missing", nil), ("empty", Data()), ("a byte", Data([1])),
            ("a page", whole.prefix(4096)), ("half", whole.prefix(whole.count / 2)),
            ("all but the end", whole.dropLast(5000)), ("nonsense", nonsense),
            ("zeros", Data(count: whole.count)), ("text", Data("views\n".utf8)),
            (
                "of another journal",
                try Data(contentsOf: URL(filePath: other.journal + "/views.mdb"))
            ),
            (
                "the journal itself",
                try Data(contentsOf: URL(filePath: place.journal + "/journal.mdb"))
            ),
        ]
        for (what, bytes) in cases {
            try waitUntilClosed(place.journal)
            try? FileManager.default.removeItem(atPath: views)
            if let bytes { try bytes.write(to: URL(filePath: views)) }
            try expectRight(expected, what)
        }
        try waitUntilClosed(place.journal)
        try FileManager.default.removeItem(atPath: views)
        try FileManager.default.createDirectory(atPath: views, withIntermediateDirectories: false)
        let engine = try place.open(isReadOnly: true)
        let found = try Documents.all(of: engine)
        #expect(Documents.difference(expected, found) == nil)
    }

    @Test(arguments: UInt64(1)...3)
    func `with flipped bits are never believed`(seed: UInt64) throws {
        let whole = try Data(contentsOf: URL(filePath: views))
        var random = SplitMix64(seed: seed)
        let used = whole.indices.filter { whole[$0] != 0 }  // not the empty middle of a page
        for _ in 0..<40 {
            var bytes = whole
            let offset = used[Int(random.next() % UInt64(used.count))]
            bytes[offset] ^= 1 << UInt8(random.next() % 8)
            try waitUntilClosed(place.journal)
            try bytes.write(to: URL(filePath: views))
            try expectRight(expected, "byte \(offset)")
        }
    }

    @Test func `that decide, too, are never believed when they are damaged`() throws {
        _ = try place.open().rebuild()
        try waitUntilClosed(place.journal)
        let whole = try Data(contentsOf: URL(filePath: views))
        var random = SplitMix64(seed: 4)
        let new = Room.register("S-9", at: day)
        let start = Room.start("AT-2", "EX-1", "S-1", at: day)
        for round in 0..<60 {
            try waitUntilClosed(place.journal)
            try flipped(whole, [1, 4, 64][round % 3], &random).write(to: URL(filePath: views))
            let rehearsal = try Rehearsal(on: place.open(), explains: false)
            let outcomes = try [new, new].map { try tried($0, rehearsal) }
            let last = try tried(start, rehearsal)
            #expect(outcomes.map(\.status) == [.accepted, .duplicate])
            #expect(last.code == "attempt-open", "\(last.document.text)")
        }
    }

    @Test func `that a dry run finds damaged on its way leave it where it began`() throws {
        _ = try place.open().rebuild()
        let other = Room.register("S-8", at: day)
        let damage = Damage()
        let rehearsal = try Rehearsal(on: place.open { $0.observer = damage }, explains: false)
        let first = try tried(Room.register("S-9", at: day), rehearsal)
        _ = try place.open().submit(
            [other, Room.register("S-7", at: day)], clock: fixedClock)
        let second = try tried(other, rehearsal)
        #expect(second.status == .accepted, "\(second.document.text)")
        #expect(second.document.position == first.document.position.map { $0 + 1 })
        #expect(damage.count == 0)
        try spoilValues()
        let start = try tried(Room.start("AT-2", "EX-1", "S-1", at: day), rehearsal)
        #expect(start.code == "attempt-open", "\(start.document.text)")
        #expect(damage.count == 1)
        let third = try tried(Room.register("S-10", at: day), rehearsal)
        #expect(third.document.position == second.document.position.map { $0 + 1 })
        #expect(try tried(other, rehearsal).status == .duplicate)
    }

    /// Changes the last byte of every row in the file, under those who have it open.
    private func spoilValues() throws {
        let file = try FileHandle(forUpdating: URL(filePath: views))
        defer { try? file.close() }
        let bytes = try Data(contentsOf: URL(filePath: views))
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        for page in stride(from: 8192, to: bytes.count, by: 4096) where number(page + 10) == 2 {
            for slot in stride(from: page + 16, to: page + number(page + 12), by: 2) {
                let node = page + number(slot)
                // Not a table, nor a row in pages of its own.
                guard number(node + 4) == 0 else { continue }
                let end = node + 8 + number(node + 6) + (number(node) | number(node + 2) << 16)
                try file.seek(toOffset: UInt64(end - 1))
                try file.write(contentsOf: Data([bytes[end - 1] ^ 1]))
            }
        }
    }

    private func tried(_ line: [UInt8], _ rehearsal: Rehearsal) throws -> Outcome {
        try rehearsal.submit([line], firstLine: 1, clock: Instant(fixedClock))[0]
    }

    /// The file with so many bits changed, not of the empty middle of a page.
    private func flipped(_ whole: Data, _ count: Int, _ random: inout SplitMix64) -> Data {
        let used = whole.indices.dropFirst(8192).filter { whole[$0] != 0 }
        var bytes = whole
        for _ in 0..<count {
            let offset = used[Int(random.next() % UInt64(used.count))]
            bytes[offset] ^= 1 << UInt8(random.next() % 8)
        }
        return bytes
    }

    @Test func `of a journal that was put back to an older copy are not believed`() throws {
        let journal = place.journal + "/journal.mdb"
        let older = try Data(contentsOf: URL(filePath: journal))
        do {
            let engine = try place.open()
            _ = try engine.submit(
                [
                    Room.answer("AT-1", "Q-2", "b", "S-1", at: day),
                    Room.submit("AT-1", "S-1", at: day),
                ],
                clock: fixedClock)
            _ = try engine.show("examroom.students")
        }
        let newerViews = try Data(contentsOf: URL(filePath: views))
        try waitUntilClosed(place.journal)
        try older.write(to: URL(filePath: journal))
        try expectRight(expected, "older copy")
        // The same positions come to hold other events.
        try waitUntilClosed(place.journal)
        try newerViews.write(to: URL(filePath: views))
        let other = try DiskPlace()
        let otherLines = [
            Room.answer("AT-1", "Q-2", "a", "S-1", at: day), Room.submit("AT-1", "S-1", at: day),
        ]
        let afterwards: [String: String]
        do {
            let engine = try other.open()
            _ = try engine.submit(Self.lines + otherLines, clock: fixedClock)
            afterwards = try Documents.all(of: engine)
        }
        #expect(
            try place.open().submit(otherLines, clock: fixedClock).allSatisfy {
                $0.status == .accepted
            })
        try waitUntilClosed(place.journal)
        try newerViews.write(to: URL(filePath: views))
        try expectRight(afterwards, "another future")
    }

    @Test func `that are behind are caught up`() throws {
        let behind = try Data(contentsOf: URL(filePath: views))
        let afterwards: [String: String]
        do {
            let engine = try place.open()
            _ = try engine.submit(one: Room.submit("AT-1", "S-1", at: day))
            afterwards = try Documents.all(of: engine)
        }
        try waitUntilClosed(place.journal)
        try behind.write(to: URL(filePath: views))
        try expectRight(afterwards, "behind")
    }
}
