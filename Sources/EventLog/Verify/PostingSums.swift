import Events

/// What a posting list should be, in a few numbers.
struct PostingSum: Hashable {
    var count: UInt64 = 0
    var last: UInt64 = 0
    var lastAt: Int64 = 0
    /// Over all positions in order.
    var hash: UInt64 = 0

    mutating func add(_ position: UInt64, seed: UInt64) {
        count += 1
        last = position
        hash = (hash ^ position) &* (seed | 1)
        hash ^= hash &>> 29
    }
}

/// The lists of all streams, types and tags, as the frames say they are.
struct PostingSums {
    let seed: UInt64
    private var streams: [PostingSum] = []
    private var types: [PostingSum] = []
    private var tags: [PostingSum] = []
    private(set) var count = 0

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Adds an event and answers the revision that it should have.
    mutating func add(_ event: EventRecord) -> UInt64 {
        let revision = Self.add(
            event, to: &streams, Int(event.stream.number), seed: seed, count: &count)
        _ = Self.add(event, to: &types, Int(event.type), seed: seed, count: &count)
        for tag in event.tags {
            _ = Self.add(event, to: &tags, Int(tag.number), seed: seed, count: &count)
        }
        return revision
    }

    private static func add(
        _ event: EventRecord, to sums: inout [PostingSum], _ index: Int, seed: UInt64,
        count: inout Int
    ) -> UInt64 {
        if index >= sums.count {
            let more = max(index + 1, sums.count * 2) - sums.count
            sums.append(contentsOf: repeatElement(PostingSum(), count: more))
        }
        let before = sums[index].count
        if before == 0 { count += 1 }
        // The same tag twice on one event counts once.
        guard before == 0 || sums[index].last < event.position.number else { return before }
        sums[index].add(event.position.number, seed: seed)
        sums[index].lastAt = event.at.milliseconds
        return before
    }

    func sum(of kind: PostingKind, _ number: UInt32) -> PostingSum {
        let sums =
            switch kind {
            case .stream: streams
            case .type: types
            case .tag: tags
            }
        return Int(number) < sums.count ? sums[Int(number)] : PostingSum()
    }
}

/// Reads `index` from its first record to its last and puts the chunks of each list together.
struct PostingWalk {
    struct List {
        var kind: PostingKind
        var number: UInt32
        var first: UInt64
        var sum: PostingSum
    }

    private let seed: UInt64
    private var list: List?
    private var nextChunk: UInt32 = 0
    private var positions: [UInt64] = []
    private(set) var listCount = 0

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Reads one record; answers the list if this was its last chunk.
    mutating func read(
        _ keyBytes: Span<UInt8>, _ content: Span<UInt8>
    ) throws(JournalError) -> List? {
        guard let key = try? PostingKey(keyBytes) else {
            throw .damaged("a key that is no posting list's, in the index")
        }
        let chunk: PostingChunk
        positions.removeAll(keepingCapacity: true)
        do throws(Malformed) {
            chunk = try PostingChunk(content)
            try chunk.decode(into: &positions)
        } catch {
            throw PostingList.damaged(error.what, key)
        }
        if list?.kind != key.kind || list?.number != key.number {
            let isOpen = list != nil
            list = List(
                kind: key.kind, number: key.number, first: chunk.first, sum: PostingSum())
            nextChunk = 0
            if isOpen { throw PostingList.damaged("a list before it has no end", key) }
        }
        let isTail = key.chunk == PostingKey.tail
        guard var list, chunk.sequence == nextChunk, isTail || key.chunk == chunk.sequence,
            chunk.before == list.sum.count, chunk.first > list.sum.last,
            isTail || chunk.lastAt == 0
        else {
            self.list = nil
            throw PostingList.damaged("a chunk out of place", key)
        }
        for position in positions { list.sum.add(position, seed: seed) }
        list.sum.lastAt = chunk.lastAt
        nextChunk += 1
        self.list = isTail ? nil : list
        guard isTail else { return nil }
        listCount += 1
        return list
    }
}
