import Events

/// The events of a block, decoded as far as its chunks are open; buffers are kept for the next block.
struct BlockRows {
    /// An event, its payload and tags as ranges of the block's buffers.
    private struct Row {
        var flags: UInt64 = 0
        var at: Int64 = 0
        var cause: UInt64 = 0
        var stream: UInt32 = 0
        var revision: UInt32 = 0
        var actor: UInt32 = 0
        var device: UInt32 = 0
        var subject: UInt32 = 0
        /// Index into `commands`, or -1.
        var command: Int32 = -1
        var firstTag: UInt32 = 0
        var tagCount: UInt32 = 0
        var payload: UInt32 = 0
        var payloadBytes: UInt32 = 0
        var type: UInt16 = 0
    }

    private var allCommands: [FrameReader.Command] = []
    private var commandCount = 0
    private var first: UInt64 = 0
    private var eventCount = 0
    /// The events' indices, chunk by chunk.
    private var order: [UInt32] = []
    /// For each event its place in `order`.
    private var places: [UInt32] = []
    private var rows: [Row] = []
    private var tags: [Symbol] = []
    private var tagged: [UInt32] = []

    /// The block's commands; known as far as its chunks are open.
    var commands: ArraySlice<FrameReader.Command> { allCommands[..<commandCount] }

    func place(of event: Int) -> Int { Int(places[event]) }

    /// Begins a block: reads the order of its events out of the directory.
    mutating func begin(
        _ header: BlockHeader, chunks: some Sequence<Int>, _ bytes: Span<UInt8>,
        _ offset: inout Int
    ) throws(Malformed) {
        first = header.first.number
        eventCount = Int(header.eventCount)
        order.removeAll(keepingCapacity: true)
        order.reserveCapacity(eventCount)
        for count in chunks {
            try Column.read(count, bytes, &offset) { _, index throws(Malformed) in
                guard index < UInt64(eventCount) else {
                    throw Malformed("an event outside its block")
                }
                order.append(UInt32(truncatingIfNeeded: index))
            }
        }
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: repeatElement(.max, count: eventCount))
        for place in 0..<eventCount {
            let index = Int(order[place])
            guard places[index] == .max else { throw Malformed("an event that is there twice") }
            places[index] = UInt32(truncatingIfNeeded: place)
        }
        if rows.count < eventCount {
            rows = [Row](repeating: Row(), count: max(eventCount, rows.count * 2))
        }
        tags.removeAll(keepingCapacity: true)
        let none = FrameReader.Command(
            id: 0..<0, digest: 0..<0, device: .none, firstEvent: 0, eventCount: 0,
            isAccepted: false)
        // What is left of the block before is written over when a chunk is opened.
        commandCount = Int(header.commandCount)
        if allCommands.count < commandCount {
            allCommands = [FrameReader.Command](
                repeating: none, count: max(commandCount, allCommands.count * 2))
        }
    }

    /// Reads a chunk, whose events have these places in the order.
    mutating func read(
        _ events: Range<Int>, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) {
        let commands = try readCommands(bytes, &offset)
        try readRows(events, bytes, &offset, commands)
    }

    /// Reads the commands of a chunk and answers their indices.
    private mutating func readCommands(
        _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) -> [UInt32] {
        let count = try bytes.varint(&offset)
        guard count <= UInt64(commandCount) else { throw Malformed("too many commands") }
        var indices = [UInt32]()
        indices.reserveCapacity(Int(count))
        let known = UInt64(commandCount)
        try Column.read(Int(count), bytes, &offset) { _, value throws(Malformed) in
            guard value < known else { throw Malformed("an unknown command") }
            indices.append(UInt32(truncatingIfNeeded: value))
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            allCommands[Int(indices[index])].device = Symbol(number: try Self.narrow(value))
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= UInt64(eventCount) else { throw Malformed("a command outside") }
            allCommands[Int(indices[index])].firstEvent = Int(value)
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            let first = allCommands[Int(indices[index])].firstEvent
            guard value <= UInt64(eventCount - first) else { throw Malformed("a command outside") }
            allCommands[Int(indices[index])].eventCount = Int(value)
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= 1 else { throw Malformed("a command of unknown fate") }
            allCommands[Int(indices[index])].isAccepted = value == 1
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value >= 1, value <= UInt64(Limits.commandIDBytes) else {
                throw Malformed("a command without an id")
            }
            allCommands[Int(indices[index])].id = 0..<Int(value)
        }
        for index in indices {
            allCommands[Int(index)].id = try bytes.skip(allCommands[Int(index)].id.count, &offset)
        }
        for index in indices {
            allCommands[Int(index)].digest = try bytes.skip(Limits.digestBytes, &offset)
        }
        return indices
    }

    private mutating func readRows(
        _ events: Range<Int>, _ bytes: Span<UInt8>, _ offset: inout Int, _ commandIndices: [UInt32]
    ) throws(Malformed) {
        let count = events.count
        let firstPlace = events.lowerBound
        @inline(__always)
        func column(
            _ set: (inout Row, UInt64) throws(Malformed) -> Void
        ) throws(Malformed) {
            try Column.read(count, bytes, &offset) { index, value throws(Malformed) in
                try set(&rows[Int(order[firstPlace + index])], value)
            }
        }
        try column { row, value throws(Malformed) in
            guard value >= 1, value <= UInt64(UInt16.max) else {
                throw Malformed("an event of no type")
            }
            row.type = UInt16(truncatingIfNeeded: value)
        }
        try column { row, value throws(Malformed) in
            guard value & ~EventRecord.knownFlags == 0 else {
                throw Malformed("an event with unknown flags")
            }
            row.flags = value
        }
        try column { row, value throws(Malformed) in row.stream = try Self.narrow(value) }
        try column { row, value throws(Malformed) in row.revision = try Self.narrow(value) }
        try column { row, value throws(Malformed) in row.at = Int64(bitPattern: value) }
        try column { row, value throws(Malformed) in row.actor = try Self.narrow(value) }
        try column { row, value throws(Malformed) in row.device = try Self.narrow(value) }
        try column { row, value throws(Malformed) in
            guard value <= UInt64(commandIndices.count) else { throw Malformed("an unknown command") }
            row.command =
                value == 0 ? -1 : Int32(truncatingIfNeeded: commandIndices[Int(value) - 1])
        }
        try Column.read(count, bytes, &offset) { index, value throws(Malformed) in
            let event = Int(order[firstPlace + index])
            let position = first + UInt64(event)
            guard value < position else { throw Malformed("a cause before the first event") }
            rows[event].cause = value == 0 ? 0 : position - value
        }
        try column { row, value throws(Malformed) in row.subject = try Self.narrow(value) }
        try readTags(events, bytes, &offset)
        try column { row, value throws(Malformed) in
            guard value <= UInt64(Limits.payloadBytes) else { throw Malformed("a long payload") }
            row.payloadBytes = UInt32(truncatingIfNeeded: value)
        }
        for place in events {
            let index = Int(order[place])
            rows[index].payload = UInt32(truncatingIfNeeded: offset)
            _ = try bytes.skip(Int(rows[index].payloadBytes), &offset)
        }
    }

    private mutating func readTags(
        _ events: Range<Int>, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) {
        tagged.removeAll(keepingCapacity: true)
        var total = 0
        let firstPlace = events.lowerBound
        try Column.read(events.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= UInt64(Limits.tagsPerEvent), total + Int(value) <= Limits.blockBytes else {
                throw Malformed("too many tags")
            }
            let event = order[firstPlace + index]
            rows[Int(event)].firstTag = UInt32(truncatingIfNeeded: tags.count + total)
            rows[Int(event)].tagCount = UInt32(truncatingIfNeeded: value)
            if value > 0 { tagged.append(event) }
            total += Int(value)
        }
        tags.append(contentsOf: repeatElement(.none, count: total))
        var slot = 0
        while !tagged.isEmpty {
            try Column.read(tagged.count, bytes, &offset) { index, value throws(Malformed) in
                tags[Int(rows[Int(tagged[index])].firstTag) + slot] = Symbol(
                    number: try Self.narrow(value))
            }
            slot += 1
            tagged.removeAll { Int(rows[Int($0)].tagCount) <= slot }
        }
    }

    @inline(__always)
    private static func narrow(_ value: UInt64) throws(Malformed) -> UInt32 {
        guard value <= UInt64(UInt32.max) else { throw Malformed("a number beyond 32 bits") }
        return UInt32(truncatingIfNeeded: value)
    }

    @inline(__always)
    func fill(_ record: inout EventRecord, _ index: Int) {
        let row = rows[index]
        record.position = Position(first &+ UInt64(index))
        record.at = Instant(milliseconds: row.at)
        record.type = row.type
        record.flags = row.flags
        record.stream = Symbol(number: row.stream)
        record.revision = row.revision
        record.actor = Symbol(number: row.actor)
        record.device = Symbol(number: row.device)
        if row.command < 0 {
            record.command = nil
            record.commandID = 0..<0
        } else {
            record.command = Int(row.command)
            record.commandID = allCommands[Int(row.command)].id
        }
        record.cause = Position(row.cause)
        record.subject = Symbol(number: row.subject)
        record.tags.removeAll(keepingCapacity: true)
        for tag in Int(row.firstTag)..<Int(row.firstTag) + Int(row.tagCount) {
            record.tags.append(tags[tag])
        }
        record.payload = Int(row.payload)..<Int(row.payload) + Int(row.payloadBytes)
    }
}
