import Events

/// Part of a posting list: some positions in ascending order.
///
/// Stored as varints: sequence, events before, events here, first position, last − first, the last
/// event's `at` (zigzag), then the differences from each position to the next.
struct PostingChunk {
    /// Bytes of differences after which a chunk is closed.
    static let fullBytes = 1000

    /// The chunk's number: 0, 1, 2 … also for the last one, which stands under `PostingKey.tail`.
    var sequence: UInt32 = 0
    /// Events of the list in the chunks before.
    var before: UInt64 = 0
    var count: UInt64 = 0
    var first: UInt64 = 0
    var last: UInt64 = 0
    /// When the list's last event happened; 0 in a closed chunk.
    var lastAt: Int64 = 0
    /// The differences, as stored.
    var differences: [UInt8] = []

    /// Events of the list up to the end of this chunk.
    var total: UInt64 { before &+ count }

    var isFull: Bool { differences.count >= Self.fullBytes }

    init() {}

    /// Reads a chunk, the differences included but not decoded.
    init(_ bytes: Span<UInt8>) throws(Malformed) {
        try read(bytes)
    }

    /// Reads a chunk into the buffers of this one.
    mutating func read(_ bytes: Span<UInt8>) throws(Malformed) {
        var offset = 0
        sequence = try bytes.varint32(&offset)
        before = try bytes.varint(&offset)
        count = try bytes.varint(&offset)
        first = try bytes.varint(&offset)
        let span = try bytes.varint(&offset)
        lastAt = try bytes.zigzag(&offset)
        guard count >= 1, first >= 1, first < Limits.positions, span < Limits.positions,
            before < Limits.positions, count - 1 <= UInt64(bytes.count - offset)
        else { throw Malformed("a posting list beyond its limits") }
        last = first + span
        differences.removeAll(keepingCapacity: true)
        let rest = bytes.extracting(offset..<bytes.count)
        unsafe rest.withUnsafeBufferPointer { unsafe differences.append(contentsOf: $0) }
    }

    mutating func append(_ position: UInt64, at: Int64) {
        if count == 0 {
            first = position
        } else {
            differences.appendVarint(position &- last)
        }
        count += 1
        last = position
        lastAt = at
    }

    /// Forgets what only the last chunk of a list knows.
    mutating func close() { lastAt = 0 }

    /// Goes on with the next chunk of the same list.
    mutating func startNext() {
        before += count
        sequence += 1
        count = 0
        differences.removeAll(keepingCapacity: true)
    }

    func write(to bytes: inout [UInt8]) {
        bytes.appendVarint(sequence)
        bytes.appendVarint(before)
        bytes.appendVarint(count)
        bytes.appendVarint(first)
        bytes.appendVarint(last - first)
        bytes.appendZigzag(lastAt)
        bytes.append(contentsOf: differences)
    }

    /// Appends all positions to `positions`.
    func decode(into positions: inout [UInt64]) throws(Malformed) {
        let bytes = differences.span
        var offset = 0
        var position = first
        positions.append(position)
        for _ in 1..<count {
            let difference = try bytes.varint(&offset)
            guard difference >= 1, difference <= last - position else {
                throw Malformed("positions that do not ascend")
            }
            position += difference
            positions.append(position)
        }
        guard position == last, offset == bytes.count else {
            throw Malformed("a posting list that does not end where it says")
        }
    }
}
