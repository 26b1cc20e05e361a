/// A page of a segment: lists side by side, each with its values in ascending order.
///
/// Content: the entry with which the next page of the same kind begins, number (4 bytes) and value
/// (8), all ones if there is none; the number of restarts (2), and for each the number of the list that
/// begins there (4) and where that is, counted from the first list (2); then for each list, all varints:
/// twice the difference of its number to the list before, plus one if it has several values; its first
/// value as the difference to the first of the list before (zigzag); and if it has several, how many
/// more, and the differences between them. Instead of the list before, the first list takes the key, and
/// one at a restart its own number and the key's value. So a page proves the absence of everything
/// between its key and the next.
struct SegmentPage {
    /// Bytes of a record: what fits on one of LMDB's overflow pages.
    static let byteCount = 4080

    private static let restartEvery = 32
    private static let restartBytes = 6

    private(set) var key: SegmentKey
    private(set) var next = SegmentEntry.end
    /// The lists, as stored.
    private var lists: [UInt8] = []
    private var restarts: [UInt8] = []
    private var listCount = 0
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

    var isFull: Bool { lists.count + restarts.count + gaps.count + 60 > Self.byteCount }

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
        if listCount > 0, listCount % Self.restartEvery == 0 {
            restarts.appendFixed(list.number)
            restarts.appendFixed(UInt16(truncatingIfNeeded: lists.count))
            base = SegmentEntry(number: list.number, value: key.first.value)
        }
        listCount += 1
        let step = UInt64(list.number &- base.number)
        lists.appendVarint(step << 1 | (count > 1 ? 1 : 0))
        lists.appendZigzag(Int64(bitPattern: list.value &- base.value))
        if count > 1 { lists.appendVarint(count - 1) }
        lists += gaps
        gaps.removeAll(keepingCapacity: true)
        base = list
        open = nil
    }

    /// The page's record, without its checksum.
    mutating func finish(before next: SegmentEntry) -> [UInt8] {
        closeList()
        var content: [UInt8] = []
        content.reserveCapacity(lists.count + restarts.count + 24)
        content.appendFixed(next.number)
        content.appendFixed(next.value)
        content.appendFixed(UInt16(truncatingIfNeeded: restarts.count / Self.restartBytes))
        content += restarts
        content += lists
        return content
    }

    /// Calls `visit` with each entry in order until it answers false, leaving out lists before `from` as
    /// far as it can; answers where the next page begins.
    @discardableResult
    @inline(__always)
    static func read(
        _ key: SegmentKey, _ content: Span<UInt8>, from wanted: UInt32 = 0,
        _ visit: (SegmentEntry) -> Bool
    ) throws(Malformed) -> SegmentEntry {
        var offset = 0
        let next = SegmentEntry(
            number: UInt32(truncatingIfNeeded: try content.fixed(4, &offset)),
            value: try content.fixed(8, &offset))
        guard key.first < next else { throw Malformed("pages out of order") }
        let restarts = Int(try content.fixed(2, &offset))
        let table = content.extracting(try content.skip(restarts * restartBytes, &offset))
        let lists = offset
        // The last restart whose list is not behind the wanted one.
        var (low, high) = (0, restarts)
        while low < high {
            let middle = (low + high) / 2
            if try number(ofRestart: middle, table) <= wanted {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var restart = low
        var base = key.first
        var isStart = true
        if restart > 0 {
            base.number = try number(ofRestart: restart - 1, table)
            guard base.number > key.first.number else { throw Malformed("lists out of order") }
            offset = lists + (try place(ofRestart: restart - 1, table))
        }
        var isFirst = restart == 0
        var nextStart =
            restart < restarts ? lists + (try place(ofRestart: restart, table)) : content.count
        while offset < content.count {
            if offset == nextStart {
                let number = try number(ofRestart: restart, table)
                guard number > base.number else { throw Malformed("lists out of order") }
                base = SegmentEntry(number: number, value: key.first.value)
                isStart = true
                restart += 1
                nextStart =
                    restart < restarts
                    ? lists + (try place(ofRestart: restart, table)) : content.count
            }
            let head = try content.varint(&offset)
            let step = head >> 1
            guard (step == 0) == isStart, step <= UInt64(UInt32.max - base.number) else {
                throw Malformed("lists out of order")
            }
            var entry = SegmentEntry(
                number: base.number + UInt32(truncatingIfNeeded: step),
                value: base.value &+ UInt64(bitPattern: try content.zigzag(&offset)))
            let more = head & 1 == 0 ? 0 : try content.varint(&offset)
            guard more <= UInt64(content.count - offset),
                !isFirst || entry == key.first
            else { throw Malformed("a list beyond its page") }
            base = entry
            (isStart, isFirst) = (false, false)
            guard visit(entry) else { return next }
            for _ in 0..<more {
                let gap = try content.varint(&offset)
                let (value, overflow) = entry.value.addingReportingOverflow(gap)
                guard gap >= 1, !overflow else { throw Malformed("values that do not ascend") }
                entry.value = value
                guard visit(entry) else { return next }
            }
            guard entry < next, offset <= nextStart else {
                throw Malformed("a list beyond its page")
            }
        }
        guard !isStart else { throw Malformed("an empty page") }
        return next
    }

    private static func number(
        ofRestart index: Int, _ table: Span<UInt8>
    ) throws(Malformed) -> UInt32 {
        var offset = index * restartBytes
        return UInt32(truncatingIfNeeded: try table.fixed(4, &offset))
    }

    private static func place(
        ofRestart index: Int, _ table: Span<UInt8>
    ) throws(Malformed) -> Int {
        var offset = index * restartBytes + 4
        return Int(try table.fixed(2, &offset))
    }
}
