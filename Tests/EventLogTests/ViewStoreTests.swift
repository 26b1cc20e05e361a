import Core
import Glibc
import Testing

@testable import EventLog

@Suite struct `The view store` {
    @Test func `may be one that nobody finds, and nothing is left of`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        func openFiles(_ file: String) throws -> [String] {
            try FileSystem.names(in: "/proc/self/fd").map {
                var path = [CChar](repeating: 0, count: 4096)
                let length = unsafe readlink("/proc/self/fd/\($0)", &path, path.count)
                return String(
                    decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)),
                    as: UTF8.self)
            }.filter { $0.hasPrefix(file) }
        }
        var file = ""
        do {
            let store = try ViewStore(scratchOf: journal, in: "/tmp")
            try store.write { views in try views.put(table: 7, key: [1], value: [2]) }
            #expect(try store.snapshot().get(table: 7, key: [1]) == [2])
            // Each has its own.
            #expect(
                try ViewStore(scratchOf: journal, in: "/tmp").snapshot().get(table: 7, key: [1])
                    == nil)
            file = store.file
            #expect(file.hasSuffix("/views.mdb"))
            let open = try openFiles(file)
            #expect(open.contains("\(file) (deleted)"))
            #expect(open.allSatisfy { $0.hasSuffix(" (deleted)") })
            #expect(throws: JournalError.self) { try store.reset() }
        }
        #expect(try openFiles(file).isEmpty)
        #expect(try ViewStore(at: journal.path).snapshot().get(table: 7, key: [1]) == nil)
    }

    @Test(arguments: UInt64(0)..<10)
    func `holds what a dictionary would hold`(seed: UInt64) throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let store = try ViewStore(at: journal.path)
        var random = SplitMix64(seed: seed)
        var model: [UInt16: [[UInt8]: [UInt8]]] = [:]
        for _ in 0..<8 {
            let before = model
            let fails = random.below(4) == 0
            do {
                try store.write { views in
                    for _ in 0..<random.below(60) {
                        let table = UInt16(random.below(3) * 30_000)
                        let key = (0...random.below(3)).map { _ in UInt8(random.below(3) * 127) }
                        var value = (0..<random.below(30)).map { _ in UInt8(random.below(256)) }
                        // Long enough to be stored compressed, if not empty.
                        if random.below(8) == 0 {
                            value = Array([[UInt8]](repeating: value, count: 150).joined())
                        }
                        switch random.below(12) {
                        case 0:
                            try views.delete(table: table, key: key)
                            model[table]?[key] = nil
                        case 1 where random.below(4) == 0:
                            try views.clear(table: table)
                            model[table] = nil
                        default:
                            try views.put(table: table, key: key, value: value)
                            model[table, default: [:]][key] = value
                        }
                        #expect(
                            try views.get(table: table, key: key) == model[table]?[key])
                    }
                    if fails { throw JournalError.invalid("undo") }
                }
            } catch {
                model = before
            }
            try check(store.snapshot(), model)
        }
        try check(ViewStore(at: journal.path, access: .readOnly).snapshot(), model)
    }

    private func check(
        _ snapshot: ViewSnapshot, _ model: [UInt16: [[UInt8]: [UInt8]]]
    ) throws {
        for table in [UInt16(0), 30_000, 60_000, 7] {
            let rows = (model[table] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            for prefix in [[], [0], [127], [127, 254], [254, 254], [255]] as [[UInt8]] {
                let expected = rows.filter { $0.key.starts(with: prefix) }
                for reversed in [false, true] {
                    var found: [[UInt8]] = []
                    try snapshot.scan(table: table, prefix: prefix, reversed: reversed) {
                        found.append($0)
                        found.append($1)
                        return true
                    }
                    let rows = reversed ? expected.reversed() : expected
                    #expect(found == rows.flatMap { [$0.key, $0.value] })
                }
                let last = try snapshot.last(table: table, prefix: prefix)
                #expect(last?.key == expected.last?.key && last?.value == expected.last?.value)
            }
            for (key, value) in rows {
                #expect(try snapshot.get(table: table, key: key) == value)
            }
            #expect(try snapshot.get(table: table, key: [1, 2, 3, 4, 5]) == nil)
        }
    }

    @Test func `keeps ascending keys in half the room`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let store = try ViewStore(at: journal.path)
        func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
        let value = [UInt8](repeating: 1, count: 100)
        try store.write { views in
            for number in 0..<5000 { try views.put(table: 1, key: key(number), value: value) }
            for number in (0..<5000).reversed() {
                try views.put(table: 2, key: key(number), value: value)
            }
        }
        try store.write { views in
            try views.put(table: 1, key: key(17), value: [2])
            #expect(try views.last(table: 1)?.key == key(4999))
        }
        let snapshot = try store.snapshot()
        #expect(try snapshot.get(table: 1, key: key(17)) == [2])
        var keys: [[UInt8]] = []
        try snapshot.scan(table: 1) { found, _ in
            keys.append(found)
            return true
        }
        #expect(keys == (0..<5000).map(key))
    }

    @Test func `keeps meta values by name`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        #expect(try store.snapshot().meta("position") == nil)
        try store.write { views in
            try views.setMeta("position", [1, 2])
            try views.setMeta("", [])
            #expect(try views.meta("position") == [1, 2])
        }
        #expect(try store.snapshot().meta("position") == [1, 2])
        #expect(try store.snapshot().meta("") == [])
        try store.write { try $0.setMeta("position", nil) }
        #expect(try store.snapshot().meta("position") == nil)
    }

    @Test func `a snapshot stays as it was`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        try store.write { try $0.put(table: 1, key: [1], value: [1]) }
        let before = try store.snapshot()
        try store.write { views in
            try views.put(table: 1, key: [1], value: [2])
            try views.put(table: 9, key: [1], value: [2])
        }
        #expect(try before.get(table: 1, key: [1]) == [1])
        #expect(try before.get(table: 9, key: [1]) == nil)
        #expect(try store.snapshot().get(table: 9, key: [1]) == [2])
    }

    @Test func `refuses keys that LMDB cannot hold`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        for key in [[], [UInt8](repeating: 1, count: 512)] {
            #expect(
                kind { try store.write { try $0.put(table: 1, key: key, value: []) } }
                    == .tooLarge)
            #expect(try store.snapshot().get(table: 1, key: key) == nil)
        }
        let longest = [UInt8](repeating: 1, count: 511)
        try store.write { try $0.put(table: 1, key: longest, value: [3]) }
        #expect(try store.snapshot().get(table: 1, key: longest) == [3])
    }

    @Test func `any flipped byte of a value is found when it is read`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let store = try ViewStore(at: journal.path)
        try store.write { try $0.put(table: 1, key: [1, 2], value: [5, 6, 7]) }
        let environment = try EnvironmentRegistry.open(
            .views, at: journal.path + "/views.mdb", lockPath: "", isReadOnly: false
        ) { _ in }
        let table = try #require(environment.viewTables?.table(1))
        let key: [UInt8] = [1, 2]
        for index in 0..<11 {
            let transaction = try WriteTransaction(environment)
            try transaction.withAccess { access throws(JournalError) in
                var content: [UInt8] = [5, 6, 7]
                try access.putRecord(table, key.span, &content)
                content[index] ^= 0x10
                try access.put(table, key.span, content.span)
            }
            try transaction.commit()
            let snapshot = try store.snapshot()
            #expect(kind { _ = try snapshot.get(table: 1, key: key) } == .viewsDamaged)
            #expect(kind { try snapshot.scan(table: 1) { _, _ in true } } == .viewsDamaged)
            #expect(kind { _ = try snapshot.last(table: 1) } == .viewsDamaged)
        }
        try store.reset()
        #expect(try store.snapshot().get(table: 1, key: key) == nil)
    }

    /// Every place in the file where these bytes stand, each of their bits flipped in turn.
    private func withFlippedBits(
        of bytes: [UInt8], in path: String, _ body: (_ what: String) throws -> Void
    ) throws {
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 26))
        let descriptor = unsafe open(path, O_RDWR)
        defer { close(descriptor) }
        for start in places(of: bytes, in: whole) {
            for index in bytes.indices {
                for bit in 0..<8 {
                    var byte = bytes[index] ^ 1 << UInt8(bit)
                    #expect(unsafe pwrite(descriptor, &byte, 1, start + index) == 1)
                    try body("byte \(start + index), bit \(bit)")
                }
                var byte = bytes[index]
                #expect(unsafe pwrite(descriptor, &byte, 1, start + index) == 1)
            }
        }
    }

    private func places(of bytes: [UInt8], in whole: [UInt8]) -> [Int] {
        unsafe whole.withUnsafeBytes { whole in
            guard let start = whole.baseAddress, let first = bytes.first else { return [] }
            var places: [Int] = []
            var from = 0
            while whole.count - from >= bytes.count,
                let found = unsafe memchr(start + from, CInt(first), whole.count - from)
            {
                from = unsafe start.distance(to: found) + 1
                if unsafe whole[(from - 1)...].starts(with: bytes) { places.append(from - 1) }
            }
            return places
        }
    }

    @Test func `throws nothing away that was made in its place`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        try ViewStore.reset(at: scratch.journal)
        let other = try ViewStore(at: scratch.journal)
        try other.write { views in try views.put(table: 7, key: [1], value: [2]) }
        try store.reset()
        #expect(try store.snapshot().get(table: 7, key: [1]) == [2])
        try store.reset()
        #expect(try store.snapshot().get(table: 7, key: [1]) == nil)
    }

    /// The pages of a large file are not looked at when it is opened.
    @Test(arguments: [false, true])
    func `a row that is hidden by a flipped bit in a key is never missed`(isLarge: Bool) throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let keys = (10..<70).map { [UInt8]("row-\($0)".utf8) }  // on several pages
        let value = [UInt8](repeating: 9, count: 200)
        do {
            let store = try ViewStore(at: scratch.journal)
            try store.write { views in
                for key in keys { try views.put(table: 1, key: key, value: value) }
                guard isLarge else { return }
                let filling = [UInt8](repeating: 0, count: 5 << 20)
                for key in 0..<2 { try views.put(table: 2, key: [UInt8(key)], value: filling) }
            }
        }
        var refused = 0
        for index in stride(from: 0, to: keys.count, by: 12) {
            try withFlippedBits(of: keys[index], in: scratch.journal + "/views.mdb") { what in
                var store: ViewStore?
                if kind(of: { store = try ViewStore(at: scratch.journal) }) == .viewsDamaged {
                    refused += 1
                    return
                }
                // The search for its neighbours passes by.
                for near in max(0, index - 1)..<min(keys.count, index + 2) {
                    let key = keys[near]
                    let found = kind {
                        let snapshot = try #require(try store?.snapshot())
                        #expect(try snapshot.get(table: 1, key: key) == value, "\(what)")
                    }
                    if near == index, found != nil { refused += 1 }
                    #expect(found == nil || found == .viewsDamaged, "\(what)")
                    let scanned = kind {
                        let snapshot = try #require(try store?.snapshot())
                        for reversed in [false, true] {
                            var rows: [[UInt8]] = []
                            try snapshot.scan(table: 1, prefix: key, reversed: reversed) { key, _ in
                                rows.append(key)
                                return true
                            }
                            #expect(rows == [key], "\(what)")
                        }
                        var next: [UInt8]?
                        try snapshot.scan(table: 1, from: key) { key, _ in
                            next = key
                            return false
                        }
                        #expect(next == key, "\(what)")
                        #expect(try snapshot.last(table: 1, prefix: key)?.key == key, "\(what)")
                    }
                    #expect(scanned == nil || scanned == .viewsDamaged, "\(what)")
                }
            }
        }
        #expect(refused >= keys.count / 12 * 6 * 8, "each bit of each key")
        let snapshot = try ViewStore(at: scratch.journal).snapshot()
        for key in keys { #expect(try snapshot.get(table: 1, key: key) == value) }
    }

    @Test func `a table that is hidden by a flipped bit in its name is never missed`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let tables: [UInt16] = [1, 5, 40]
        do {
            let store = try ViewStore(at: scratch.journal)
            try store.write { views in
                for table in tables { try views.put(table: table, key: [1], value: [7]) }
            }
        }
        var refused = 0
        for table in tables {
            let name = [UInt8](ViewTables.name(table).utf8)
            try withFlippedBits(of: name, in: scratch.journal + "/views.mdb") { what in
                let found = kind {
                    let snapshot = try ViewStore(at: scratch.journal).snapshot()
                    #expect(try snapshot.get(table: table, key: [1]) == [7], "\(what)")
                }
                if found != nil { refused += 1 }
                #expect(found == nil || found == .viewsDamaged, "\(what)")
            }
        }
        #expect(refused >= (7 + 7 + 8) * 8, "each bit of each name")
    }

    @Test func `is made anew when its file is garbage or of another journal`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let path = scratch.journal + "/views.mdb"
        for bytes in [[1], [UInt8](repeating: 7, count: 50_000)] as [[UInt8]] {
            try FileSystem.write(bytes, to: path)
            #expect(kind { _ = try ViewStore(at: scratch.journal) } == .viewsDamaged)
            try ViewStore.reset(at: scratch.journal)
            let store = try ViewStore(at: scratch.journal)
            try store.write { try $0.put(table: 1, key: [1], value: [1]) }
            #expect(try store.snapshot().get(table: 1, key: [1]) == [1])
        }
        let other = scratch.path + "/other"
        try Journal.create(at: other)
        do { _ = try ViewStore(at: other) }
        try FileSystem.rename(other + "/views.mdb", to: path)
        #expect(kind { _ = try ViewStore(at: scratch.journal) } == .viewsDamaged)
    }

    @Test func `reset leaves open snapshots what they have`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        try store.write { try $0.put(table: 1, key: [1], value: [1]) }
        let before = try store.snapshot()
        try store.reset()
        #expect(try before.get(table: 1, key: [1]) == [1])
        #expect(try store.snapshot().get(table: 1, key: [1]) == nil)
        try store.write { try $0.put(table: 1, key: [1], value: [2]) }
        #expect(try store.snapshot().get(table: 1, key: [1]) == [2])
    }

    @Test func `readers and writers of new tables do not get in each other's way`() async throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: makeJournal(scratch).path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    for round in 0..<20 {
                        let table = UInt16(worker * 100 + round)
                        try store.write { try $0.put(table: table, key: [1], value: [9]) }
                        #expect(try store.snapshot().get(table: table, key: [1]) == [9])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
