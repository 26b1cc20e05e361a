import Core

/// What a command's record says of it, as bits of one number.
enum CommandFate {
    static let accepted: UInt64 = 1
    static let keyed: UInt64 = 2
    static let all: UInt64 = 3

    static func bits(isAccepted: Bool, isKeyed: Bool) -> UInt64 {
        (isAccepted ? accepted : 0) | (isKeyed ? keyed : 0)
    }
}

/// One frame, opened: its body inflated, its tables found, its events ready to be decoded.
///
/// Buffers are reused for the next frame; opening one allocates nothing after the first few.
final class FrameReader {
    /// An accepted command as the frame records it.
    struct Command {
        var id: Range<Int>
        var digest: Range<Int>
        var device: Symbol
        var firstEvent: Int
        var eventCount: Int
        var isAccepted: Bool
        var isKeyed: Bool
    }

    /// Where an event starts in the body, and the `at` that its own is a difference to.
    private struct Start {
        var offset: Int
        var at: Int64
    }

    private(set) var header = FrameHeader()
    private(set) var key = FrameKey(first: .zero, ordinal: 0)
    private(set) var checksum = Checksum.zero
    private(set) var storedBytes = 0
    /// The inflated body; may be longer than `bodyBytes`, which is how much of it counts.
    private(set) var body: [UInt8] = []
    private(set) var bodyBytes = 0
    private(set) var firstSymbol: UInt32 = 0
    private(set) var symbols: [Range<Int>] = []
    private(set) var types: [TypeRecord] = []
    private(set) var slots: [NamedSlot] = []
    private(set) var commands: [Command] = []
    private var eventsStart = 0
    private var starts: [Start] = []
    private var decompressor: Decompressor?

    var first: Position { header.first }
    var eventCount: Int { Int(header.eventCount) }
    /// The position after the frame's last event.
    var end: UInt64 { header.first.number + UInt64(header.eventCount) }

    var record: FrameRecord {
        FrameRecord(
            first: header.first, ordinal: key.ordinal, eventCount: header.eventCount,
            recordedAt: header.recordedAt, clock: header.clock, term: header.term,
            mark: checksum.high)
    }

    /// Checks a stored frame's checksum and reads its header.
    func openHeader(
        key keyBytes: Span<UInt8>, stored: Span<UInt8>
    ) throws(JournalError) {
        bodyBytes = 0
        header.eventCount = 0
        var place: Position?
        do throws(Malformed) {
            key = try FrameKey(keyBytes)
            place = key.first
            guard stored.count >= FrameHeader.byteCount + Checksum.byteCount else {
                throw Malformed("a frame cut short")
            }
            let length = stored.count - Checksum.byteCount
            var offset = length
            let sum = Checksum.of(.frame, key: keyBytes, content: stored.extracting(0..<length))
            guard sum == (try stored.checksum(&offset)) else {
                throw Malformed("a frame with a wrong checksum")
            }
            checksum = sum
            storedBytes = stored.count
            header = try FrameHeader(stored)
            guard header.first == key.first else {
                throw Malformed("a frame under another frame's key")
            }
        } catch {
            header.eventCount = 0
            throw .damaged("\(error.what)", at: place)
        }
    }

    /// Checks a stored frame, inflates its body and reads the tables before the events.
    func open(key keyBytes: Span<UInt8>, stored: Span<UInt8>) throws(JournalError) {
        try openHeader(key: keyBytes, stored: stored)
        do throws(Malformed) {
            let length = Int(header.bodyBytes)
            if body.count < length {
                body = [UInt8](repeating: 0, count: max(length, min(body.count * 2, 1 << 22)))
            }
            let packed = stored.extracting(
                FrameHeader.byteCount..<stored.count - Checksum.byteCount)
            if header.isCompressed {
                try inflater().inflate(packed, to: 0..<length, of: &body)
            } else {
                unsafe body.withUnsafeMutableBytes { target in
                    unsafe packed.withUnsafeBytes { source in
                        unsafe target.copyMemory(from: source)
                    }
                }
            }
            bodyBytes = length
            starts.removeAll(keepingCapacity: true)
            try readTables()
        } catch {
            header.eventCount = 0
            throw .damaged("\(error.what)", at: key.first)
        }
    }

    private func inflater() throws(Malformed) -> Decompressor {
        if let decompressor { return decompressor }
        guard let made = try? Decompressor() else { throw Malformed("no memory for zstd") }
        decompressor = made
        return made
    }

    private func readTables() throws(Malformed) {
        symbols.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        commands.removeAll(keepingCapacity: true)
        let body = self.body
        let bytes = body.span.extracting(0..<bodyBytes)
        var offset = 0
        firstSymbol = try bytes.varint32(&offset)
        let symbolCount = try bytes.varint(&offset)
        guard symbolCount <= UInt64(Limits.frameSymbols) else {
            throw Malformed("too many symbols")
        }
        for _ in 0..<symbolCount { symbols.append(try bytes.block(&offset)) }
        let typeCount = try bytes.varint(&offset)
        guard typeCount <= UInt64(UInt16.max) else { throw Malformed("too many types") }
        for _ in 0..<typeCount { types.append(try TypeRecord(bytes, &offset)) }
        let slotCount = try bytes.varint(&offset)
        guard slotCount <= UInt64(Limits.frameSlots) else { throw Malformed("too many key slots") }
        for _ in 0..<slotCount {
            let number = try bytes.varint32(&offset)
            let product = Symbol(number: try bytes.varint32(&offset))
            let person = Symbol(number: try bytes.varint32(&offset))
            let digest = try bytes.skip(NamedSlot.digestBytes, &offset)
            slots.append(
                NamedSlot(
                    number: number, product: product, person: person,
                    digest: digest.map { bytes[$0] }))
        }
        let commandCount = try bytes.varint(&offset)
        guard commandCount <= UInt64(Limits.frameCommands) else {
            throw Malformed("too many commands")
        }
        for _ in 0..<commandCount {
            let id = try bytes.block(&offset)
            let digest = try bytes.skip(Limits.digestBytes, &offset)
            let device = Symbol(number: try bytes.varint32(&offset))
            let first = try bytes.varint(&offset)
            let count = try bytes.varint(&offset)
            let fate = try bytes.varint(&offset)
            guard fate <= CommandFate.all else { throw Malformed("a command of unknown fate") }
            guard first <= UInt64(header.eventCount), count <= UInt64(header.eventCount) - first,
                !id.isEmpty, id.count <= Limits.commandIDBytes
            else { throw Malformed("a command with events outside its frame") }
            commands.append(
                Command(
                    id: id, digest: digest, device: device, firstEvent: Int(first),
                    eventCount: Int(count), isAccepted: fate & CommandFate.accepted != 0,
                    isKeyed: fate & CommandFate.keyed != 0))
        }
        eventsStart = offset
        if header.eventCount == 0 && offset != bodyBytes {
            throw Malformed("bytes after the last event")
        }
    }

    // MARK: Events

    /// Visits the events with indices in `range`, in order or reversed, until `visit` answers
    /// false; answers whether it always answered true.
    func forEachEvent(
        in range: Range<Int>, reversed: Bool, record: inout EventRecord,
        _ visit: (EventRecord, [UInt8]) throws -> Bool
    ) throws -> Bool {
        let range = range.clamped(to: 0..<eventCount)
        guard !range.isEmpty else { return true }
        let body = self.body  // one retain a frame; the buffer is ours again at the end
        fillPlace(of: &record)
        if reversed {
            try findStarts()
            for index in range.reversed() {
                var start = starts[index]
                try decode(body, index, &start, into: &record)
                guard try visit(record, body) else { return false }
            }
            return true
        }
        var start = Start(offset: eventsStart, at: 0)
        var index = 0
        if starts.isEmpty {
            while index < range.lowerBound {
                try decode(body, index, &start, into: &record)
                index += 1
            }
        } else {
            index = range.lowerBound
            start = starts[index]
        }
        while index < range.upperBound {
            try decode(body, index, &start, into: &record)
            guard try visit(record, body) else { return false }
            index += 1
        }
        if index == eventCount && start.offset != bodyBytes {
            throw JournalError.damaged("bytes after the last event", at: first)
        }
        return true
    }

    /// Decodes one event.
    func event(_ index: Int, into record: inout EventRecord) throws(JournalError) {
        try findStarts()
        guard starts.indices.contains(index) else {
            throw .damaged("an event outside its frame", at: first)
        }
        fillPlace(of: &record)
        var start = starts[index]
        try decode(body, index, &start, into: &record)
    }

    private func fillPlace(of record: inout EventRecord) {
        record.recordedAt = header.recordedAt
        record.term = header.term
        record.salt = header.salt
    }

    private func findStarts() throws(JournalError) {
        guard starts.isEmpty, eventCount > 0 else { return }
        var found: [Start] = []
        found.reserveCapacity(eventCount)
        var start = Start(offset: eventsStart, at: 0)
        var record = EventRecord()
        for index in 0..<eventCount {
            found.append(start)
            try decode(body, index, &start, into: &record)
        }
        guard start.offset == bodyBytes else {
            throw .damaged("bytes after the last event", at: first)
        }
        starts = found
    }

    @inline(__always)
    private func decode(
        _ body: [UInt8], _ index: Int, _ start: inout Start, into record: inout EventRecord
    ) throws(JournalError) {
        let position = Position(header.first.number &+ UInt64(index))
        do throws(Malformed) {
            try Self.decode(
                body.span.extracting(0..<bodyBytes), position, &start, commands, into: &record)
        } catch {
            throw .damaged("\(error.what)", at: position)
        }
    }

    private static func decode(
        _ bytes: Span<UInt8>, _ position: Position, _ start: inout Start, _ commands: [Command],
        into record: inout EventRecord
    ) throws(Malformed) {
        var offset = start.offset
        let type = try bytes.varint(&offset)
        guard type != 0, type <= UInt64(UInt16.max) else { throw Malformed("an event of no type") }
        record.position = position
        record.type = UInt16(truncatingIfNeeded: type)
        record.flags = try bytes.varint(&offset)
        guard record.flags & ~EventRecord.knownFlags == 0 else {
            throw Malformed("an event with unknown flags")
        }
        record.stream = Symbol(number: try bytes.varint32(&offset))
        record.revision = try bytes.varint32(&offset)
        // Wraps, as the writer's difference does: any two instants have one.
        let at = start.at &+ (try bytes.zigzag(&offset))
        record.at = Instant(milliseconds: at)
        record.actor = Symbol(number: try bytes.varint32(&offset))
        record.device = Symbol(number: try bytes.varint32(&offset))
        let command = try bytes.varint(&offset)
        if command == 0 {
            record.command = nil
            record.commandID = 0..<0
        } else {
            guard command <= UInt64(commands.count) else { throw Malformed("an unknown command") }
            record.command = Int(command) - 1
            record.commandID = commands[Int(command) - 1].id
        }
        let back = try bytes.varint(&offset)
        guard back < position.number else { throw Malformed("a cause before the first event") }
        record.cause = back == 0 ? .zero : Position(position.number - back)
        record.subject = Symbol(number: try bytes.varint32(&offset))
        let tagCount = try bytes.varint(&offset)
        guard tagCount <= UInt64(bytes.count - offset), tagCount <= Limits.tagsPerEvent else {
            throw Malformed("too many tags")
        }
        record.tags.removeAll(keepingCapacity: true)
        for _ in 0..<tagCount {
            record.tags.append(Symbol(number: try bytes.varint32(&offset)))
        }
        record.payload = try bytes.block(&offset)
        start.offset = offset
        start.at = at
    }
}
