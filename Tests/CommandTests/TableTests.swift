import Core
import Testing

@testable import Folding

@Suite struct `A table` {
    private struct Row: Record {
        var value = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("value", &value)
        }
    }

    private struct TextKey: MixedKey {
        typealias Slots = MixedSlots<Self>
        let text: String

        var mixed: UInt64 { text.mixed & 7 }  // so that many share a number

        init(_ text: String) {
            self.text = text
        }

        func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }

        init?(bytes: ArraySlice<UInt8>) {
            self.init(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// What the table would store, key and value.
    private static func stored<Key>(_ table: Table<Key, Row>) throws -> [(
        key: [UInt8], value: Int?
    )] {
        var found: [(key: [UInt8], value: Int?)] = []
        try table.encodeChanges(removals: true) { rows in
            for index in 0..<rows.count {
                let (key, content) = rows.row(index)
                var reader = BinaryReader(rows.bytes, range: content ?? 0..<0)
                let value = content == nil ? nil : Row.read(from: &reader).value
                found.append((Array(rows.bytes[key]), value))
            }
        }
        return found
    }

    private func check<Key: TableKey>(_ keys: [Key]) throws {
        let table = Table<Key, Row>("test", in: TableSpace())
        var model: [Key: Int] = [:]
        var number: UInt64 = 1
        for _ in 0..<20_000 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = keys[Int(number >> 33) % keys.count]
            if number >> 60 == 0 {
                table.remove(key)
                model[key] = nil
            } else {
                table.update(key) { $0.value += 1 }
                model[key, default: 0] += 1
            }
        }
        for key in keys { #expect(table[key]?.value == model[key]) }
        #expect(Set(table.allKeys) == Set(model.keys))
        let stored = try Self.stored(table)
        #expect(
            zip(stored, stored.dropFirst()).allSatisfy { $0.key.lexicographicallyPrecedes($1.key) })
        #expect(stored.compactMap(\.value).reduce(0, +) == model.values.reduce(0, +))
    }

    @Test func `finds rows by pairs of numbers`() throws {
        try check((0..<3000).map { Pair(Ordinal($0 * 7 % 1000), Ordinal($0 / 50)) })
    }

    @Test func `finds rows by texts that share a number`() throws {
        try check((0..<800).map { TextKey("key-\($0)") })
    }

    @Test func `finds rows by dense numbers`() throws {
        try check((0..<3000).map { Ordinal(($0 * 7919) % 100_000) })
    }

    /// Rows that are stored, and how many of them somebody looked into.
    private final class StoredRows: RowSource {
        private let rows: [[UInt8]: [UInt8]]
        private(set) var fetched = 0

        init(_ rows: [[UInt8]: [UInt8]]) { self.rows = rows }

        func row(table: UInt16, key: [UInt8]) -> [UInt8]? {
            fetched += 1
            return rows[key]
        }

        func scan(
            table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Bool
        ) {
            scanKeys(table: table, from: first) { key in
                row(table: table, key: Array(key)).map { body(key, $0) } ?? true
            }
        }

        func scanKeys(
            table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool
        ) {
            for key in rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
            where !key.lexicographicallyPrecedes(first) {
                guard body(key[...]) else { return }
            }
        }
    }

    @Test func `tells the keys of stored and changed rows without fetching a row`() throws {
        let former = Table<Ordinal, Row>("test", in: TableSpace())
        for number in 1...50 { former.update(Ordinal(number)) { $0.value = number } }
        var rows: [[UInt8]: [UInt8]] = [:]
        try former.encodeChanges(removals: true) { encoded in
            for index in 0..<encoded.count {
                let (key, content) = encoded.row(index)
                rows[Array(encoded.bytes[key])] = content.map { Array(encoded.bytes[$0]) }
            }
        }
        let source = StoredRows(rows)
        let table = Table<Ordinal, Row>("test", in: TableSpace(source: source))
        table.remove(Ordinal(7))
        table.update(Ordinal(8)) { $0.value = 0 }
        table.update(Ordinal(51)) { $0.value = 51 }
        let fetched = source.fetched
        let expected = Set((1...51).filter { $0 != 7 }.map { Ordinal($0) })
        #expect(Set(table.keys) == expected)
        #expect(table.keys.count == expected.count)
        #expect(source.fetched == fetched)
        #expect(Set(table.allKeys) == expected)
        #expect(Set(table.keys) == expected)
    }

    @Test func `rows of symbols that the store cannot know are not looked for in it`() {
        typealias Key = Pair<Identifier<EventStream>, Ordinal>
        let source = StoredRows([:])
        let space = TableSpace(source: source)
        let table = Table<Key, Row>("test", in: space)
        func key(_ symbol: UInt32) -> Key { Key(.init(Symbol(number: symbol)), Ordinal(70)) }
        space.newestStoredSymbol = 50
        #expect(table[key(51)] == nil)
        #expect(source.fetched == 0)
        #expect(table[key(50)] == nil)
        #expect(source.fetched == 1)
        // Another source may hold what this one did not.
        space.source = source
        #expect(table[key(60)] == nil)
        #expect(source.fetched == 2)
    }

    @Test func `gives no removals to a store that was emptied`() throws {
        let table = Table<Ordinal, Row>("test", in: TableSpace())
        table.update(Ordinal(2)) { $0.value = 5 }
        table.update(Ordinal(1)) { $0.value = 5 }
        table.remove(Ordinal(2))
        var count = 0
        try table.encodeChanges(removals: false) { count += $0.count }
        #expect(count == 1)
    }
}

@Suite struct `Pending timers` {
    private static func timers() -> (Timers, [Symbol]) {
        let names = Names()
        let streams = ["b", "a", "c"].map { names.intern($0) }
        return (Timers(in: TableSpace(), names: names), streams)
    }

    @Test func `that are due at once come by stream in order of code point, then by name`() {
        let (timers, streams) = Self.timers()
        let due = Instant(milliseconds: 5000)
        for stream in streams {
            timers.set(
                [.init("y", due: due, cause: .zero), .init("x", due: due, cause: .zero)],
                on: stream)
        }
        timers.set([.init("z", due: Instant(milliseconds: 4000), cause: .zero)], on: streams[2])
        var order: [String] = []
        while let timer = timers.next() {
            order.append(
                "\(timer.due.milliseconds) \(streams.firstIndex { .known($0) == timer.stream } ?? 9) \(timer.name)"
            )
            timers.spend(timer)
        }
        #expect(
            order == [
                "4000 2 z", "5000 1 x", "5000 1 y", "5000 0 x", "5000 0 y", "5000 2 x", "5000 2 y",
            ])
    }

    /// As a cohort's do: what fires sets another for the same instant, on a stream of chance.
    @Test(arguments: UInt64(1)...20)
    func `that are set for an instant while its timers fire come in their order`(seed: UInt64) {
        let names = Names()
        let streams = (0..<60).map { names.intern("s-\($0)") }
        let timers = Timers(in: TableSpace(), names: names)
        let due = Instant(milliseconds: 5000)
        var chance = SplitMix64(seed: seed)
        var waiting: Set<Int> = []
        func set(_ stream: Int) {
            timers.set([.init("x", due: due, cause: .zero)], on: streams[stream])
            waiting.insert(stream)
        }
        for stream in streams.indices where chance.next() % 3 > 0 { set(stream) }
        var fired = 0
        while let timer = timers.next(), fired < 400 {
            let first = waiting.min { names.text(streams[$0]).precedes(names.text(streams[$1])) }
            #expect(first.map { .known(streams[$0]) } == timer.stream)
            timers.spend(timer)
            first.map { _ = waiting.remove($0) }
            fired += 1
            if chance.next() % 4 > 0 { set(Int(chance.next() % 60)) }
        }
        #expect(fired == 400 || waiting.isEmpty)
    }

    @Test func `come in time when a sooner one was set while others are due at once`() {
        let (timers, streams) = Self.timers()
        let due = Instant(milliseconds: 5000)
        for stream in streams { timers.set([.init("x", due: due, cause: .zero)], on: stream) }
        #expect(timers.next()?.stream == .known(streams[1]))
        timers.set([.init("w", due: Instant(milliseconds: 1), cause: .zero)], on: streams[0])
        #expect(timers.next()?.name == "w")
        timers.cancelAll(on: streams[0])
        #expect(timers.next()?.stream == .known(streams[1]))
        timers.cancelAll(on: streams[1])
        timers.pass(Instant(milliseconds: 5001))
        #expect(timers.next() == nil && timers.pending().isEmpty)
    }

    @Test func `are looked for only once one may be due`() {
        let (timers, streams) = Self.timers()
        func mayBeDue(_ milliseconds: Int64) -> Bool {
            timers.mayBeDue(by: Instant(milliseconds: milliseconds))
        }
        #expect(!mayBeDue(5000))
        let due = Instant(milliseconds: 5000)
        timers.set([.init("x", due: due, cause: .zero)], on: streams[0])
        #expect(!mayBeDue(4999) && mayBeDue(5000))
        timers.set(.init("x", due: Instant(milliseconds: 10), cause: .zero), onNamed: "d")
        #expect(!mayBeDue(9) && mayBeDue(10))
        timers.pass(Instant(milliseconds: 11))
        #expect(!mayBeDue(4999) && mayBeDue(5000))
    }

    /// Against a plain list: whatever is set, put off, taken back, passed and fired.
    @Test(arguments: UInt64(1)...60)
    func `are those of a list, however they are put off and taken back`(seed: UInt64) {
        let names = Names()
        let streams = (0..<6).map { names.intern("s-\($0)") }
        let timers = Timers(in: TableSpace(), names: names)
        var list: [DueTimer] = []
        var chance = SplitMix64(seed: seed)
        func below(_ bound: UInt64) -> Int { Int(chance.next() % bound) }
        for step in 0..<400 {
            let place = below(6)
            let stream = TimerStream.known(streams[place])
            let name = ["x", "y", "z"][below(3)]
            switch below(8) {
            case 0...3:
                let due = Instant(milliseconds: Int64(step + below(40)))
                timers.set([.init(name, due: due, cause: .zero)], on: streams[place])
                list.removeAll { $0.stream == stream && $0.name == name }
                list.append(DueTimer(due: due, stream: stream, name: name, cause: .zero))
            case 4:
                timers.cancel(name, on: streams[place])
                list.removeAll { $0.stream == stream && $0.name == name }
            case 5:
                timers.cancelAll(on: streams[place])
                list.removeAll { $0.stream == stream }
            case 6:
                let instant = Instant(milliseconds: Int64(step))
                timers.pass(instant)
                list.removeAll { $0.due < instant }
            default:
                let first = list.min { $0.precedes($1, names) }
                #expect(timers.next() == first)
                if let first {
                    timers.spend(first)
                    list.removeAll { $0 == first }
                }
            }
            let soonest = list.map(\.due).min()
            if let soonest {
                #expect(timers.mayBeDue(by: soonest))
                #expect(timers.isDue(before: soonest + 1))
            }
        }
        #expect(timers.pending() == list.sorted { $0.precedes($1, names) })
    }
}
