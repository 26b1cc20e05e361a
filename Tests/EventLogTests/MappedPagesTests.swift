import CLMDB
import Core
import Testing

@testable import EventLog

/// What is read of LMDB's pages in its map, against LMDB itself.
@Suite("Pages that are looked at before they are followed") struct MappedPagesTests {
    private typealias Row = (key: [UInt8], value: [UInt8])

    /// A table of rows of all lengths, some in pages of their own, changed by several commits.
    private static func table(
        _ store: ViewStore, _ random: inout SplitMix64, commits: Int, rows: Int
    ) throws {
        for _ in 0..<commits {
            let count = random.below(rows) + 1
            try store.write { views in
                for _ in 0..<count {
                    let key = Self.key(&random)
                    if random.below(4) == 0 {
                        try views.delete(table: 3, key: key)
                    } else {
                        let bytes = [0, 7, 80, 900, 5000, 20_000][random.below(random.below(6) + 1)]
                        let byte = UInt8(truncatingIfNeeded: random.next())
                        try views.put(
                            table: 3, key: key, value: [UInt8](repeating: byte, count: bytes))
                    }
                }
            }
        }
    }

    private static func key(_ random: inout SplitMix64) -> [UInt8] {
        let long = [UInt8](repeating: 9, count: random.below(8) == 0 ? random.below(400) : 0)
        return long + (0..<random.below(3) + 1).map { _ in UInt8(random.below(24)) }
    }

    /// The record at a cursor, after a move that found one.
    private static func row(_ cursor: borrowing Cursor, _ found: Bool) -> Row? {
        guard found else { return nil }
        return unsafe (Array(cursor.key), Array(cursor.stored))
    }

    @Test(arguments: UInt64(0)..<12)
    func `say the same as LMDB, wherever a cursor goes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        try Self.table(store, &random, commits: 6, rows: 1 + random.below(900))
        let transaction = try ReadTransaction(store.environment)
        let access = transaction.access
        let pages = try #require(access.pages)
        var followed = access
        followed.pages = nil
        let database = try #require(store.environment.viewTables?.table(3))
        #expect(try pages.tree(of: database) != nil)
        var looked = try Cursor(access, database)
        var led = try Cursor(followed, database)
        func same(_ found: Bool, _ expected: Bool) {
            let (one, other) = (Self.row(looked, found), Self.row(led, expected))
            #expect(one?.key == other?.key)
            #expect(one?.value == other?.value)
        }
        same(try looked.next(), false)
        var count = 0
        var isThere = try looked.first()
        same(isThere, try led.first())
        while isThere {
            count += 1
            isThere = try looked.next()
            same(isThere, try led.next())
        }
        #expect(try count == Int(access.statistics(database).ms_entries))
        for _ in 0..<300 {
            let key = Self.key(&random)
            let value = try unsafe access.value(database, key.span).map { unsafe Array($0) }
            #expect(try unsafe followed.value(database, key.span).map { unsafe Array($0) } == value)
            isThere = try looked.seek(key.span)
            same(isThere, try led.seek(key.span))
            for _ in 0..<random.below(4) where isThere {
                let goesOn = random.below(2) == 0
                isThere = try goesOn ? looked.next() : looked.previous()
                same(isThere, try goesOn ? led.next() : led.previous())
            }
            same(try looked.seekBack(key.span), try led.seekBack(key.span))
        }
        same(try looked.last(), try led.last())
    }

    /// Beyond the length up to which a file's pages are looked at when it is opened. Should this test end the process, LMDB was
    /// led astray.
    @Test(arguments: UInt64(0)..<6)
    func `of a large file are right or damaged, in reading and in writing`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        var model: [[UInt8]: [UInt8]] = [:]
        // With long keys branches lead to branches.
        let suffix = [UInt8](repeating: 1, count: seed.isMultiple(of: 2) ? 0 : 250)
        do {
            let store = try ViewStore(at: makeJournal(scratch).path)
            for _ in 0..<4 {
                try store.write { views in
                    for _ in 0..<700 {
                        let key = (0..<4).map { _ in UInt8(random.below(256)) } + suffix
                        let value = [UInt8](repeating: key[0], count: random.below(300))
                        model[key] = value
                        try views.put(table: 1, key: key, value: value)
                    }
                }
            }
            try store.write { views in
                for key in 0..<2 {
                    // No row packer makes these shorter.
                    let filling = (0..<5 << 17).flatMap { _ in random.next().bytes }
                    try views.put(table: 2, key: [UInt8(key)], value: filling)
                }
            }
        }
        let path = scratch.journal + "/views.mdb"
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 26))
        #expect(whole.count > 8 << 20)
        let trees = (2..<whole.count / 4096).filter { [1, 2, 4].contains(whole[$0 * 4096 + 10]) }
        var found = (right: 0, damaged: 0)
        for turn in 0..<40 {
            var bytes = whole
            for _ in 0...2 + random.below(8) {
                let page = trees[random.below(trees.count)] * 4096
                let offset = random.below(3) == 0 ? random.below(4096) : random.below(80)
                bytes[page + offset] ^= 1 << UInt8(random.below(8))
            }
            try FileSystem.write(bytes, to: path)
            var expected = model
            let damage = kind {
                let store = try ViewStore(at: scratch.journal)
                let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
                func check() throws {
                    let snapshot = try store.snapshot()
                    for _ in 0..<40 {
                        let key = keys[random.below(keys.count)]
                        let absent = [key[0] ^ UInt8(random.below(256))] + key.dropFirst()
                        for key in [key, absent] {
                            #expect(try snapshot.get(table: 1, key: key) == expected[key])
                        }
                    }
                    var rows: [[UInt8]: [UInt8]] = [:]
                    try snapshot.scan(table: 1, reversed: turn.isMultiple(of: 2)) { key, value in
                        rows[key] = value
                        return true
                    }
                    #expect(rows == expected)
                }
                if turn % 3 > 0 { try check() }
                try store.write { views in
                    for _ in 0..<60 {
                        let key = keys[random.below(keys.count)]
                        let value = [UInt8](repeating: 7, count: random.below(900))
                        expected[key] = random.below(2) == 0 ? value : nil
                        if let value = expected[key] {
                            try views.put(table: 1, key: key, value: value)
                        } else {
                            try views.delete(table: 1, key: key)
                        }
                    }
                    // Pages become so empty that LMDB merges them, and what comes of that.
                    let first = random.below(keys.count)
                    for key in keys[first..<min(keys.count, first + random.below(300))] {
                        expected[key] = nil
                        try views.delete(table: 1, key: key)
                    }
                    if turn.isMultiple(of: 5) { try views.clear(table: 2) }
                }
                try check()
                if turn.isMultiple(of: 7) {
                    try store.write { views in try views.clear(table: 1) }
                    expected = [:]
                    try check()
                }
            }
            #expect(damage == nil || damage == .viewsDamaged)
            if damage == nil { found.right += 1 } else { found.damaged += 1 }
        }
        #expect(found.damaged > 20)
    }

    /// LMDB frees all pages that a large record says it has.
    @Test(arguments: [false, true])
    func `of a large record that says it has more are no other record's`(isCleared: Bool) throws {
        let scratch = try Scratch()
        func write(_ body: (inout ViewTransaction) throws -> Void) throws {
            try ViewStore(at: scratch.journal).write(body)
        }
        do { _ = try makeJournal(scratch) }
        var random = SplitMix64(seed: 5)
        let filling = (0..<5 << 17).flatMap { _ in random.next().bytes }
        try write { views in
            for key in 0..<2 { try views.put(table: 2, key: [UInt8(key)], value: filling) }
            // A shorter value keeps the pages of a longer one that was there in the same transaction.
            let noise = (0..<2500).flatMap { _ in random.next().bytes }
            try views.put(table: 1, key: [1], value: noise)
            try views.put(table: 1, key: [1], value: Array(noise[..<9000]))
            try views.put(table: 1, key: [2], value: Array(noise[..<9000]))
        }
        let path = scratch.journal + "/views.mdb"
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 26))
        let large = (2..<whole.count / 4096).filter {
            whole[$0 * 4096 + 10] == 4 && [3, 5].contains(whole[$0 * 4096 + 12])
                && whole[$0 * 4096 + 14] == 0
        }
        #expect(large.map { whole[$0 * 4096 + 12] }.sorted() == [3, 5])
        let exact = try #require(large.first { whole[$0 * 4096 + 12] == 3 })
        func remove(_ key: UInt8) throws {
            try write { views in
                if isCleared {
                    try views.clear(table: 1)
                } else {
                    try views.delete(table: 1, key: [key])
                }
            }
        }
        // The one that has more is sound.
        try remove(1)
        #expect(try ViewStore(at: scratch.journal).snapshot().get(table: 1, key: [1]) == nil)
        var bytes = whole
        bytes[exact * 4096 + 12] += 1
        try FileSystem.write(bytes, to: path)
        #expect(kind { try remove(2) } == .viewsDamaged)
    }
}

extension MappedPagesTests {
    @Test func `are found again behind a larger map, of a file without a name as well`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(scratchOf: makeJournal(scratch), in: "/tmp")
        for number in 0..<3 {
            try store.write { views in
                try views.put(table: 7, key: [UInt8(number)], value: [9])
            }
            let transaction = try ReadTransaction(store.environment)
            #expect(transaction.access.pages != nil)
            _ = consume transaction
            try store.environment.growMap()
        }
        #expect(try store.snapshot().get(table: 7, key: [2]) == [9])
    }
}

extension UInt64 {
    fileprivate var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
    }
}
