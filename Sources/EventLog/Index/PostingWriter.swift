import CLMDB
import Events

/// Adds a frame's events to the posting lists: one read and one write for each list they touch.
struct PostingWriter {
    /// One event in one list, packed so that sorting brings the events of a list together: kind
    /// (4 bits), number (32), index of the event in the frame (28).
    private var entries: [UInt64] = []
    private var chunk = PostingChunk()
    private var buffer: [UInt8] = []

    /// Adds the batch's events, the first of which gets position `first`, and answers through
    /// `revisions` which place each one has in its stream. Lists of symbols above `knownSymbols`
    /// and types above `knownTypes` are new.
    mutating func add(
        _ batch: Batch, first: Position, knownSymbols: UInt32, knownTypes: UInt16,
        _ access: TransactionAccess, _ database: Database, revisions: inout [UInt32]
    ) throws(JournalError) {
        entries.removeAll(keepingCapacity: true)
        for index in batch.events.indices {
            let event = batch.events[index]
            add(.stream, event.stream.number, index)
            add(.type, UInt32(event.type), index)
            for tag in event.tags { add(.tag, batch.tags[tag].number, index) }
        }
        entries.sort()
        revisions.removeAll(keepingCapacity: true)
        revisions.append(contentsOf: repeatElement(0, count: batch.events.count))
        var start = 0
        while start < entries.count {
            let list = entries[start] >> 28
            var end = start + 1
            while end < entries.count && entries[end] >> 28 == list { end += 1 }
            guard let kind = PostingKind(rawValue: UInt8(list >> 32)) else { return }
            let number = UInt32(truncatingIfNeeded: list)
            let known = kind == .type ? UInt32(knownTypes) : knownSymbols
            try add(
                start..<end, to: kind, number, isNew: number > known, batch, first, access,
                database, &revisions)
            start = end
        }
    }

    private mutating func add(_ kind: PostingKind, _ number: UInt32, _ index: Int) {
        entries.append(
            UInt64(kind.rawValue) << 60 | UInt64(number) << 28 | UInt64(truncatingIfNeeded: index))
    }

    private mutating func add(
        _ range: Range<Int>, to kind: PostingKind, _ number: UInt32, isNew: Bool,
        _ batch: Batch, _ first: Position, _ access: TransactionAccess, _ database: Database,
        _ revisions: inout [UInt32]
    ) throws(JournalError) {
        let key = PostingKey(kind, number, chunk: PostingKey.tail)
        try load(key, isNew: isNew, access, database)
        guard chunk.count == 0 || chunk.last < first.number else {
            throw PostingList.damaged("an event beyond the head", key)
        }
        for entry in range {
            let index = Int(truncatingIfNeeded: entries[entry] & 0xFFF_FFFF)
            if entry > range.lowerBound && entries[entry] == entries[entry - 1] {
                continue  // the same tag twice
            }
            if chunk.isFull {
                chunk.close()
                try write(
                    PostingKey(kind, number, chunk: chunk.sequence), access, database)
                chunk.startNext()
            }
            if kind == .stream {
                guard let revision = UInt32(exactly: chunk.total) else {
                    throw .tooLarge("stream \(number) has too many events")
                }
                revisions[index] = revision
            }
            chunk.append(
                first.number + UInt64(index), at: batch.events[index].at.milliseconds)
        }
        try write(key, access, database)
    }

    private mutating func load(
        _ key: PostingKey, isNew: Bool, _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) {
        var found = false
        if !isNew {
            let bytes = key.bytes
            let loaded: Void? = try access.record(database, bytes.span) {
                content throws(JournalError) in
                do throws(Malformed) {
                    try chunk.read(content)
                } catch {
                    throw PostingList.damaged(error.what, key)
                }
            }
            found = loaded != nil
        }
        guard !found else { return }
        chunk.sequence = 0
        chunk.before = 0
        chunk.count = 0
        chunk.differences.removeAll(keepingCapacity: true)
    }

    private mutating func write(
        _ key: PostingKey, _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) {
        buffer.removeAll(keepingCapacity: true)
        chunk.write(to: &buffer)
        let bytes = key.bytes
        try access.putRecord(database, bytes.span, &buffer)
    }
}
