import Core

/// Reads single events, keeping the frames and blocks that it opened last.
final class EventReading {
    private let frames: FramesSeen
    private let pool: FramePool
    private var cache: FrameCache

    /// To be used no longer than the transaction lasts. What others opened is taken from the pool, since
    /// neither frames nor blocks ever change.
    init(_ frames: FramesSeen, _ pool: FramePool) {
        self.frames = frames
        self.pool = pool
        cache = pool.take()
    }

    deinit { pool.put(cache) }

    /// For symbols: making one costs more than inflating a block of them.
    private var symbolDecompressor: Decompressor?

    func decompressor() throws(JournalError) -> Decompressor {
        if let symbolDecompressor { return symbolDecompressor }
        let made = try Decompressor()
        symbolDecompressor = made
        return made
    }

    /// The opened record that holds a position, ready to decode the event there.
    func reader(
        holding position: Position, of stream: Symbol? = nil
    ) throws(JournalError) -> CommitReader {
        let index = { (reader: CommitReader) in Int(position.number - reader.first.number) }
        if let cached = cache.frame(holding: position) {
            if cached.isOpen(at: position) { return cached }
            try withStored(position) { _, stored throws(JournalError) in
                try cached.block.open(holding: index(cached), of: stream?.number, stored)
            }
            return cached
        }
        let reader = cache.vacant(pool.store)
        try withStored(position) { key, stored throws(JournalError) in
            try reader.openDirectory(key: key, stored: stored)
            guard position >= reader.first, position.number < reader.end else { return }
            if reader.isBlock {
                try reader.block.open(holding: index(reader), of: stream?.number, stored)
            }
        }
        guard position >= reader.first, position.number < reader.end else {
            throw .damaged("the frame is missing", at: position)
        }
        return reader
    }

    private func withStored(
        _ position: Position,
        _ body: (Span<UInt8>, Span<UInt8>) throws(JournalError) -> Void
    ) throws(JournalError) {
        var cursor = try frames.cursor()
        guard try cursor.seekBack(FrameKey(first: position, ordinal: .max)) else {
            throw .damaged("the frame is missing", at: position)
        }
        try cursor.visit(body)
    }

    /// Decodes the event at a position, which must not be beyond the head; answers the body that its
    /// ranges point to.
    func event(
        at position: Position, of stream: Symbol? = nil, into record: inout EventRecord
    ) throws(JournalError) -> [UInt8] {
        let reader = try reader(holding: position, of: stream)
        try reader.event(at: position, into: &record)
        return reader.body
    }

    /// The sealed command with this id that stands at the position: in the block that holds it, or,
    /// having no events, at the end of the one before.
    func command(
        _ id: [UInt8], at position: Position, sealed: Position
    ) throws(JournalError) -> AcceptedEntry? {
        var cursor = try frames.cursor()
        var isFound = try cursor.seekBack(FrameKey(first: position, ordinal: .max))
        let reader = BlockReader(pool.store)
        while isFound {
            var isBlock = false
            var first = Position.zero
            try cursor.visit { key, stored throws(JournalError) in
                isBlock = stored.count > 0 && stored[0] == BlockHeader.kind
                first = (try? FrameKey(key))?.first ?? .zero
                if isBlock { try reader.open(key: key, stored: stored) }
            }
            guard isBlock || first > sealed else {
                throw .damaged("a block is missing", at: first)
            }
            if isBlock {
                guard reader.end >= position.number else { return nil }
                for command in reader.commands where command.isAccepted {
                    guard reader.first + command.firstEvent == position,
                        reader.body[command.id].elementsEqual(id)
                    else { continue }
                    return AcceptedEntry(
                        digest: Array(reader.body[command.digest]), isKeyed: command.isKeyed,
                        device: command.device, first: position,
                        count: UInt32(truncatingIfNeeded: command.eventCount))
                }
            }
            isFound = try cursor.previous()
        }
        return nil
    }
}
