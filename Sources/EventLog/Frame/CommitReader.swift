import Core

/// A record of `frames`, opened: one frame, or a sealed block of them.
final class CommitReader {
    let frame = FrameReader()
    let block: BlockReader
    private(set) var isBlock = false
    /// What the personal fields of its events hold, by index, as far as that was asked for.
    private(set) var personal: [PersonalValues?] = []

    init(_ store: DictionaryStore) {
        block = BlockReader(store)
    }

    var key: FrameKey { isBlock ? block.key : frame.key }
    var first: Position { isBlock ? block.first : frame.first }
    var eventCount: Int { isBlock ? block.eventCount : frame.eventCount }
    /// The position after the last event.
    var end: UInt64 { isBlock ? block.end : frame.end }
    /// The checksum of the last frame.
    var chain: Checksum { isBlock ? block.header.chain : frame.checksum }
    /// The checksum of the frame before the first one.
    var previous: Checksum { isBlock ? block.header.previous : frame.header.previous }
    var body: [UInt8] { isBlock ? block.body : frame.body }
    var commands: ArraySlice<FrameReader.Command> {
        isBlock ? block.commands : frame.commands[...]
    }

    var size: StoredSize {
        StoredSize(
            isBlock: isBlock, first: first, eventCount: eventCount,
            storedBytes: isBlock ? block.storedBytes : frame.storedBytes,
            bodyBytes: isBlock ? block.bodyBytes : Int(frame.header.bodyBytes))
    }

    /// The position after the last event of a record that is not open, as it says unchecked; nil if it cannot be opened.
    static func end(of stored: Span<UInt8>) -> UInt64? {
        guard stored.count > 0 else { return nil }
        if stored[0] == BlockHeader.kind {
            return (try? BlockHeader(stored)).map { $0.first.number &+ UInt64($0.eventCount) }
        }
        return (try? FrameHeader(stored)).map { $0.first.number &+ UInt64($0.eventCount) }
    }

    private func take(_ stored: Span<UInt8>) {
        personal.removeAll(keepingCapacity: true)
        isBlock = stored.count > 0 && stored[0] == BlockHeader.kind
    }

    /// Opens all of it, checked; `isWhole` checks the one checksum of a block, not the hashes of its parts.
    func open(
        key: Span<UInt8>, stored: Span<UInt8>, isWhole: Bool = false
    ) throws(JournalError) {
        take(stored)
        if isBlock {
            try block.open(key: key, stored: stored, isWhole: isWhole)
        } else {
            try frame.open(key: key, stored: stored)
        }
    }

    /// Opens what is sealed in its events from `first` to `last`; all of it must be open.
    func open(
        _ openings: [OpeningAhead], _ first: Position, _ last: Position
    ) throws(JournalError) {
        var found = [PersonalValues?](repeating: nil, count: eventCount)
        var record = EventRecord()
        var passed = PassedOver()
        do {
            for opening in openings {
                _ = try forEachEvent(
                    in: 0..<eventCount, of: opening.types, passed: &passed, record: &record
                ) { event, body, _ in
                    if event.position >= first && event.position <= last {
                        let index = Int(event.position.number - self.first.number)
                        found[index] = opening.values(event, body)
                    }
                    return true
                }
            }
        } catch let error as JournalError {
            throw error
        } catch {
            throw .damaged("\(error)", at: self.first)
        }
        personal = found
    }

    /// Reads what it says of itself without its events, its checksum checked.
    func openHeader(key: Span<UInt8>, stored: Span<UInt8>) throws(JournalError) {
        take(stored)
        if isBlock {
            try block.openDirectory(key: key, stored: stored, isWhole: true)
        } else {
            try frame.openHeader(key: key, stored: stored)
        }
    }

    /// Opens as much of it as takes to read single events.
    func openDirectory(key: Span<UInt8>, stored: Span<UInt8>) throws(JournalError) {
        take(stored)
        if isBlock {
            try block.openDirectory(key: key, stored: stored)
        } else {
            try frame.open(key: key, stored: stored)
        }
    }

    /// See `BlockReader.forEachEvent`, `FrameReader.forEachEvent`.
    func forEachEvent(
        in range: Range<Int>, reversed: Bool, record: inout EventRecord,
        _ visit: (EventRecord, [UInt8]) throws -> Bool
    ) throws -> Bool {
        isBlock
            ? try block.forEachEvent(in: range, reversed: reversed, record: &record, visit)
            : try frame.forEachEvent(in: range, reversed: reversed, record: &record, visit)
    }

    /// Visits the wanted events in order, with what was passed over before each, until `visit` answers false;
    /// answers whether it always answered true. What does not count is as if it was not there.
    func forEachEvent(
        in range: Range<Int>, of wanted: WantedTypes,
        counting filter: ((EventRecord) -> Bool)? = nil,
        passed: inout PassedOver, record: inout EventRecord,
        _ visit: (EventRecord, [UInt8], PassedOver) throws -> Bool
    ) throws -> Bool {
        if isBlock, filter == nil {
            return try block.forEachEvent(
                in: range, of: wanted, passed: &passed, record: &record, visit)
        }
        return try forEachEvent(in: range, reversed: false, record: &record) { event, body in
            guard filter?(event) ?? true else { return true }
            passed.take(at: event.at, command: event.command)
            guard wanted.contains(event.type) else { return true }
            defer { passed.didVisit() }
            return try visit(event, body, passed)
        }
    }

    /// Whether it holds the event there, ready to be decoded.
    func isOpen(at position: Position) -> Bool {
        guard first <= position, position.number < end else { return false }
        return !isBlock || block.isOpen(Int(position.number - first.number))
    }

    /// Decodes the event at a position, where it is open.
    func event(at position: Position, into record: inout EventRecord) throws(JournalError) {
        let index = Int(position.number - first.number)
        if isBlock {
            block.event(index, into: &record)
        } else {
            try frame.event(index, into: &record)
        }
    }

    /// The key slots that its frames name, each with the position where its frame begins. Its directory
    /// must be open.
    var slots: [(position: Position, slot: NamedSlot)] {
        guard isBlock else { return frame.slots.map { (frame.first, $0) } }
        return block.frames.flatMap { sealed in
            block.slots[sealed.slots].map { (block.first + sealed.firstEvent, $0) }
        }
    }

    /// What its frames say of themselves, in order.
    var records: [FrameRecord] {
        guard isBlock else { return [frame.record] }
        var ordinal = block.key.ordinal
        return block.frames.map { sealed in
            defer { ordinal = sealed.eventCount == 0 ? ordinal &+ 1 : 0 }
            return FrameRecord(
                first: block.first + sealed.firstEvent, ordinal: ordinal,
                eventCount: UInt32(truncatingIfNeeded: sealed.eventCount),
                recordedAt: Instant(milliseconds: sealed.recordedAt), clock: sealed.clock,
                term: sealed.term, mark: sealed.mark)
        }
    }

    /// Calls `body` with the whole content of each of its frames until it answers false; answers
    /// whether it always answered true.
    func forEachContent(
        _ body: (FrameContent, [UInt8]) throws -> Bool
    ) throws -> Bool {
        let parts =
            isBlock
            ? block.frames
            : [
                SealedFrame(
                    eventCount: frame.eventCount, commandCount: frame.commands.count,
                    recordedAt: frame.header.recordedAt.milliseconds)
            ]
        let bytes = self.body
        let commands = self.commands
        var record = EventRecord()
        for part in parts {
            var content = FrameContent(
                first: first + part.firstEvent,
                recordedAt: Instant(milliseconds: part.recordedAt))
            for index in part.firstCommand..<part.firstCommand + part.commandCount {
                let command = commands[index]
                let firstEvent = command.firstEvent - part.firstEvent
                guard firstEvent >= 0, firstEvent + command.eventCount <= part.eventCount else {
                    throw JournalError.damaged("a command outside its frame", at: content.first)
                }
                content.commands.append(
                    FrameCommand(
                        id: Array(bytes[command.id]), digest: Array(bytes[command.digest]),
                        isKeyed: command.isKeyed, device: command.device,
                        events: firstEvent..<firstEvent + command.eventCount,
                        isAccepted: command.isAccepted))
            }
            _ = try forEachEvent(
                in: part.firstEvent..<part.firstEvent + part.eventCount, reversed: false,
                record: &record
            ) { event, _ in
                var event = event
                if let command = event.command {
                    guard command >= part.firstCommand else {
                        throw JournalError.damaged(
                            "a command outside its frame", at: event.position)
                    }
                    event.command = command - part.firstCommand
                }
                content.events.append(event)
                return true
            }
            guard try body(content, bytes) else { return false }
        }
        return true
    }
}
