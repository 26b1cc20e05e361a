import Core
import Testing

@testable import EventLog

/// Rows that a fold hands over by the buffer.
@Suite struct `A buffer of rows` {
    private struct Row: Record {
        var text = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("text", &text)
        }
    }

    private static func buffer(_ rows: [(key: UInt8, text: String?)]) -> EncodedRows {
        var buffer = EncodedRows()
        for (key, text) in rows {
            if let text {
                var row = Row()
                row.text = text
                buffer.add(key: { $0 += [0, key] }, content: { row.fields(&$0) })
            } else {
                buffer.remove { $0 += [0, key] }
            }
        }
        return buffer
    }

    private static func content(_ store: ViewStore) throws -> [String] {
        var found: [String] = []
        try store.snapshot().scan(table: 7) { key, value in
            var reader = BinaryReader(value)
            found.append("\(key[1]) \(reader.countedText())")
            return true
        }
        return found
    }

    @Test func `is stored in the order of its keys, appended or between others`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: try makeJournal(scratch).path)
        try store.write { views in
            try views.put(table: 7, Self.buffer([(1, "a"), (3, "b")]))
            try views.put(table: 7, Self.buffer([(4, "c"), (9, "d")]))
        }
        #expect(try Self.content(store) == ["1 a", "3 b", "4 c", "9 d"])
        try store.write { views in
            try views.put(table: 7, Self.buffer([(2, "e"), (3, nil), (9, "f"), (10, "g")]))
        }
        #expect(try Self.content(store) == ["1 a", "2 e", "4 c", "9 f", "10 g"])
    }

    @Test func `may begin before what an earlier one of the same write put`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: try makeJournal(scratch).path)
        try store.write { views in
            try views.put(table: 7, Self.buffer([(5, "a"), (6, "b")]))
            try views.put(table: 7, Self.buffer([(2, "c"), (6, "d"), (7, "e")]))
        }
        #expect(try Self.content(store) == ["2 c", "5 a", "6 d", "7 e"])
    }

    @Test func `fills a table anew that was cleared`() throws {
        let scratch = try Scratch()
        let store = try ViewStore(at: try makeJournal(scratch).path)
        try store.write { try $0.put(table: 7, Self.buffer([(5, "a"), (6, "b")])) }
        try store.write { views in
            try views.clear(table: 7)
            try views.put(table: 7, Self.buffer([(1, "c"), (6, "d")]))
        }
        #expect(try Self.content(store) == ["1 c", "6 d"])
    }

    @Test func `has sums that every flipped bit changes`() {
        let key: [UInt8] = [0, 0, 1, 2, 255]
        let content = (0..<45).map { UInt8($0 * 5) }
        let sum = XXH64.of(.view, table: 3, key: key.span, content: content.span)
        for bit in 0..<8 * (key.count + content.count) {
            var changed = key + content
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let other = XXH64.of(
                .view, table: 3, key: Array(changed.prefix(key.count)).span,
                content: Array(changed.dropFirst(key.count)).span)
            #expect(other != sum)
        }
        #expect(XXH64.of(.view, table: 4, key: key.span, content: content.span) != sum)
        #expect(XXH64.of(.view, table: 3, key: (key + [0]).span, content: content.span) != sum)
    }
}
