import CLMDB
import Core
import Glibc

/// Appends batches; keeps its buffers from one to the next. Used under the writer lock.
struct Appender {
    private var revisions: [UInt32] = []
    /// Events of each stream so far, those of the batch included.
    private var counts: [Symbol: UInt32] = [:]
    private var body: [UInt8] = []
    private var frame: [UInt8] = []
    private var compressor: Compressor?
    /// How much may be written before the file system is asked for room again, and until when.
    private var room = (bytes: 0, until: 0)

    /// One write transaction: check and write each batch, commit. A batch that fails its checks leaves no
    /// trace; if anything is thrown, no batch was recorded. A failed commit fails every batch and is not retried: the
    /// outcome is unknown, since a flush may report failure after the pages were written.
    ///
    /// `tail` gives the index of what is not sealed; it learns of the batches.
    mutating func append(
        _ batches: [Batch], _ environment: LMDBEnvironment, _ databases: JournalDatabases,
        _ memory: IndexMemory, _ log: any FrameLog, _ tail: (Sealed) -> Tail
    ) throws(JournalError) -> Appended {
        if let appended = try appendToLog(batches, environment, databases, memory, log, tail) {
            return appended
        }
        let transaction = try WriteTransaction(environment)
        var group = try transaction.withAccess { access throws(JournalError) in
            try Group(FramesSeen(access, databases), databases, tail)
        }
        do throws(JournalError) {
            try transaction.withAccess { access throws(JournalError) in
                try take(batches, &group, databases, memory) {
                    batch, key, frame throws(JournalError) in
                    try Self.putTypes(batch.newTypes, access, databases)
                    try Self.put(frame, at: key.span, access, databases)
                }
                if group.hasChanged { try HeadRecord.put(group.head, access, databases) }
                // The last that may fail before the commit: what the log has taken is to be here, too.
                if !group.frames.isEmpty { try log.append(group.frames) }
            }
        } catch {
            group.forget()
            throw error
        }
        do throws(JournalError) {
            if group.hasChanged { try transaction.commit(appending: group.frames.map(\.bytes)) }
        } catch {
            group.forget()
            // Whoever decides next without these frames writes over the keys that they name.
            if !group.frames.isEmpty { log.didNotCommit() }
            if error.code == mapFullCode { throw error }
            return group.failed(error)
        }
        group.updateTail()
        if !group.frames.isEmpty { log.didCommit(group.head) }
        return group.appended
    }

    /// The same where the log alone is written to, and `journal.mdb` waits; nil where it must not wait.
    private mutating func appendToLog(
        _ batches: [Batch], _ environment: LMDBEnvironment, _ databases: JournalDatabases,
        _ memory: IndexMemory, _ log: any FrameLog, _ tail: (Sealed) -> Tail
    ) throws(JournalError) -> Appended? {
        guard log is LocalLog, let own = environment.log, Self.mayWait(batches),
            own.mayWait(environment)
        else { return nil }
        let waiting = environment.waiting
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        let frames = try FramesSeen(transaction.access, databases, waiting)
        var group = try Group(frames, databases, tail)
        do throws(JournalError) {
            try take(batches, &group, databases, memory) { _, _, _ in }
        } catch {
            group.forget()
            throw error
        }
        guard !group.frames.isEmpty else { return group.appended }
        do throws(JournalError) {
            guard try own.write(waiting: group.frames, group.head, environment) else {
                group.forget()
                return nil
            }
        } catch {
            group.forget()
            return group.failed(error)
        }
        group.updateTail()
        return group.appended
    }

    /// Whether their payloads are short, and they bring nothing that is looked for outside frames.
    private static func mayWait(_ batches: [Batch]) -> Bool {
        batches.allSatisfy { $0.newTypes.isEmpty }
            && batches.reduce(0) { $0 + $1.payloads.count } <= 1 << 16
    }

    /// Checks each batch behind the ones before, and makes its frame.
    private mutating func take(
        _ batches: [Batch], _ group: inout Group, _ databases: JournalDatabases,
        _ memory: IndexMemory,
        _ put: (Batch, [12 of UInt8], [UInt8]) throws(JournalError) -> Void
    ) throws(JournalError) {
        let seen = group.seen
        let events = EventReading(seen, memory.frames)
        for batch in batches {
            // What the one before it brought is there for the next one's checks.
            group.updateTail()
            let index = JournalIndex(
                frames: seen, databases: databases, head: group.head,
                sealed: group.sealed, tail: group.tail, memory: memory, events: events)
            do throws(JournalError) {
                try check(batch, index)
            } catch {
                group.outcomes.append(.failure(error))
                continue
            }
            let before = group.head
            let key = try makeFrame(batch, &group.head, seen.access.environment)
            try put(batch, key.bytes, frame)
            group.frames.append(
                LoggedFrame(
                    number: group.head.frameCount, term: batch.term,
                    position: group.head.position, previous: before.chain,
                    chain: group.head.chain, key: key.copied, bytes: frame))
            group.outcomes.append(.success(group.head.position))
            group.written = (batch, key, revisions)
        }
    }

    /// The outcome of each batch, and the journal's head after them.
    struct Appended {
        let outcomes: [Result<Position, JournalError>]
        let head: Head
        let sealed: Sealed
    }

    /// Batches on their way into the journal.
    private struct Group {
        /// The frames before them.
        let seen: FramesSeen
        var head: Head
        let sealed: Sealed
        let tail: Tail
        var outcomes: [Result<Position, JournalError>] = []
        /// As they are stored, for the log behind the journal and the one beside it.
        var frames: [LoggedFrame] = []
        /// The batch that was put last, while the tail does not know of it.
        var written: (batch: Batch, key: FrameKey, revisions: [UInt32])?
        /// The tail knows of what is not durable yet.
        private var isAhead = false

        init(
            _ frames: FramesSeen, _ databases: JournalDatabases, _ tail: (Sealed) -> Tail
        ) throws(JournalError) {
            seen = frames
            head = frames.head
            sealed = try Sealed.read(frames.access, databases)
            self.tail = tail(sealed)
            try self.tail.catchUp(frames)
        }

        var appended: Appended { Appended(outcomes: outcomes, head: head, sealed: sealed) }

        var hasChanged: Bool { isAhead || written != nil }

        mutating func updateTail() {
            guard let (batch, key, revisions) = written else { return }
            tail.add(batch, key, revisions: revisions, head: head)
            written = nil
            isAhead = true
        }

        /// Nothing came of it: what the tail knows must not be taken for the journal's.
        func forget() {
            if isAhead { tail.invalidate() }
        }

        func failed(_ error: JournalError) -> Appended {
            Appended(
                outcomes: outcomes.map { $0.flatMap { _ in .failure(error) } }, head: seen.head,
                sealed: sealed)
        }
    }

    /// Nothing is written before all of it passed.
    private mutating func check(
        _ batch: Batch, _ index: JournalIndex
    ) throws(JournalError) {
        try BatchCheck(batch, index.head).run()
        for condition in batch.conditions { try condition.check(index) }
        try checkCommands(batch, index)
        for symbol in batch.newSymbols where try index.number(of: symbol) != nil {
            throw .invalid("a new symbol is in the journal already")
        }
        try checkTypes(batch, index)
        try findRevisions(of: batch, index)
    }

    /// Makes the frame of a batch, and the head behind it.
    private mutating func makeFrame(
        _ batch: Batch, _ head: inout Head, _ environment: LMDBEnvironment
    ) throws(JournalError) -> FrameKey {
        head.clock = batch.clock ?? head.clock
        let key = try writeFrame(batch, head.position + 1, &head, environment)
        head.position = head.position + batch.events.count
        head.symbolCount += UInt32(batch.newSymbols.count)
        head.typeCount += UInt16(batch.newTypes.count)
        head.slotCount += UInt32(batch.newSlots.count)
        head.term = batch.term
        head.frameCount += 1
        return key
    }

    private func checkCommands(
        _ batch: Batch, _ journal: JournalIndex
    ) throws(JournalError) {
        var ids: Set<ExactBytes> = []
        for (index, command) in batch.commands.enumerated() where command.isAccepted {
            guard ids.insert(ExactBytes(command.id)).inserted,
                try journal.command(command.id) == nil
            else {
                throw JournalError(
                    .conflict(.command(index: index)), "this command was accepted before",
                    advice: "answer it as it was answered then")
            }
        }
    }

    /// Which place each event has in its stream.
    private mutating func findRevisions(
        of batch: Batch, _ index: JournalIndex
    ) throws(JournalError) {
        revisions.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        for place in batch.events.indices {
            let stream = batch.events[place].stream
            let count: UInt32
            if let known = counts[stream] {
                count = known
            } else if stream.number > index.head.symbolCount {
                count = 0
            } else {
                count = try index.streamHead(stream)?.count ?? 0
            }
            guard count < .max else {
                throw .tooLarge("stream \(stream.number) has too many events")
            }
            revisions.append(count)
            counts[stream] = count + 1
        }
    }

    private func checkTypes(_ batch: Batch, _ index: JournalIndex) throws(JournalError) {
        guard !batch.newTypes.isEmpty else { return }
        var cursor = try Cursor(index.access, index.databases.types)
        var found = try cursor.first()
        while found {
            let known = try cursor.withRecord { key, content throws(JournalError) in
                var offset = 0
                let number = (try? key.fixed(2, &offset)) ?? 0
                return try TypeRecord(stored: content, UInt16(truncatingIfNeeded: number))
            }
            guard
                !batch.newTypes.contains(where: {
                    $0.name == known.name && $0.version == known.version
                })
            else { throw .invalid("type \(known.name) \(known.version) is in the journal") }
            found = try cursor.next()
        }
    }

    private mutating func writeFrame(
        _ batch: Batch, _ first: Position, _ head: inout Head, _ environment: LMDBEnvironment
    ) throws(JournalError) -> FrameKey {
        body.removeAll(keepingCapacity: true)
        FrameWriter.writeBody(of: batch, first: first, revisions: revisions, to: &body)
        guard body.count <= Limits.frameBytes else {
            throw .tooLarge("a batch of \(body.count) bytes")
        }
        try findRoom(for: body.count, environment)
        var header = FrameHeader()
        header.eventCount = UInt32(batch.events.count)
        header.first = first
        header.recordedAt = batch.recordedAt
        header.clock = head.clock
        header.bodyBytes = UInt32(body.count)
        header.term = batch.term
        header.salt = batch.salt
        header.previous = head.chain
        frame.removeAll(keepingCapacity: true)
        header.isCompressed = true
        header.write(to: &frame)
        // What is shorter gains little, and is compressed with its block when it is sealed.
        let compressor = body.count < 512 ? nil : try usedCompressor()
        if compressor?.compress(body, appendingTo: &frame) != true {
            frame.removeAll(keepingCapacity: true)
            header.isCompressed = false
            header.write(to: &frame)
            frame.append(contentsOf: body)
        }
        let key = FrameKey(first: first, ordinal: head.ordinal)
        let keyBytes = key.bytes
        let sum = Checksum.of(.frame, key: keyBytes.span, content: frame.span)
        frame.appendChecksum(sum)
        head.chain = sum
        head.ordinal = batch.events.isEmpty ? head.ordinal + 1 : 0
        return key
    }

    /// Refuses what a full disk would cut short. One with a gigabyte left is not asked for each commit: nobody fills it
    /// within a tenth of a second.
    private mutating func findRoom(
        for bytes: Int, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        let (needed, now) = (bytes + 1 << 18, Monotonic.milliseconds())
        if now < room.until, needed <= room.bytes {
            room.bytes -= needed
            return
        }
        guard let free = FileSystem.freeBytes(at: environment.path) else { return }
        guard free >= needed else { throw environment.failed("appending", ENOSPC) }
        room = free > 1 << 30 ? (1 << 29, now + 100) : (0, 0)
    }

    /// Puts frames as they are, with what else hangs on them; up to where the journal is sealed.
    static func put(
        _ frames: [LoggedFrame], _ types: [TypeRecord], _ head: Head, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) -> Sealed {
        try putTypes(types, access, databases)
        for frame in frames { try put(frame.bytes, at: frame.key.span, access, databases) }
        try HeadRecord.put(head, access, databases)
        return try Sealed.read(access, databases)
    }

    private static func putTypes(
        _ types: [TypeRecord], _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        for type in types {
            let key = JournalKeys.type(type.number)
            var record: [UInt8] = []
            type.write(to: &record)
            guard try access.putRecord(databases.types, key.span, &record, flags: MDB_APPEND)
            else { throw .damaged("there are types beyond the head") }
        }
    }

    private static func put(
        _ frame: [UInt8], at key: Span<UInt8>, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) {
        guard try access.put(databases.frames, key, frame.span, flags: MDB_APPEND)
        else { throw .damaged("there are frames beyond the head") }
    }

    private mutating func usedCompressor() throws(JournalError) -> Compressor {
        if let compressor { return compressor }
        let made = try Compressor()
        compressor = made
        return made
    }
}
