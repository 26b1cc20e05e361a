import CLMDB
import Testing

@testable import EventLog

/// Rows that are stored compressed.
@Suite struct `A long row of the views` {
    private let place: Place
    private var store: ViewStore { place.store }
    private var environment: LMDBEnvironment { place.environment }
    private let key: [UInt8] = [1, 2]
    private let row = (0..<4000).map { UInt8($0 % 50) }

    private final class Place {
        let store: ViewStore
        let environment: LMDBEnvironment
        private let scratch: Scratch

        init() throws {
            let scratch = try Scratch()
            let path = try makeJournal(scratch).path
            store = try ViewStore(at: path)
            environment = try EnvironmentRegistry.open(
                .views, at: path + "/views.mdb", lockPath: "", isReadOnly: false
            ) { _ in }
            self.scratch = scratch
        }
    }

    init() throws { place = try Place() }

    private func table() throws -> Database { try #require(environment.viewTables?.table(1)) }

    /// What LMDB holds under the key.
    private func stored() throws -> [UInt8] {
        let transaction = try ReadTransaction(environment)
        let value = try unsafe transaction.access.value(table(), key.span)
        return unsafe Array(try #require(unsafe value))
    }

    private func replaceStored(_ bytes: [UInt8]) throws {
        let transaction = try WriteTransaction(environment)
        let table = try table()
        try transaction.withAccess { access throws(JournalError) in
            _ = try access.put(table, key.span, bytes.span)
        }
        try transaction.commit()
    }

    private func expectDamage(_ what: String) throws {
        let snapshot = try store.snapshot()
        #expect(kind { _ = try snapshot.get(table: 1, key: key) } == .viewsDamaged, "\(what)")
        #expect(kind { try snapshot.scan(table: 1) { _, _ in true } } == .viewsDamaged, "\(what)")
        #expect(kind { _ = try snapshot.last(table: 1) } == .viewsDamaged, "\(what)")
    }

    @Test func `takes a fraction of its length and reads as it was`() throws {
        try store.write { try $0.put(table: 1, key: key, value: row) }
        #expect(try stored().count < 400)
        #expect(try store.snapshot().get(table: 1, key: key) == row)
    }

    @Test func `is tried less and less where none of its table was shortened, but again`() throws {
        var random = SplitMix64(seed: 4)
        let noise = (0..<4000).map { _ in UInt8(random.below(256)) }
        try store.write { views in
            for number in UInt16(0)..<400 {
                let key = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
                try views.put(table: 1, key: key, value: number < 200 ? noise : row)
                // Another table's rows are tried by themselves.
                try views.put(table: 2, key: key, value: row)
            }
        }
        func lengths(_ number: UInt16) throws -> [Int] {
            let transaction = try ReadTransaction(environment)
            let table = try #require(environment.viewTables?.table(number))
            return try (UInt16(0)..<400).map { number in
                let key = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
                let value = try unsafe transaction.access.value(table, key.span)
                return unsafe try #require(unsafe value).count
            }
        }
        let found = try lengths(1)
        #expect(found[..<200].allSatisfy { $0 == 4008 })
        // At most 63 are passed over; once one gained, each is tried.
        let first = try #require(found[200...].firstIndex { $0 < 400 })
        #expect(first > 200 && first < 264)
        #expect(found[first...].allSatisfy { $0 < 400 })
        #expect(try lengths(2).allSatisfy { $0 < 400 })
    }

    @Test func `is stored as it is where compressing does not shorten it`() throws {
        var random = SplitMix64(seed: 3)
        let noise = (0..<4000).map { _ in UInt8(random.below(256)) }
        try store.write { try $0.put(table: 1, key: key, value: noise) }
        #expect(try stored().dropLast(8).elementsEqual(noise))
        #expect(try store.snapshot().get(table: 1, key: key) == noise)
    }

    @Test func `is damaged by any flipped byte, which is found when it is read`() throws {
        try store.write { try $0.put(table: 1, key: key, value: row) }
        let sound = try stored()
        for index in sound.indices {
            var damaged = sound
            damaged[index] ^= 0x10
            try replaceStored(damaged)
            try expectDamage("byte \(index)")
        }
        try replaceStored(sound)
        #expect(try store.snapshot().get(table: 1, key: key) == row)
    }

    @Test func `that no writer wrote is damage, though its checksum be right`() throws {
        try store.write { try $0.put(table: 1, key: key, value: row) }
        let content = Array(try stored().dropLast(8))
        func replace(_ content: [UInt8], _ what: String) throws {
            var bytes = content
            bytes.appendFixed(try table().packedSum(key.span, content.span))
            try replaceStored(bytes)
            try expectDamage(what)
        }
        try replace([], "empty")
        try replace(Array(content.prefix(3)), "without a length")
        try replace(Array(content.prefix(4)), "without a frame")
        try replace(Array(content.dropLast()), "cut short")
        try replace(content + [0], "with a byte behind its frame")
        for length: UInt32 in [0, 3999, 4001, .max] {
            var lengthBytes: [UInt8] = []
            lengthBytes.appendFixed(length)
            try replace(lengthBytes + content.dropFirst(4), "of length \(length)")
        }
    }
}
