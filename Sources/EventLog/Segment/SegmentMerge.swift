import Core

/// Neighbouring segments of one level on their way to becoming one of the next.
///
/// Entries are read in one transaction and written in another, a part at a time; the new segment
/// counts once it is whole. Until then its number is among those to be dropped.
struct SegmentMerge {
    private let inputs: [SealedSegment]
    private let output: UInt32
    private var kinds = SegmentKind.allCases[...]
    /// Where reading the current kind goes on; nil at its beginning.
    private var resume: SegmentEntry?
    private var part: [(kind: SegmentKind, entry: SegmentEntry)] = []
    private var entries: UInt64 = 0

    /// Nil if no level has enough segments. Takes a number for the new one.
    init?(_ sealed: inout Sealed) {
        guard let inputs = Self.neighbours(in: sealed) else { return nil }
        self.inputs = inputs
        sealed.lastSegment += 1
        output = sealed.lastSegment
        sealed.dropping.append(output)
    }

    static func isPossible(in sealed: Sealed) -> Bool { neighbours(in: sealed) != nil }

    /// The oldest run of neighbours of one level that is long enough, of the least such level.
    private static func neighbours(in sealed: Sealed) -> [SealedSegment]? {
        var best: ArraySlice<SealedSegment>?
        var start = 0
        for index in sealed.segments.indices {
            if sealed.segments[index].level != sealed.segments[start].level { start = index }
            if index - start + 1 == Sealed.fanout {
                let run = sealed.segments[start...index]
                if best == nil || run[start].level < best?.first?.level ?? 0 { best = run }
                start = index + 1
                if start == sealed.segments.count { break }
            }
        }
        return best.map { Array($0) }
    }

    func stillFits(_ sealed: Sealed) -> Bool {
        sealed.dropping.contains(output) && inputs.allSatisfy { sealed.segments.contains($0) }
    }

    var isComplete: Bool { kinds.isEmpty && part.isEmpty }

    /// Reads about this many more entries.
    mutating func read(
        _ access: TransactionAccess, _ database: Database, atMost limit: Int
    ) throws(JournalError) {
        guard part.isEmpty else { return }
        while let kind = kinds.first, part.count < limit {
            var sources: [SegmentSource] = []
            for input in inputs {
                sources.append(
                    try SegmentSource(access, database, kind, input.number, from: resume))
            }
            while part.count < limit {
                var least: Int?
                for index in sources.indices {
                    guard let entry = sources[index].entry else { continue }
                    if let known = least, let other = sources[known].entry, other <= entry {
                        continue
                    }
                    least = index
                }
                guard let least, let entry = sources[least].entry else { break }
                if part.last.map({ $0 != (kind, entry) }) ?? true { part.append((kind, entry)) }
                try sources[least].advance()
            }
            let rest = sources.compactMap(\.entry).min()
            resume = rest
            guard rest == nil else { return }
            kinds.removeFirst()
        }
    }

    /// Writes what was read.
    mutating func write(
        _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) {
        var writer = SegmentWriter(access, database, segment: output)
        for (kind, entry) in part { try writer.add(kind, entry) }
        try writer.endPage(before: resume)
        entries += writer.entries
        part.removeAll(keepingCapacity: true)
    }

    /// The new segment takes the place of the others.
    func finish(_ sealed: inout Sealed) {
        guard let first = inputs.first, let last = inputs.last,
            let place = sealed.segments.firstIndex(of: first)
        else { return }
        sealed.segments.removeSubrange(place..<place + inputs.count)
        sealed.segments.insert(
            SealedSegment(
                number: output, level: first.level + 1, first: first.first, last: last.last,
                symbolCount: last.symbolCount, entries: entries),
            at: place)
        sealed.dropping.removeAll { $0 == output }
        sealed.dropping += inputs.map(\.number)
    }
}

/// The entries of one kind in one segment, in order, a page at a time.
private struct SegmentSource {
    private let access: TransactionAccess
    private let database: Database
    private let kind: SegmentKind
    private let segment: UInt32
    private var page: [SegmentEntry] = []
    private var place = 0
    /// Where the next page begins; nil if there is none.
    private var next: SegmentEntry?

    /// Begins at the first entry that is not before `from`.
    init(
        _ access: TransactionAccess, _ database: Database, _ kind: SegmentKind, _ segment: UInt32,
        from first: SegmentEntry?
    ) throws(JournalError) {
        self.access = access
        self.database = database
        self.kind = kind
        self.segment = segment
        let first = first ?? SegmentEntry(number: 0, value: 0)
        var cursor = try Cursor(access, database)
        let edge = SegmentKey(kind, segment, first).bytes
        var isFound = try cursor.seekBack(edge.span)
        if isFound, !(try read(&cursor)) { isFound = false }
        if !isFound {
            guard try cursor.seek(edge.span), try read(&cursor) else { return }
        }
        while let entry, entry < first { try advance() }
    }

    var entry: SegmentEntry? { place < page.count ? page[place] : nil }

    mutating func advance() throws(JournalError) {
        place += 1
        guard place == page.count, let next else { return }
        var cursor = try Cursor(access, database)
        let edge = SegmentKey(kind, segment, next).bytes
        guard try cursor.seek(edge.span), try read(&cursor), page.first == next else {
            throw .damaged("a page of the index is missing")
        }
    }

    /// Reads the page here; false if it is not one of this segment's.
    private mutating func read(_ cursor: inout Cursor) throws(JournalError) -> Bool {
        page.removeAll(keepingCapacity: true)
        place = 0
        next = nil
        var found: [SegmentEntry] = []
        let end = try SegmentReading.page(at: cursor) {
            key, content throws(Malformed) -> SegmentEntry? in
            guard key.kind == kind, key.segment == segment else { return nil }
            return try SegmentPage.read(key, content) { entry in
                found.append(entry)
                return true
            }
        }
        guard let end else { return false }
        page = found
        next = end == .end ? nil : end
        return true
    }
}
