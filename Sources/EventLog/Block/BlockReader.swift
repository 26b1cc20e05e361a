import Events

/// One sealed block, opened: its directory read, its chunks inflated once they are needed.
///
/// Buffers are reused for the next block.
final class BlockReader {
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

    private struct Chunk {
        /// Its events in `order`.
        var events = 0..<0
        /// Its bytes in `body` once inflated.
        var raw = 0..<0
        /// Its bytes in the stored value.
        var stored = 0..<0
        var hash: UInt64 = 0
        var isOpen = false
    }

    private(set) var header = BlockHeader()
    private(set) var key = FrameKey(first: .zero, ordinal: 0)
    private(set) var frames: [SealedFrame] = []
    private(set) var storedBytes = 0
    /// The inflated chunks; may be longer than they are.
    private(set) var body: [UInt8] = []
    private(set) var commands: [FrameReader.Command] = []
    private(set) var bodyBytes = 0
    private var chunks: [Chunk] = []
    /// The events' indices, chunk by chunk.
    private var order: [UInt32] = []
    /// For each event its place in `order`.
    private var places: [UInt32] = []
    private var rows: [Row] = []
    private var tags: [Symbol] = []
    private var rowScratch: [UInt32] = []
    private var decompressor: Decompressor?

    var first: Position { header.first }
    var eventCount: Int { Int(header.eventCount) }
    var end: UInt64 { header.end }

    /// Reads header and directory; chunks are opened later. `isWhole` checks the block's checksum
    /// as well, which all its chunks hang on.
    func openDirectory(
        key keyBytes: Span<UInt8>, stored: Span<UInt8>, isWhole: Bool = false
    ) throws(JournalError) {
        var place: Position?
        do throws(Malformed) {
            header.eventCount = 0
            frames.removeAll(keepingCapacity: true)
            key = try FrameKey(keyBytes)
            place = key.first
            if isWhole {
                guard stored.count >= Checksum.byteCount else { throw Malformed("a block cut short") }
                var offset = stored.count - Checksum.byteCount
                let sum = Checksum.of(
                    .frame, key: keyBytes, content: stored.extracting(0..<offset))
                guard sum == (try stored.checksum(&offset)) else {
                    throw Malformed("a block with a wrong checksum")
                }
            }
            header = try BlockHeader(stored)
            guard header.first == key.first else {
                throw Malformed("a block under another one's key")
            }
            storedBytes = stored.count
            try readDirectory(stored)
        } catch {
            header.eventCount = 0
            throw .damaged("\(error.what)", at: place)
        }
    }

    /// Opens all of it, checked by its one checksum.
    func open(key: Span<UInt8>, stored: Span<UInt8>) throws(JournalError) {
        try openDirectory(key: key, stored: stored, isWhole: true)
        for index in chunks.indices { try open(index, stored, isChecked: true) }
    }

    private func readDirectory(_ stored: Span<UInt8>) throws(Malformed) {
        let end = BlockHeader.byteCount + Int(header.directoryBytes)
        let bytes = stored.extracting(0..<end - 8)
        var offset = end - 8
        guard try stored.fixed(8, &offset) == XXH64.hash(bytes, seed: header.first.number) else {
            throw Malformed("a block's directory with a wrong hash")
        }
        offset = BlockHeader.byteCount
        chunks.removeAll(keepingCapacity: true)
        var (event, raw, start) = (0, 0, end)
        let chunksEnd = stored.count - Checksum.byteCount
        for _ in 0..<header.chunkCount {
            let events = try bytes.varint(&offset)
            let rawBytes = try bytes.varint(&offset)
            let storedBytes = try bytes.varint(&offset)
            guard events <= UInt64(eventCount - event),
                rawBytes <= UInt64(Limits.blockBytes - raw),
                storedBytes <= UInt64(chunksEnd - start), storedBytes <= rawBytes
            else { throw Malformed("a chunk beyond its block") }
            let hash = try bytes.fixed(8, &offset)
            chunks.append(
                Chunk(
                    events: event..<event + Int(events), raw: raw..<raw + Int(rawBytes),
                    stored: start..<start + Int(storedBytes), hash: hash))
            event += Int(events)
            raw += Int(rawBytes)
            start += Int(storedBytes)
        }
        guard event == eventCount, start == chunksEnd else {
            throw Malformed("chunks that are not their block")
        }
        bodyBytes = raw
        try readOrder(bytes, &offset)
        try readFrames(bytes, &offset)
        guard offset == bytes.count else { throw Malformed("a directory of another length") }
        if body.count < raw {
            body = [UInt8](repeating: 0, count: max(raw, min(body.count * 2, 1 << 22)))
        }
        if rows.count < eventCount {
            rows = [Row](repeating: Row(), count: max(eventCount, rows.count * 2))
        }
        tags.removeAll(keepingCapacity: true)
        let none = FrameReader.Command(
            id: 0..<0, digest: 0..<0, device: .none, firstEvent: 0, eventCount: 0,
            isAccepted: false)
        // A directory says how many there are; what they are stands in chunks of that many bytes.
        guard Int(header.commandCount) <= raw else { throw Malformed("too many commands") }
        commands.removeAll(keepingCapacity: true)
        commands.append(contentsOf: repeatElement(none, count: Int(header.commandCount)))
    }

    private func readOrder(_ bytes: Span<UInt8>, _ offset: inout Int) throws(Malformed) {
        let count = eventCount
        order.removeAll(keepingCapacity: true)
        order.reserveCapacity(count)
        for chunk in chunks {
            try Column.read(chunk.events.count, bytes, &offset) { _, index throws(Malformed) in
                guard index < UInt64(count) else { throw Malformed("an event outside its block") }
                order.append(UInt32(truncatingIfNeeded: index))
            }
        }
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: repeatElement(.max, count: count))
        for place in 0..<count {
            let index = Int(order[place])
            guard places[index] == .max else { throw Malformed("an event that is there twice") }
            places[index] = UInt32(truncatingIfNeeded: place)
        }
    }

    private func readFrames(_ bytes: Span<UInt8>, _ offset: inout Int) throws(Malformed) {
        let count = Int(header.frameCount)
        guard count <= bytes.count - offset else { throw Malformed("too many frames") }
        var found = [SealedFrame](repeating: SealedFrame(), count: count)
        var event = 0
        try Column.read(count, bytes, &offset) { index, events throws(Malformed) in
            guard events <= UInt64(eventCount - event) else {
                throw Malformed("a frame beyond its block")
            }
            found[index].firstEvent = event
            found[index].eventCount = Int(events)
            event += Int(events)
        }
        var command = 0
        try Column.read(count, bytes, &offset) { index, commands throws(Malformed) in
            guard commands <= UInt64(Int(header.commandCount) - command) else {
                throw Malformed("a frame beyond its block")
            }
            found[index].firstCommand = command
            found[index].commandCount = Int(commands)
            command += Int(commands)
        }
        guard event == eventCount, command == Int(header.commandCount) else {
            throw Malformed("what no frame of the block brought")
        }
        try Column.read(count, bytes, &offset) { index, value throws(Malformed) in
            found[index].recordedAt = Int64(bitPattern: value)
        }
        try Column.read(count, bytes, &offset) { index, value throws(Malformed) in
            found[index].clock.instant = Instant(milliseconds: Int64(bitPattern: value))
        }
        try Column.read(count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= 1 else { throw Malformed("a clock of unknown kind") }
            found[index].clock.inclusive = value == 1
        }
        for index in found.indices { found[index].mark = try bytes.fixed(8, &offset) }
        frames = found
    }

    // MARK: Chunks

    /// The chunk that holds the event with this index.
    private func chunkIndex(of event: Int) -> Int {
        let place = Int(places[event])
        var (low, high) = (0, chunks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if chunks[middle].events.lowerBound <= place { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Whether the event can be read without the stored value.
    func isOpen(_ event: Int) -> Bool { chunks[chunkIndex(of: event)].isOpen }

    /// Opens the chunk that holds an event; `stored` is the value that the directory came from.
    func open(holding event: Int, _ stored: Span<UInt8>) throws(JournalError) {
        try open(chunkIndex(of: event), stored, isChecked: false)
    }

    /// Opens the chunks that may hold commands: all of them.
    func openAll(_ stored: Span<UInt8>) throws(JournalError) {
        for index in chunks.indices where !chunks[index].isOpen {
            try open(index, stored, isChecked: false)
        }
    }

    private func open(
        _ index: Int, _ stored: Span<UInt8>, isChecked: Bool
    ) throws(JournalError) {
        let chunk = chunks[index]
        do throws(Malformed) {
            guard chunk.stored.upperBound <= stored.count else { throw Malformed("another block") }
            let packed = stored.extracting(chunk.stored)
            if !isChecked {
                guard XXH64.hash(packed, seed: header.first.number) == chunk.hash else {
                    throw Malformed("a chunk with a wrong hash")
                }
            }
            try inflate(packed, to: chunk.raw)
            try read(chunk)
            chunks[index].isOpen = true
        } catch {
            throw .damaged("\(error.what)", at: header.first)
        }
    }

    private func inflate(_ packed: Span<UInt8>, to range: Range<Int>) throws(Malformed) {
        if packed.count == range.count {
            unsafe body.withUnsafeMutableBytes { target in
                unsafe packed.withUnsafeBytes { source in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[range]).copyMemory(
                        from: source)
                }
            }
            return
        }
        if decompressor == nil { decompressor = try? Decompressor() }
        guard let decompressor else { throw Malformed("no memory for zstd") }
        try decompressor.inflate(packed, to: range, of: &body)
    }

    private func read(_ chunk: Chunk) throws(Malformed) {
        let body = self.body
        let bytes = body.span.extracting(0..<chunk.raw.upperBound)
        var offset = chunk.raw.lowerBound
        let firstCommand = try readCommands(bytes, &offset)
        try readRows(chunk, bytes, &offset, firstCommand)
        guard offset == bytes.count else { throw Malformed("a chunk of another length") }
    }

    /// Reads the commands of a chunk and answers their indices.
    private func readCommands(
        _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) -> [UInt32] {
        let count = try bytes.varint(&offset)
        guard count <= UInt64(commands.count) else { throw Malformed("too many commands") }
        var indices = [UInt32]()
        indices.reserveCapacity(Int(count))
        let known = UInt64(commands.count)
        try Column.read(Int(count), bytes, &offset) { _, value throws(Malformed) in
            guard value < known else { throw Malformed("an unknown command") }
            indices.append(UInt32(truncatingIfNeeded: value))
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            commands[Int(indices[index])].device = Symbol(number: try Self.narrow(value))
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= UInt64(header.eventCount) else { throw Malformed("a command outside") }
            commands[Int(indices[index])].firstEvent = Int(value)
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            let first = commands[Int(indices[index])].firstEvent
            guard value <= UInt64(eventCount - first) else { throw Malformed("a command outside") }
            commands[Int(indices[index])].eventCount = Int(value)
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= 1 else { throw Malformed("a command of unknown fate") }
            commands[Int(indices[index])].isAccepted = value == 1
        }
        try Column.read(indices.count, bytes, &offset) { index, value throws(Malformed) in
            guard value >= 1, value <= UInt64(Limits.commandIDBytes) else {
                throw Malformed("a command without an id")
            }
            commands[Int(indices[index])].id = 0..<Int(value)
        }
        for index in indices {
            commands[Int(index)].id = try bytes.skip(commands[Int(index)].id.count, &offset)
        }
        for index in indices {
            commands[Int(index)].digest = try bytes.skip(Limits.digestBytes, &offset)
        }
        return indices
    }

    private func readRows(
        _ chunk: Chunk, _ bytes: Span<UInt8>, _ offset: inout Int, _ commandIndices: [UInt32]
    ) throws(Malformed) {
        let count = chunk.events.count
        let firstPlace = chunk.events.lowerBound
        let first = header.first.number
        var rows = self.rows
        self.rows = []  // so that the copy is the only one
        defer { self.rows = rows }
        let order = self.order
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
        try readTags(chunk, bytes, &offset, &rows)
        try column { row, value throws(Malformed) in
            guard value <= UInt64(Limits.payloadBytes) else { throw Malformed("a long payload") }
            row.payloadBytes = UInt32(truncatingIfNeeded: value)
        }
        for place in chunk.events {
            let index = Int(order[place])
            rows[index].payload = UInt32(truncatingIfNeeded: offset)
            _ = try bytes.skip(Int(rows[index].payloadBytes), &offset)
        }
    }

    private func readTags(
        _ chunk: Chunk, _ bytes: Span<UInt8>, _ offset: inout Int, _ rows: inout [Row]
    ) throws(Malformed) {
        rowScratch.removeAll(keepingCapacity: true)
        var total = 0
        let firstPlace = chunk.events.lowerBound
        try Column.read(chunk.events.count, bytes, &offset) { index, value throws(Malformed) in
            guard value <= UInt64(Limits.tagsPerEvent), total + Int(value) <= Limits.blockBytes else {
                throw Malformed("too many tags")
            }
            let event = order[firstPlace + index]
            rows[Int(event)].firstTag = UInt32(truncatingIfNeeded: tags.count + total)
            rows[Int(event)].tagCount = UInt32(truncatingIfNeeded: value)
            if value > 0 { rowScratch.append(event) }
            total += Int(value)
        }
        tags.append(contentsOf: repeatElement(.none, count: total))
        var slot = 0
        while !rowScratch.isEmpty {
            try Column.read(rowScratch.count, bytes, &offset) { index, value throws(Malformed) in
                tags[Int(rows[Int(rowScratch[index])].firstTag) + slot] = Symbol(
                    number: try Self.narrow(value))
            }
            slot += 1
            rowScratch.removeAll { Int(rows[Int($0)].tagCount) <= slot }
        }
    }

    @inline(__always)
    private static func narrow(_ value: UInt64) throws(Malformed) -> UInt32 {
        guard value <= UInt64(UInt32.max) else { throw Malformed("a number beyond 32 bits") }
        return UInt32(truncatingIfNeeded: value)
    }

    // MARK: Events

    /// Visits the events with indices in `range`, in order or reversed, until `visit` answers false;
    /// answers whether it always answered true. Their chunks must be open.
    func forEachEvent(
        in range: Range<Int>, reversed: Bool, record: inout EventRecord,
        _ visit: (EventRecord, [UInt8]) throws -> Bool
    ) throws -> Bool {
        let range = range.clamped(to: 0..<eventCount)
        guard !range.isEmpty else { return true }
        let body = self.body
        var frame = frameIndex(of: reversed ? range.upperBound - 1 : range.lowerBound)
        if reversed {
            for index in range.reversed() {
                while frames[frame].firstEvent > index { frame -= 1 }
                fill(&record, index, frame)
                guard try visit(record, body) else { return false }
            }
            return true
        }
        for index in range {
            while frames[frame].firstEvent + frames[frame].eventCount <= index { frame += 1 }
            fill(&record, index, frame)
            guard try visit(record, body) else { return false }
        }
        return true
    }

    /// Decodes one event, whose chunk must be open.
    func event(_ index: Int, into record: inout EventRecord) {
        fill(&record, index, frameIndex(of: index))
    }

    @inline(__always)
    private func fill(_ record: inout EventRecord, _ index: Int, _ frame: Int) {
        let row = rows[index]
        record.position = Position(header.first.number &+ UInt64(index))
        record.at = Instant(milliseconds: row.at)
        record.recordedAt = Instant(milliseconds: frames[frame].recordedAt)
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
            record.commandID = commands[Int(row.command)].id
        }
        record.cause = Position(row.cause)
        record.subject = Symbol(number: row.subject)
        record.tags.removeAll(keepingCapacity: true)
        for tag in Int(row.firstTag)..<Int(row.firstTag) + Int(row.tagCount) {
            record.tags.append(tags[tag])
        }
        record.payload = Int(row.payload)..<Int(row.payload) + Int(row.payloadBytes)
    }

    /// The frame that holds the event with this index.
    private func frameIndex(of event: Int) -> Int {
        var (low, high) = (0, frames.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].firstEvent + frames[middle].eventCount <= event {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
