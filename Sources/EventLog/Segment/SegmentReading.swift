import Events

/// Looks things up in segments.
struct SegmentReading {
    let access: TransactionAccess
    let database: Database

    /// Runs `body` on the page here, after its hash was found right.
    static func page<R>(
        at cursor: borrowing Cursor,
        _ body: (SegmentKey, Span<UInt8>) throws(Malformed) -> R
    ) throws(JournalError) -> R {
        try unsafe Span.over(cursor.key) { keyBytes throws(JournalError) in
            try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                do throws(Malformed) {
                    let key = try SegmentKey(keyBytes)
                    guard stored.count >= 8 else { throw Malformed("a page cut short") }
                    var offset = stored.count - 8
                    let content = stored.extracting(0..<offset)
                    guard try stored.fixed(8, &offset) == SegmentWriter.hash(keyBytes, content)
                    else { throw Malformed("a page with a wrong hash") }
                    return try body(key, content)
                } catch {
                    throw .damaged("\(error.what), in the index, key \(Hexadecimal.text(keyBytes.copy()))")
                }
            }
        }
    }

    /// Appends the values of a list in one segment that lie in `range`, ascending.
    func collect(
        _ kind: SegmentKind, _ number: UInt32, _ range: ClosedRange<UInt64>, in segment: UInt32,
        into found: inout [UInt64]
    ) throws(JournalError) {
        var cursor = try Cursor(access, database)
        let wanted = SegmentEntry(number: number, value: range.lowerBound)
        guard try seekPage(&cursor, kind, segment, wanted) else { return }
        var isFirst = true
        while true {
            let next = try Self.page(at: cursor) { key, content throws(Malformed) in
                try SegmentPage.read(key, content) { entry in
                    if entry.number == number, range.contains(entry.value) {
                        found.append(entry.value)
                    }
                    return entry.number <= number
                }
            }
            // Else the page that would hold it was not found.
            guard !isFirst || wanted < next else { throw Self.missing }
            guard next.number == number, next.value <= range.upperBound else { return }
            isFirst = false
            guard try cursor.next() else { throw Self.missing }
            let here = try Self.page(at: cursor) { key, _ throws(Malformed) in key }
            guard here == SegmentKey(kind, segment, next) else { throw Self.missing }
        }
    }

    private static var missing: JournalError { .damaged("a page of the index is missing") }

    /// Moves to the page in which an entry would stand, or to the segment's first one, which begins
    /// behind it; false if the segment has no page of the kind.
    private func seekPage(
        _ cursor: inout Cursor, _ kind: SegmentKind, _ segment: UInt32, _ wanted: SegmentEntry
    ) throws(JournalError) -> Bool {
        let edge = SegmentKey(kind, segment, wanted).bytes
        if try cursor.seekBack(edge.span) {
            let key = try Self.page(at: cursor) { key, _ throws(Malformed) in key }
            if key.kind == kind, key.segment == segment {
                guard key.first <= wanted else { throw Self.missing }
                return true
            }
            guard try cursor.next() else { return false }
        } else {
            guard try cursor.first() else { return false }
        }
        let key = try Self.page(at: cursor) { key, _ throws(Malformed) in key }
        guard key.kind == kind, key.segment == segment else { return false }
        guard wanted < key.first else { throw Self.missing }
        return true
    }
}
