import Core

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
                    throw .damaged(
                        "\(error.what), in the index, key \(Hex.text(keyBytes.copy()))")
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
        var next: SegmentEntry?
        if try cursor.seekBack(edge.span) {
            next = try read(&cursor, kind, wanted, range, in: segment, isBefore: true, into: &found)
            if next == nil, try !cursor.next() { return }
        } else if try !cursor.first() {
            return
        }
        if next == nil {
            // The segment begins behind the wanted entry, if it has pages of the kind.
            next = try read(
                &cursor, kind, wanted, range, in: segment, isBefore: false, into: &found)
        }
        while let here = next, here.number == number, here.value <= range.upperBound {
            guard try cursor.next(),
                let after = try read(
                    &cursor, kind, here, range, in: segment, isBefore: true, into: &found)
            else { throw Self.missing }
            next = after
        }
    }

    static var missing: JournalError { .damaged("a page of the index is missing") }

    /// Takes the values of the wanted entry's list from the page here, which begins before that entry (or
    /// with it), or else behind it; answers where the next page begins. Nil if it is no page of the segment.
    private func read(
        _ cursor: inout Cursor, _ kind: SegmentKind, _ wanted: SegmentEntry,
        _ range: ClosedRange<UInt64>, in segment: UInt32, isBefore: Bool,
        into found: inout [UInt64]
    ) throws(JournalError) -> SegmentEntry? {
        try Self.page(at: cursor) { key, content throws(Malformed) -> SegmentEntry? in
            guard key.kind == kind, key.segment == segment else { return nil }
            let next = try SegmentPage.read(key, content, from: wanted.number) { entry in
                if entry.number == wanted.number, range.contains(entry.value) {
                    found.append(entry.value)
                }
                return entry.number <= wanted.number
            }
            guard isBefore ? key.first <= wanted && wanted < next : wanted < key.first else {
                throw Malformed("a page is missing")
            }
            return next
        }
    }
}
