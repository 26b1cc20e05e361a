import CLMDB
import Events
import Glibc

/// Appends batches; keeps its buffers from one to the next. Used under the writer lock.
struct Appender {
    private var postings = PostingWriter()
    private var revisions: [UInt32] = []
    private var body: [UInt8] = []
    private var frame: [UInt8] = []
    private var record: [UInt8] = []
    private var compressor: Compressor?

    /// One write transaction: check, write, commit. Answers the new head's position.
    mutating func append(
        _ batch: Batch, _ environment: Environment, _ databases: JournalDatabases
    ) throws(JournalError) -> Position {
        let transaction = try WriteTransaction(environment)
        let position = try transaction.withAccess { access throws(JournalError) in
            try write(batch, access, databases)
        }
        try transaction.commit()
        return position
    }

    private mutating func write(
        _ batch: Batch, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> Position {
        var head = try HeadRecord.read(access, databases)
        try BatchCheck(batch, head).run()
        for condition in batch.conditions {
            try condition.check(head, access, databases)
        }
        let first = head.position + 1
        try putCommands(batch, first, access, databases)
        try putTypes(batch, head, access, databases)
        try putSymbols(batch, access, databases)
        try postings.add(
            batch, first: first, knownSymbols: head.symbolCount, knownTypes: head.typeCount,
            access, databases.index, revisions: &revisions)
        head.clock = batch.clock ?? head.clock
        try putFrame(batch, first, &head, access, databases)
        head.position = head.position + batch.events.count
        head.symbolCount += UInt32(batch.newSymbols.count)
        head.typeCount += UInt16(batch.newTypes.count)
        head.frameCount += 1
        try HeadRecord.put(head, access, databases)
        return head.position
    }

    private mutating func putCommands(
        _ batch: Batch, _ first: Position, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) {
        for (index, command) in batch.commands.enumerated() where command.isAccepted {
            let key = JournalKeys.name(command.id)
            let entry = AcceptedEntry(
                digest: command.digest, device: command.device,
                first: first + command.events.lowerBound, count: UInt32(command.events.count))
            record.removeAll(keepingCapacity: true)
            entry.write(to: &record)
            guard
                try access.putRecord(
                    databases.commands, key.span, &record, flags: MDB_NOOVERWRITE)
            else {
                throw JournalError(
                    .conflict(.command(index: index)), "this command was accepted before",
                    advice: "answer it as it was answered then")
            }
        }
    }

    private mutating func putTypes(
        _ batch: Batch, _ head: Head, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) {
        guard !batch.newTypes.isEmpty else { return }
        var cursor = try Cursor(access, databases.types)
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
        for type in batch.newTypes {
            let key = JournalKeys.type(type.number)
            record.removeAll(keepingCapacity: true)
            type.write(to: &record)
            guard try access.putRecord(databases.types, key.span, &record, flags: MDB_APPEND)
            else { throw .damaged("there are types beyond the head") }
        }
    }

    private mutating func putSymbols(
        _ batch: Batch, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        var number = batch.firstNewSymbol
        for symbol in batch.newSymbols {
            let key = JournalKeys.symbol(number)
            record.removeAll(keepingCapacity: true)
            record.append(contentsOf: symbol)
            guard try access.putRecord(databases.symbols, key.span, &record, flags: MDB_APPEND)
            else { throw .damaged("there are symbols beyond the head") }
            let name = JournalKeys.name(symbol)
            record.removeAll(keepingCapacity: true)
            record.appendFixed(number)
            guard
                try access.putRecord(
                    databases.names, name.span, &record, flags: MDB_NOOVERWRITE)
            else { throw .invalid("a new symbol is in the journal already") }
            number += 1
        }
    }

    private mutating func putFrame(
        _ batch: Batch, _ first: Position, _ head: inout Head, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) {
        body.removeAll(keepingCapacity: true)
        FrameWriter.writeBody(of: batch, first: first, revisions: revisions, to: &body)
        guard body.count <= Limits.frameBytes else {
            throw .tooLarge("a batch of \(body.count) bytes")
        }
        if let free = FileSystem.freeBytes(at: access.environment.path),
            free < body.count + 1 << 18
        {
            throw access.failed("appending", ENOSPC)  // before a write is cut short by it
        }
        var header = FrameHeader()
        header.eventCount = UInt32(batch.events.count)
        header.first = first
        header.recordedAt = batch.recordedAt
        header.clock = head.clock
        header.bodyBytes = UInt32(body.count)
        header.previous = head.chain
        frame.removeAll(keepingCapacity: true)
        header.isCompressed = true
        header.write(to: &frame)
        let compressor = try usedCompressor()
        if !compressor.compress(body, appendingTo: &frame) {
            frame.removeAll(keepingCapacity: true)
            header.isCompressed = false
            header.write(to: &frame)
            frame.append(contentsOf: body)
        }
        let key = FrameKey(first: first, ordinal: head.ordinal)
        let keyBytes = key.bytes
        let sum = Checksum.of(.frame, key: keyBytes.span, content: frame.span)
        frame.appendChecksum(sum)
        guard try access.put(databases.frames, keyBytes.span, frame.span, flags: MDB_APPEND)
        else { throw .damaged("there are frames beyond the head", at: first) }
        head.chain = sum
        head.ordinal = batch.events.isEmpty ? head.ordinal + 1 : 0
    }

    private mutating func usedCompressor() throws(JournalError) -> Compressor {
        if let compressor { return compressor }
        let made = try Compressor()
        compressor = made
        return made
    }
}
