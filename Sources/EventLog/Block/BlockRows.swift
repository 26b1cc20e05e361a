import Core

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

    /// Which chunk holds an event, if the stamp is the block's; nothing is known otherwise.
    private struct Owner {
        var stamp: UInt32 = 0
        var chunk: UInt32 = 0
    }

    /// Of this block, never 0: to set all back for each block would take longer than to read a few events of it.
    private var stamp: UInt32 = 0
    private var allCommands: [FrameReader.Command] = []
    /// For each command the stamp of the last block a chunk of which had it.
    private var commandStamps: [UInt32] = []
    private var commandCount = 0
    /// How many of them the chunks that are open hold.
    private var commandsRead = 0
    private var first: UInt64 = 0
    private var eventCount = 0
    /// The events' indices, chunk by chunk.
    private var order: [UInt32] = []
    /// For each event the chunk that holds it.
    private var owners: [Owner] = []
    private var rows: [Row] = []
    private var tags: [Symbol] = []
    private var tagged: [UInt32] = []
    /// The column that was read last; may be longer than it is.
    private var values: [UInt64] = []

    /// The block's commands; known as far as its chunks are open.
    var commands: ArraySlice<FrameReader.Command> { allCommands[..<commandCount] }

    /// Whether each of the block's commands was in a chunk.
    var hasAllCommands: Bool { commandsRead == commandCount }

    /// The chunk that holds an event, as far as the orders are read.
    func chunk(of event: Int) -> Int? {
        let owner = owners[event]
        return owner.stamp == stamp ? Int(owner.chunk) : nil
    }

    /// Begins a block.
    mutating func begin(_ header: BlockHeader) {
        first = header.first.number
        eventCount = Int(header.eventCount)
        commandCount = Int(header.commandCount)
        commandsRead = 0
        stamp &+= 1
        if stamp == 0 {
            owners = []
            commandStamps = []
            stamp = 1
        }
        Self.grow(&order, to: eventCount, by: 0)
        Self.grow(&owners, to: eventCount, by: Owner())
        Self.grow(&rows, to: eventCount, by: Row())
        Self.grow(&commandStamps, to: commandCount, by: 0)
        let none = FrameReader.Command(
            id: 0..<0, digest: 0..<0, device: .none, firstEvent: 0, eventCount: 0,
            isAccepted: false, isKeyed: false)
        Self.grow(&allCommands, to: commandCount, by: none)
        tags.removeAll(keepingCapacity: true)
    }

    private static func grow<Element>(
        _ elements: inout [Element], to count: Int, by element: Element
    ) {
        let more = max(count, elements.count * 2) - elements.count
        if elements.count < count {
            elements.append(contentsOf: repeatElement(element, count: more))
        }
    }

    /// Reads which events a chunk holds, whose places in the order these are.
    mutating func readOrder(
        of chunk: Int, _ events: Range<Int>, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) {
        try Column.read(events.count, bytes, &offset, into: &values)
        let owner = Owner(stamp: stamp, chunk: UInt32(truncatingIfNeeded: chunk))
        let values = values
        try Self.place(events, values.span, eventCount, owner, &owners, &order)
    }

    private static func place(
        _ events: Range<Int>, _ values: Span<UInt64>, _ eventCount: Int, _ owner: Owner,
        _ allOwners: inout [Owner], _ wholeOrder: inout [UInt32]
    ) throws(Malformed) {
        var owners = allOwners.mutableSpan
        var order = wholeOrder.mutableSpan
        for place in 0..<events.count {
            guard values[place] < UInt64(eventCount) else {
                throw Malformed("an event outside its block")
            }
            let index = Int(values[place])
            guard owners[index].stamp != owner.stamp else {
                throw Malformed("an event that is there twice")
            }
            owners[index] = owner
            order[events.lowerBound + place] = UInt32(truncatingIfNeeded: index)
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
        try Column.read(Int(count), bytes, &offset, into: &values)
        var indices: [UInt32] = []
        indices.reserveCapacity(Int(count))
        for value in values.prefix(Int(count)) {
            guard value < UInt64(commandCount) else { throw Malformed("an unknown command") }
            guard indices.last.map({ $0 < value }) ?? true else {
                throw Malformed("commands out of order")
            }
            indices.append(UInt32(truncatingIfNeeded: value))
        }
        var all = allCommands
        allCommands = []  // so that the copy is the only one
        defer { allCommands = all }
        for index in indices {
            guard commandStamps[Int(index)] != stamp else {
                throw Malformed("a command that is there twice")
            }
            commandStamps[Int(index)] = stamp
        }
        try Self.readCommands(indices.span, eventCount, bytes, &offset, &all, &values)
        commandsRead += indices.count
        return indices
    }

    private static func readCommands(
        _ indices: Span<UInt32>, _ eventCount: Int, _ bytes: Span<UInt8>, _ offset: inout Int,
        _ all: inout [FrameReader.Command], _ values: inout [UInt64]
    ) throws(Malformed) {
        var commands = all.mutableSpan
        try Column.read(indices.count, bytes, &offset, into: &values)
        for place in indices.indices {
            commands[Int(indices[place])].device = Symbol(number: try narrow(values[place]))
        }
        try Column.read(indices.count, bytes, &offset, into: &values)
        for place in indices.indices {
            guard values[place] <= UInt64(eventCount) else { throw Malformed("a command outside") }
            commands[Int(indices[place])].firstEvent = Int(values[place])
        }
        try Column.read(indices.count, bytes, &offset, into: &values)
        for place in indices.indices {
            let left = eventCount - commands[Int(indices[place])].firstEvent
            guard values[place] <= UInt64(left) else { throw Malformed("a command outside") }
            commands[Int(indices[place])].eventCount = Int(values[place])
        }
        try Column.read(indices.count, bytes, &offset, into: &values)
        for place in indices.indices {
            let fate = values[place]
            guard fate <= CommandFate.all else { throw Malformed("a command of unknown fate") }
            commands[Int(indices[place])].isAccepted = fate & CommandFate.accepted != 0
            commands[Int(indices[place])].isKeyed = fate & CommandFate.keyed != 0
        }
        try Column.read(indices.count, bytes, &offset, into: &values)
        for place in indices.indices {
            guard values[place] >= 1, values[place] <= UInt64(Limits.commandIDBytes) else {
                throw Malformed("a command without an id")
            }
            commands[Int(indices[place])].id = try bytes.skip(Int(values[place]), &offset)
        }
        for place in indices.indices {
            commands[Int(indices[place])].digest = try bytes.skip(Limits.digestBytes, &offset)
        }
    }

    private mutating func readRows(
        _ events: Range<Int>, _ bytes: Span<UInt8>, _ offset: inout Int, _ commands: [UInt32]
    ) throws(Malformed) {
        let count = events.count
        var (rows, values, order) = (self.rows, self.values, self.order)
        (self.rows, self.values, self.order) = ([], [], [])  // so that the copies are the only ones
        defer { (self.rows, self.values, self.order) = (rows, values, order) }
        try Self.readFixed(
            events, first, bytes, &offset, commands.span, order.span.extracting(events),
            &rows, &values)
        try readTags(events, order, bytes, &offset, &rows, &values)
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count {
            guard values[place] <= UInt64(Limits.payloadBytes) else {
                throw Malformed("a long payload")
            }
            let row = Int(order[events.lowerBound + place])
            rows[row].payload = UInt32(truncatingIfNeeded: offset)
            rows[row].payloadBytes = UInt32(truncatingIfNeeded: values[place])
            _ = try bytes.skip(Int(values[place]), &offset)
        }
    }

    /// The columns with one number an event. Loops over spans, not through a closure a column: a chunk is
    /// mostly this.
    private static func readFixed(
        _ events: Range<Int>, _ first: UInt64, _ bytes: Span<UInt8>, _ offset: inout Int,
        _ commands: Span<UInt32>, _ order: Span<UInt32>, _ allRows: inout [Row],
        _ values: inout [UInt64]
    ) throws(Malformed) {
        let count = events.count
        var rows = allRows.mutableSpan
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count {
            guard values[place] >= 1, values[place] <= UInt64(UInt16.max) else {
                throw Malformed("an event of no type")
            }
            rows[Int(order[place])].type = UInt16(truncatingIfNeeded: values[place])
        }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count {
            guard values[place] & ~EventRecord.knownFlags == 0 else {
                throw Malformed("an event with unknown flags")
            }
            rows[Int(order[place])].flags = values[place]
        }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].stream = try narrow(values[place]) }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].revision = try narrow(values[place]) }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].at = Int64(bitPattern: values[place]) }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].actor = try narrow(values[place]) }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].device = try narrow(values[place]) }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count {
            let value = values[place]
            guard value <= UInt64(commands.count) else { throw Malformed("an unknown command") }
            rows[Int(order[place])].command =
                value == 0 ? -1 : Int32(truncatingIfNeeded: commands[Int(value) - 1])
        }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count {
            let row = Int(order[place])
            let position = first + UInt64(row)
            guard values[place] < position else {
                throw Malformed("a cause before the first event")
            }
            rows[row].cause = values[place] == 0 ? 0 : position - values[place]
        }
        try Column.read(count, bytes, &offset, into: &values)
        for place in 0..<count { rows[Int(order[place])].subject = try narrow(values[place]) }
    }

    private mutating func readTags(
        _ events: Range<Int>, _ order: [UInt32], _ bytes: Span<UInt8>, _ offset: inout Int,
        _ rows: inout [Row], _ values: inout [UInt64]
    ) throws(Malformed) {
        try Column.read(events.count, bytes, &offset, into: &values)
        tagged.removeAll(keepingCapacity: true)
        var end = tags.count
        for (place, value) in zip(events, values) {
            guard value <= UInt64(Limits.tagsPerEvent), end + Int(value) <= Limits.blockTags else {
                throw Malformed("too many tags")
            }
            let event = order[place]
            rows[Int(event)].firstTag = UInt32(truncatingIfNeeded: end)
            rows[Int(event)].tagCount = UInt32(truncatingIfNeeded: value)
            if value > 0 { tagged.append(event) }
            end += Int(value)
        }
        // Each takes a byte at least, unless they are all the same.
        tags.append(contentsOf: repeatElement(.none, count: end - tags.count))
        var slot = 0
        while !tagged.isEmpty {
            try Column.read(tagged.count, bytes, &offset, into: &values)
            for (place, event) in tagged.enumerated() {
                tags[Int(rows[Int(event)].firstTag) + slot] = Symbol(
                    number: try Self.narrow(values[place]))
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

    /// Passes an event; answers its type.
    @inline(__always)
    func pass(_ index: Int, _ passed: inout PassedOver) -> UInt16 {
        let row = rows[index]
        passed.take(
            at: Instant(milliseconds: row.at), command: row.command < 0 ? nil : Int(row.command))
        return row.type
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
