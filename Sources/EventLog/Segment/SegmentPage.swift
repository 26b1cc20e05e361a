/// A page of a segment: lists side by side, each with its values in ascending order.
///
/// Content: the entry with which the next page of the same kind begins, number (4 bytes) and value
/// (8), all ones if there is none; then for each list, all varints: its number as the difference to
/// the list before (to the key's for the first), how many values, the first one as the difference to
/// the first of the list before (zigzag; to the key's), and the differences between them. So a page
/// proves the absence of everything between its key and the next.
struct SegmentPage {
    /// So large that LMDB puts two on one of its pages, key and all.
    static let byteCount = 1988

    private(set) var key: SegmentKey
    private(set) var next = SegmentEntry.end
    /// The lists, as stored.
    private var lists: [UInt8] = []
    private var last: SegmentEntry
    /// What the next list's numbers are differences to.
    private var base: SegmentEntry
    /// Gaps of the list that is being written, and how many values it has.
    private var gaps: [UInt8] = []
    private var open: SegmentEntry?
    private var count = 0

    init(_ kind: SegmentKind, _ segment: UInt32, beginningAt first: SegmentEntry) {
        key = SegmentKey(kind, segment, first)
        last = first
        base = first
    }

    var isFull: Bool { lists.count + gaps.count + 40 > Self.byteCount }

    /// Adds an entry that follows the ones before it.
    mutating func add(_ entry: SegmentEntry) {
        if let list = open, list.number == entry.number {
            gaps.appendVarint(entry.value &- last.value)
            count += 1
        } else {
            closeList()
            open = entry
            count = 1
        }
        last = entry
    }

    private mutating func closeList() {
        guard let list = open else { return }
        lists.appendVarint(list.number &- base.number)
        lists.appendVarint(count)
        lists.appendZigzag(Int64(bitPattern: list.value &- base.value))
        lists += gaps
        gaps.removeAll(keepingCapacity: true)
        base = list
        open = nil
    }

    /// The page's record, without its checksum.
    mutating func finish(before next: SegmentEntry) -> [UInt8] {
        closeList()
        var content: [UInt8] = []
        content.reserveCapacity(lists.count + 20)
        content.appendFixed(next.number)
        content.appendFixed(next.value)
        content += lists
        return content
    }

    /// Calls `visit` with each entry in order until it answers false; answers where the next page
    /// begins.
    @discardableResult
    static func read(
        _ key: SegmentKey, _ content: Span<UInt8>, _ visit: (SegmentEntry) -> Bool
    ) throws(Malformed) -> SegmentEntry {
        var offset = 0
        let next = SegmentEntry(
            number: UInt32(truncatingIfNeeded: try content.fixed(4, &offset)),
            value: try content.fixed(8, &offset))
        guard key.first < next else { throw Malformed("pages out of order") }
        var base = key.first
        var isFirst = true
        while offset < content.count {
            let step = try content.varint32(&offset)
            guard (step > 0) != isFirst || (isFirst && step == 0), step <= .max - base.number else {
                throw Malformed("lists out of order")
            }
            let count = try content.varint(&offset)
            var entry = SegmentEntry(
                number: base.number + step,
                value: base.value &+ UInt64(bitPattern: try content.zigzag(&offset)))
            base = entry
            guard count >= 1, count - 1 <= UInt64(content.count - offset),
                !isFirst || entry == key.first
            else { throw Malformed("a list beyond its page") }
            isFirst = false
            guard visit(entry) else { return next }
            for _ in 1..<count {
                let gap = try content.varint(&offset)
                let (value, overflow) = entry.value.addingReportingOverflow(gap)
                guard gap >= 1, !overflow else { throw Malformed("values that do not ascend") }
                entry.value = value
                guard visit(entry) else { return next }
            }
            guard entry < next else { throw Malformed("a list beyond its page") }
        }
        guard !isFirst else { throw Malformed("an empty page") }
        return next
    }
}
