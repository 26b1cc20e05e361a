import Core
import Folding
import Testing

@testable import Engine

@Suite struct `Rows that are encoded by other threads` {
    private struct Row: Record {
        var text = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("text", &text)
        }
    }

    private struct Failure: Error, Equatable {}

    /// Tables of all sizes, the greatest of them many buffers long.
    private static func tables() -> [(number: UInt16, table: any StoredTable)] {
        let space = TableSpace()
        return [1, 60_000, 0, 30_000, 9000, 500].enumerated().map { number, count in
            let table = Table<Ordinal, Row>("table \(number)", in: space)
            for place in 0..<count {
                let key = Ordinal(place &* 7919 % (1 << 20))
                table.update(key) { $0.text = String(repeating: "row \(place) ", count: 9) }
            }
            return (UInt16(number), table)
        }
    }

    private static func bytes(_ rows: EncodedRows) -> [UInt8] {
        (0..<rows.count).flatMap { index in
            let (key, content) = rows.row(index)
            return Array(rows.bytes[key]) + Array(rows.bytes[content ?? 0..<0])
        }
    }

    @Test func `come table by table as one thread would bring them`() throws {
        let tables = Self.tables()
        var expected: [UInt16: [UInt8]] = [:]
        for (number, table) in tables {
            try table.encodeChanges(removals: false) {
                expected[number, default: []] += Self.bytes($0)
            }
        }
        var found: [UInt16: [UInt8]] = [:]
        try RowEncoding(tables, removals: false).forEach { number, rows in
            found[number, default: []] += Self.bytes(rows)
        }
        #expect(found == expected)
        #expect(found.keys.sorted() == [0, 1, 3, 4, 5])
    }

    @Test(arguments: [0, 1, 5, 12])
    func `are let go where they cannot be written`(written: Int) throws {
        let tables = Self.tables()
        var count = 0
        #expect(throws: Failure()) {
            try RowEncoding(tables, removals: false).forEach { _, _ in
                if count == written { throw Failure() }
                count += 1
            }
        }
        // They are whole still, and may be tried again.
        var rows = 0
        try RowEncoding(tables, removals: false).forEach { rows += $1.count }
        #expect(rows == 99_501)
    }
}
