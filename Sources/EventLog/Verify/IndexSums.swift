import Core

/// What lists hold, in a few numbers: entries are added in any order.
struct EntrySum: Hashable {
    var count: UInt64 = 0
    var hash: UInt64 = 0

    mutating func add(_ entry: SegmentEntry, seed: UInt64) {
        count += 1
        var mixed = (entry.value ^ seed) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(entry.number)
        mixed = (mixed ^ mixed &>> 31) &* (seed | 1)
        mixed = (mixed ^ mixed &>> 29) &* 0xBF58_476D_1CE4_E5B9
        hash = hash &+ (mixed ^ mixed &>> 32)
    }
}

/// The sums of all lists of each kind.
struct IndexSums: Equatable {
    let seed: UInt64
    private var sums = [EntrySum](repeating: EntrySum(), count: SegmentKind.allCases.count + 1)

    init(seed: UInt64) {
        self.seed = seed
    }

    var count: UInt64 { sums.reduce(0) { $0 + $1.count } }

    subscript(kind: SegmentKind) -> EntrySum { sums[Int(kind.rawValue)] }

    @inline(__always)
    mutating func add(_ kind: SegmentKind, _ number: UInt32, _ value: UInt64) {
        sums[Int(kind.rawValue)].add(SegmentEntry(number: number, value: value), seed: seed)
    }

    mutating func add(_ event: EventRecord) {
        let position = event.position.number
        add(.stream, event.stream.number, position)
        add(.type, UInt32(event.type), position)
        for (place, tag) in event.tags.enumerated() where !event.tags[..<place].contains(tag) {
            add(.tag, tag.number, position)
        }
        if let actor = event.listedActor { add(.actor, actor.number, position) }
    }
}

/// Reads `segments` from its first page to its last and checks that the pages join.
struct SegmentWalk {
    private let sealed: Sealed
    private var open: (kind: SegmentKind, segment: UInt32, next: SegmentEntry)?
    private(set) var sums: IndexSums
    private(set) var entries: [UInt32: UInt64] = [:]

    init(_ sealed: Sealed, seed: UInt64) {
        self.sealed = sealed
        sums = IndexSums(seed: seed)
    }

    /// Reads the page here.
    mutating func read(_ cursor: borrowing Cursor) throws(JournalError) {
        let former = open
        open = nil
        let next = try SegmentReading.page(at: cursor) {
            key, content throws(Malformed) -> (SegmentKey, SegmentEntry) in
            guard let segment = sealed.segments.first(where: { $0.number == key.segment }) else {
                guard sealed.dropping.contains(key.segment) else {
                    throw Malformed("a page of an unknown segment")
                }
                return (key, .end)
            }
            if let former, former.next != .end {
                guard former.kind == key.kind, former.segment == key.segment,
                    former.next == key.first
                else { throw Malformed("a page before it is missing") }
            } else if let former, former.kind == key.kind, former.segment == key.segment {
                throw Malformed("a page beyond the last")
            }
            let places = Self.places(of: key.kind, segment)
            var isInside = true
            var count: UInt64 = 0
            let next = try SegmentPage.read(key, content) { entry in
                if !places.contains(entry.value) { isInside = false }
                sums.add(key.kind, entry.number, entry.value)
                count += 1
                return true
            }
            guard isInside else { throw Malformed("an entry outside its segment") }
            entries[key.segment, default: 0] += count
            return (key, next)
        }
        open = (next.0.kind, next.0.segment, next.1)
    }

    private static func places(
        of kind: SegmentKind, _ segment: SealedSegment
    ) -> ClosedRange<UInt64> {
        switch kind {
        case .stream, .type, .tag, .actor: segment.first.number...segment.last.number
        case .command: segment.first.number...segment.last.number + 1
        case .name: 1...max(1, UInt64(segment.symbolCount))
        }
    }

    /// To be called behind the last page.
    func finish() throws(JournalError) {
        if let open, open.next != .end { throw .damaged("the last page of the index is missing") }
        for segment in sealed.segments where entries[segment.number] != segment.entries {
            throw .damaged("pages of segment \(segment.number) of the index are missing")
        }
    }
}
