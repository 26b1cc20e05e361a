import Events

/// Reads one posting list: the positions of a stream's or type's events, or of those with a tag.
struct PostingList {
    let access: TransactionAccess
    let database: Database
    let kind: PostingKind
    let number: UInt32
    /// The last chunk; nil if the list is empty.
    let tail: PostingChunk?
    /// The chunk read last and its positions.
    private var chunk = PostingChunk()
    private var positions: [UInt64] = []

    init(
        _ access: TransactionAccess, _ database: Database, _ kind: PostingKind, _ number: UInt32
    ) throws(JournalError) {
        self.access = access
        self.database = database
        self.kind = kind
        self.number = number
        tail = try Self.chunk(access, database, PostingKey(kind, number, chunk: PostingKey.tail))
    }

    static func chunk(
        _ access: TransactionAccess, _ database: Database, _ key: PostingKey
    ) throws(JournalError) -> PostingChunk? {
        let bytes = key.bytes
        return try access.lookUp(database, bytes.span) { content throws(JournalError) in
            do throws(Malformed) {
                return try PostingChunk(content)
            } catch {
                throw damaged(error.what, key)
            }
        }
    }

    static func damaged(_ what: StaticString, _ key: PostingKey) -> JournalError {
        .damaged("\(what), in the index of \(key.kind) \(key.number), chunk \(key.chunk)")
    }

    var head: StreamHead? {
        tail.map {
            StreamHead(
                count: UInt32(clamping: $0.total), lastPosition: Position($0.last),
                lastAt: Instant(milliseconds: $0.lastAt))
        }
    }

    /// Reads the chunk with this sequence number into `chunk` and `positions`.
    private mutating func load(_ sequence: UInt32) throws(JournalError) {
        guard let tail else { return }
        if chunk.count > 0 && chunk.sequence == sequence && !positions.isEmpty { return }
        if sequence == tail.sequence {
            chunk = tail
        } else {
            chunk = try closedChunk(sequence)
        }
        positions.removeAll(keepingCapacity: true)
        do throws(Malformed) {
            try chunk.decode(into: &positions)
        } catch {
            throw Self.damaged(error.what, PostingKey(kind, number, chunk: sequence))
        }
    }

    private func closedChunk(_ sequence: UInt32) throws(JournalError) -> PostingChunk {
        let key = PostingKey(kind, number, chunk: sequence)
        guard let found = try Self.chunk(access, database, key) else {
            throw Self.damaged("a missing chunk", key)
        }
        guard found.sequence == sequence else { throw Self.damaged("a chunk out of place", key) }
        return found
    }

    /// The number of the first chunk whose last position is not before `position`.
    private func chunkNumber(reaching position: UInt64) throws(JournalError) -> UInt32? {
        guard let tail, position <= tail.last else { return nil }
        if position >= tail.first || tail.sequence == 0 { return tail.sequence }
        var low: UInt32 = 0
        var high = tail.sequence
        while low < high {
            let middle = low + (high - low) / 2
            if try closedChunk(middle).last < position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The least position of the list that is not before `position`.
    mutating func next(from position: UInt64) throws(JournalError) -> UInt64? {
        if chunk.count == 0 || position < chunk.first || position > chunk.last {
            guard let sequence = try chunkNumber(reaching: position) else { return nil }
            try load(sequence)
        }
        let index = Self.lowerBound(positions, position)
        return index < positions.count ? positions[index] : nil
    }

    /// Appends to `found` the positions in `range`, ascending or descending, until it holds
    /// `limit` of them.
    mutating func collect(
        _ range: ClosedRange<UInt64>, reversed: Bool, limit: Int, into found: inout [Position]
    ) throws(JournalError) {
        guard let tail else { return }
        let edge = reversed ? min(range.upperBound, tail.last) : range.lowerBound
        guard var sequence = try chunkNumber(reaching: edge) else { return }
        while found.count < limit {
            let expected = chunk
            let hadChunk = !positions.isEmpty
            try load(sequence)
            if hadChunk, !reversed, expected.sequence &+ 1 == sequence,
                expected.total != chunk.before || expected.last >= chunk.first
            {
                throw Self.damaged(
                    "chunks that do not join", PostingKey(kind, number, chunk: sequence))
            }
            let low = Self.lowerBound(positions, range.lowerBound)
            let high = Self.lowerBound(positions, range.upperBound &+ 1)
            if low < high {
                let room = min(limit - found.count, high - low)
                if reversed {
                    for index in 0..<room { found.append(Position(positions[high - 1 - index])) }
                } else {
                    for index in low..<low + room { found.append(Position(positions[index])) }
                }
            }
            if reversed {
                guard sequence > 0, chunk.first > range.lowerBound else { return }
                sequence -= 1
            } else {
                guard sequence < tail.sequence, chunk.last < range.upperBound else { return }
                sequence += 1
            }
        }
    }

    /// Index of the first position that is not before `position`.
    private static func lowerBound(_ positions: [UInt64], _ position: UInt64) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
