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
        let edge = SegmentKey(kind, segment, wanted).bytes
        guard try cursor.seekBack(edge.span) else {
            // Before the very first page nothing can stand, if that is the one it seems to be.
            return try checkFirst(&cursor, kind, segment, wanted)
        }
        var isFirst = true
        while true {
            let (next, isOther) = try Self.page(at: cursor) {
                key, content throws(Malformed) -> (SegmentEntry, Bool) in
                guard key.kind == kind, key.segment == segment else {
                    return (.end, true)
                }
                let next = try SegmentPage.read(key, content) { entry in
                    if entry.number == number, range.contains(entry.value) {
                        found.append(entry.value)
                    }
                    return entry.number <= number
                }
                guard !isFirst || key.first <= wanted else { throw Malformed("pages out of order") }
                return (next, false)
            }
            if isOther {
                // The page of another segment: ours begins after the wanted entry, or is empty.
                guard isFirst else { throw .damaged("a page of the index is missing") }
                guard try cursor.next() else { return }
                return try checkFirst(&cursor, kind, segment, wanted)
            }
            // Else the page that would hold it was not found.
            guard !isFirst || wanted < next else {
                throw .damaged("a page of the index is missing")
            }
            guard next.number == number, next.value <= range.upperBound else { return }
            isFirst = false
            guard try cursor.next() else { throw .damaged("a page of the index is missing") }
            let here = try Self.page(at: cursor) { key, _ throws(Malformed) in key }
            guard here == SegmentKey(kind, segment, next) else {
                throw .damaged("a page of the index is missing")
            }
        }
    }

    /// The page here, if it is of the segment, begins behind the wanted entry.
    private func checkFirst(
        _ cursor: inout Cursor, _ kind: SegmentKind, _ segment: UInt32, _ wanted: SegmentEntry
    ) throws(JournalError) {
        let key = try Self.page(at: cursor) { key, _ throws(Malformed) in key }
        guard key.kind == kind, key.segment == segment else { return }
        guard wanted < key.first else { throw .damaged("pages of the index are out of order") }
    }
}
