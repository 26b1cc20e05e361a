import Core

/// Collects whole frames and writes them as one block: events side by side that are of one command
/// or one stream, in chunks that are inflated each by itself, column by column.
struct BlockBuilder {
    /// Bytes of a chunk before compression at which the next one begins.
    static let chunkBytes = 8 << 10

    private struct Command {
        var id: Range<Int>
        var digest: Range<Int>
        var device: UInt32
        var firstEvent: Int
        var eventCount: Int
        var isAccepted: Bool
        var isKeyed: Bool
    }

    private struct Event {
        var record: EventRecord
        /// Index into `commands`, or -1.
        var command: Int
        var payload: Range<Int>
    }

    private var header = BlockHeader()
    private var firstOrdinal: UInt32 = 0
    private var frames: [SealedFrame] = []
    private var slots: [NamedSlot] = []
    private var commands: [Command] = []
    private var events: [Event] = []
    /// Ids, digests and payloads.
    private var texts: [UInt8] = []
    private var tagCount = 0
    private let compressor: Compressor

    init(_ compressor: Compressor) {
        self.compressor = compressor
    }

    /// The chunks as they are before compression: what a dictionary is learned from.
    func samples() -> [[UInt8]] {
        cut().map { chunk in
            var raw: [UInt8] = []
            write(chunk, to: &raw)
            return raw
        }
    }

    var eventCount: Int { events.count }

    /// Whether a reader takes the block with this frame, too: what one refuses must not be sealed.
    func hasRoom(for frame: FrameReader, mostCommands: Int) -> Bool {
        let commands = commands.count + frame.commands.count
        let tags = tagCount + Limits.frameTags
        // The columns of what is there, at their longest; the frame's body has its own.
        let columns = events.count * 104 + commands * 20 + tagCount * 5
        return commands <= mostCommands && tags <= Limits.blockTags
            && texts.count + frame.bodyBytes + columns <= Limits.blockBytes
    }

    /// Adds the frame that follows the ones before it; `visit` sees each of its events.
    mutating func add(
        _ frame: FrameReader, _ visit: (EventRecord) -> Void
    ) throws {
        if frames.isEmpty {
            header = BlockHeader()
            header.first = frame.first
            header.previous = frame.header.previous
            firstOrdinal = frame.key.ordinal
        }
        header.chain = frame.checksum
        let firstEvent = events.count
        let firstCommand = commands.count
        let firstSlot = slots.count
        slots += frame.slots
        var sealed = SealedFrame(
            firstEvent: firstEvent, eventCount: frame.eventCount,
            firstCommand: firstCommand, commandCount: frame.commands.count,
            recordedAt: frame.header.recordedAt.milliseconds, clock: frame.header.clock,
            term: frame.header.term, slots: firstSlot..<slots.count, mark: frame.checksum.high)
        for command in frame.commands {
            let id = keep(frame.body, command.id)
            let digest = keep(frame.body, command.digest)
            commands.append(
                Command(
                    id: id, digest: digest, device: command.device.number,
                    firstEvent: firstEvent + command.firstEvent, eventCount: command.eventCount,
                    isAccepted: command.isAccepted, isKeyed: command.isKeyed))
        }
        var record = EventRecord()
        _ = try frame.forEachEvent(
            in: 0..<frame.eventCount, reversed: false, record: &record
        ) { record, body in
            let start = texts.count
            texts.append(contentsOf: body[record.payload])
            events.append(
                Event(
                    record: record, command: record.command.map { firstCommand + $0 } ?? -1,
                    payload: start..<texts.count))
            tagCount += record.tags.count
            if record.flags & PersonalPart.flag != 0 { sealed.salt = frame.header.salt }
            visit(record)
            return true
        }
        frames.append(sealed)
    }

    private mutating func keep(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let start = texts.count
        texts.append(contentsOf: bytes[range])
        return start..<texts.count
    }

    // MARK: Writing

    /// The block's key and value.
    mutating func finish(with dictionary: CompressionDictionary?) -> (
        key: FrameKey, stored: [UInt8]
    ) {
        header.dictionary = dictionary?.number ?? 0
        let chunks = cut()
        var packed: [UInt8] = []
        var directory: [UInt8] = []
        var raw: [UInt8] = []
        var orders: [UInt8] = []
        for chunk in chunks {
            let orderStart = orders.count
            Column.write(chunk.events.map { UInt64($0) }, to: &orders)
            raw.removeAll(keepingCapacity: true)
            write(chunk, to: &raw)
            let start = packed.count
            if !compressor.compress(raw, with: dictionary, appendingTo: &packed) {
                packed.append(contentsOf: raw)
            }
            directory.appendVarint(chunk.events.count)
            directory.appendVarint(chunk.events.first.map { events[$0].record.stream.number } ?? 0)
            directory.appendVarint(orders.count - orderStart)
            directory.appendVarint(raw.count)
            directory.appendVarint(packed.count - start)
            directory.appendFixed(
                XXH64.hash(packed.span.extracting(start..<packed.count), seed: header.first.number))
        }
        directory += orders
        writeFrames(to: &directory)
        header.eventCount = UInt32(events.count)
        header.frameCount = UInt32(frames.count)
        header.commandCount = UInt32(commands.count)
        header.chunkCount = UInt32(chunks.count)
        header.directoryBytes = UInt32(directory.count + 8)
        var stored: [UInt8] = []
        stored.reserveCapacity(
            BlockHeader.byteCount + directory.count + 8 + packed.count + Checksum.byteCount)
        header.write(to: &stored)
        stored += directory
        stored.appendFixed(XXH64.hash(stored.span, seed: header.first.number))
        stored += packed
        let key = FrameKey(first: header.first, ordinal: firstOrdinal)
        let bytes = key.bytes
        stored.appendChecksum(Checksum.of(.frame, key: bytes.span, content: stored.span))
        return (key, stored)
    }

    private struct Chunk {
        /// Indices of events, side by side those of one command.
        var events: [Int] = []
        /// Indices of commands, ascending.
        var commands: [Int] = []
    }

    /// Puts together what is read together: events of a command never part, and those of commands
    /// that began on the same stream are neighbours.
    private func cut() -> [Chunk] {
        // Where each unit stands: by stream of its first event, then by that event.
        var places: [Int: Int] = [:]
        var order: [(place: UInt64, index: Int)] = []
        order.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            var first = index
            if event.command >= 0 {
                first = places[event.command] ?? index
                if first == index { places[event.command] = index }
            }
            let stream = UInt64(events[first].record.stream.number)
            order.append((stream << 32 | UInt64(first), index))
        }
        order.sort { ($0.place, $0.index) < ($1.place, $1.index) }
        var chunks: [Chunk] = []
        var chunkOfUnit: [Int: Int] = [:]
        var chunk = Chunk()
        var bytes = 0
        var unit: UInt64?
        for (place, index) in order {
            if place != unit, bytes >= Self.chunkBytes {
                chunks.append(chunk)
                chunk = Chunk()
                bytes = 0
            }
            unit = place
            chunk.events.append(index)
            bytes += events[index].payload.count + 16
            if events[index].command >= 0 { chunkOfUnit[events[index].command] = chunks.count }
        }
        chunks.append(chunk)
        for index in commands.indices {
            chunks[chunkOfUnit[index] ?? 0].commands.append(index)
        }
        return chunks
    }

    private func write(_ chunk: Chunk, to bytes: inout [UInt8]) {
        func column(_ value: (Event) -> UInt64) {
            Column.write(chunk.events.map { value(events[$0]) }, to: &bytes)
        }
        func commandColumn(_ value: (Command) -> UInt64) {
            Column.write(chunk.commands.map { value(commands[$0]) }, to: &bytes)
        }
        bytes.appendVarint(chunk.commands.count)
        Column.write(chunk.commands.map { UInt64($0) }, to: &bytes)
        commandColumn { UInt64($0.device) }
        commandColumn { UInt64($0.firstEvent) }
        commandColumn { UInt64($0.eventCount) }
        commandColumn { CommandFate.bits(isAccepted: $0.isAccepted, isKeyed: $0.isKeyed) }
        commandColumn { UInt64($0.id.count) }
        for index in chunk.commands { bytes += texts[commands[index].id] }
        for index in chunk.commands { bytes += texts[commands[index].digest] }
        var placeOfCommand: [Int: UInt64] = [:]
        for (place, index) in chunk.commands.enumerated() {
            placeOfCommand[index] = UInt64(place + 1)
        }
        column { UInt64($0.record.type) }
        column { $0.record.flags }
        column { UInt64($0.record.stream.number) }
        column { UInt64($0.record.revision) }
        column { UInt64(bitPattern: $0.record.at.milliseconds) }
        column { UInt64($0.record.actor.number) }
        column { UInt64($0.record.device.number) }
        column { placeOfCommand[$0.command] ?? 0 }
        column {
            $0.record.cause == .zero ? 0 : $0.record.position.number - $0.record.cause.number
        }
        column { UInt64($0.record.subject.number) }
        column { UInt64($0.record.tags.count) }
        var slot = 0
        while true {
            let tags = chunk.events.compactMap { index -> UInt64? in
                let tags = events[index].record.tags
                return slot < tags.count ? UInt64(tags[slot].number) : nil
            }
            if tags.isEmpty { break }
            Column.write(tags, to: &bytes)
            slot += 1
        }
        column { UInt64($0.payload.count) }
        for index in chunk.events { bytes += texts[events[index].payload] }
    }

    private func writeFrames(to bytes: inout [UInt8]) {
        Column.write(frames.map { UInt64($0.eventCount) }, to: &bytes)
        Column.write(frames.map { UInt64($0.commandCount) }, to: &bytes)
        Column.write(frames.map { UInt64(bitPattern: $0.recordedAt) }, to: &bytes)
        Column.write(
            frames.map { UInt64(bitPattern: $0.clock.instant.milliseconds) }, to: &bytes)
        Column.write(frames.map { $0.clock.inclusive ? 1 : 0 }, to: &bytes)
        Column.write(frames.map { UInt64($0.term) }, to: &bytes)
        Column.write(frames.map { $0.salt == .zero ? 0 : 1 }, to: &bytes)
        for frame in frames where frame.salt != .zero { bytes.appendSalt(frame.salt) }
        for frame in frames { bytes.appendFixed(frame.mark) }
        Column.write(frames.map { UInt64($0.slots.count) }, to: &bytes)
        Column.write(slots.map { UInt64($0.number) }, to: &bytes)
        Column.write(slots.map { UInt64($0.product.number) }, to: &bytes)
        Column.write(slots.map { UInt64($0.person.number) }, to: &bytes)
        for slot in slots { bytes += slot.digest }
    }
}
