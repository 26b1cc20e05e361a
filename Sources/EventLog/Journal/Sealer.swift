import CLMDB
import Core

/// Turns the tail into blocks and segments, and merges segments as they grow. One transaction a step:
/// a crash leaves the state before it or after it.
struct Sealer {
    /// Entries that one step of a merge writes at most, more or less.
    private static let mergeEntries = 200_000
    /// Pages that one step drops at most.
    private static let dropPages = 2000

    private let environment: LMDBEnvironment
    private let databases: JournalDatabases
    private let options: Sealing
    private let compressor: Compressor
    private let store: DictionaryStore
    private var merge: SegmentMerge?
    /// More commands without events follow one another than a block takes: they stay as they are.
    private(set) var isStuck = false

    init(
        _ environment: LMDBEnvironment, _ databases: JournalDatabases, _ store: DictionaryStore,
        _ options: Sealing
    ) throws(JournalError) {
        self.environment = environment
        self.databases = databases
        self.options = options
        self.store = store
        compressor = try Compressor(level: Compressor.thorough)
    }

    /// One step, if there is anything to do; answers whether there was. What takes long is made ready in
    /// a read transaction, so that nobody has to wait for it.
    mutating func step() throws(JournalError) -> Bool {
        environment.dropDeadReaders()  // what they held is room for what is sealed
        while true {
            do throws(JournalError) {
                guard let work = try nextWork() else { return false }
                try perform(work)
                return true
            } catch {
                guard error.code == mapFullCode else { throw error }
                merge = nil
                try environment.growMap()
            }
        }
    }

    private enum Work {
        case seal(SealedPart)
        case merge
        case drop
    }

    private mutating func nextWork() throws(JournalError) -> Work? {
        // What cannot be put into the file now is sealed later.
        try? environment.log?.putWaiting(environment)
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        let access = transaction.access
        let sealed = try Sealed.read(access, databases)
        let head = try HeadRecord.read(access, databases)
        if !isStuck, options.isDue(head, sealed) {
            if let part = try part(after: sealed, access) { return .seal(part) }
            isStuck = true
        }
        if merge?.stillFits(sealed) == true {
            try merge?.read(access, databases.segments, atMost: Self.mergeEntries)
            return .merge
        }
        merge = nil
        if SegmentMerge.isPossible(in: sealed) { return .merge }
        return sealed.dropping.isEmpty ? nil : .drop
    }

    /// LMDB waits for its write lock without a timeout: nobody begins a write without our lock, which has one.
    private mutating func perform(_ work: Work) throws(JournalError) {
        let former = merge
        merge = nil
        merge = try environment.writing { () throws(JournalError) in
            try write(work, former)
        }
    }

    /// Answers the merge that is under way.
    private func write(
        _ work: Work, _ former: SegmentMerge?
    ) throws(JournalError) -> SegmentMerge? {
        let transaction = try WriteTransaction(environment)
        var next = former
        try transaction.withAccess { access throws(JournalError) in
            var sealed = try Sealed.read(access, databases)
            switch work {
            case .seal(let part): try write(part, &sealed, access)
            case .merge:
                if next == nil { next = SegmentMerge(&sealed) }
                try next?.write(access, databases.segments)
                if next?.isComplete == true {
                    next?.finish(&sealed)
                    next = nil
                }
            case .drop: try drop(&sealed, access)
            }
            try sealed.put(access, databases)
        }
        try transaction.commit()
        return next
    }

    // MARK: Sealing

    /// Frames made into blocks, and the entries of their segment.
    private struct SealedPart {
        var after: Position
        var next: Position
        var frames: [FrameKey] = []
        /// Learned from this part.
        var dictionary: CompressionDictionary?
        var blocks: [(key: FrameKey, stored: [UInt8])] = []
        var symbols: [[UInt8]] = []
        var entries: [(kind: SegmentKind, entry: SegmentEntry)] = []

        mutating func add(_ kind: SegmentKind, _ number: UInt32, _ value: UInt64) {
            entries.append((kind, SegmentEntry(number: number, value: value)))
        }

        mutating func add(_ frame: FrameReader, symbolsBefore: UInt32) {
            for range in frame.symbols {
                let symbol = Array(frame.body[range])
                symbols.append(symbol)
                add(
                    .name, SegmentKind.name.number(of: symbol),
                    UInt64(symbolsBefore) + UInt64(symbols.count))
            }
            for command in frame.commands where command.isAccepted {
                add(
                    .command, SegmentKind.command.number(of: Array(frame.body[command.id])),
                    frame.first.number + UInt64(command.firstEvent))
            }
            frames.append(frame.key)
            next = Position(frame.end)
        }

        mutating func add(_ event: EventRecord) {
            let position = event.position.number
            add(.stream, event.stream.number, position)
            add(.type, UInt32(event.type), position)
            for tag in event.tags { add(.tag, tag.number, position) }
            if let actor = event.listedActor { add(.actor, actor.number, position) }
        }
    }

    private func part(
        after sealed: Sealed, _ access: TransactionAccess
    ) throws(JournalError) -> SealedPart? {
        var part = SealedPart(after: sealed.position, next: sealed.position + 1)
        let frame = FrameReader()
        var builders = [BlockBuilder(compressor)]
        let limit = options.segmentEvents * 4
        do {
            var cursor = try Cursor(access, databases.frames)
            let edge = FrameKey(first: part.next, ordinal: 0).bytes
            var isFound = try cursor.seek(edge.span)
            while isFound {
                let count = Int(part.next.number - sealed.position.number) - 1
                // A segment has an event at least.
                if count >= limit || (count > 0 && part.frames.count >= limit) { break }
                try unsafe Span.over(cursor.key) { key throws(JournalError) in
                    try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                        try frame.open(key: key, stored: stored)
                    }
                }
                guard frame.first == part.next else {
                    throw JournalError.damaged("a frame is missing", at: part.next)
                }
                // Commits without events stay with the block before them: each block has an event.
                // Asked where it stands: what is named would be copied with each frame.
                let hasRoom = builders[builders.count - 1].hasRoom(
                    for: frame, mostCommands: options.blockCommands)
                let events = builders[builders.count - 1].eventCount
                if frame.eventCount > 0, events > 0, events >= options.blockEvents || !hasRoom {
                    builders.append(BlockBuilder(compressor))
                } else if !hasRoom {
                    // The rest goes with the event behind it.
                    if count == 0 { return nil }
                    break
                }
                try builders[builders.count - 1].add(frame) { part.add($0) }
                part.add(frame, symbolsBefore: sealed.symbolCount)
                isFound = try cursor.next()
            }
        } catch let error as JournalError {
            throw error
        } catch {
            throw .damaged("\(error)", at: part.next)
        }
        var dictionary = try store.dictionary(sealed.dictionary)
        if sealed.dictionary == 0 || sealed.position.number >= sealed.learnedAt.number * 16 {
            part.dictionary = try CompressionDictionary.trained(
                sealed.dictionary + 1, on: builders.flatMap { $0.samples() })
            dictionary = part.dictionary ?? dictionary
        }
        for index in builders.indices {
            part.blocks.append(builders[index].finish(with: dictionary))
        }
        part.entries.sort { ($0.kind.rawValue, $0.entry) < ($1.kind.rawValue, $1.entry) }
        return part
    }

    private func write(
        _ part: SealedPart, _ sealed: inout Sealed, _ access: TransactionAccess
    ) throws(JournalError) {
        guard sealed.position == part.after else {
            throw .invalid("two programs seal the journal at once")
        }
        for key in part.frames {
            let bytes = key.bytes
            try access.delete(databases.frames, bytes.span)
        }
        for block in part.blocks {
            let bytes = block.key.bytes
            try access.put(databases.frames, bytes.span, block.stored.span)
        }
        if let dictionary = part.dictionary {
            try DictionaryStore.put(dictionary, access, databases.dictionaries)
            sealed.dictionary = dictionary.number
            sealed.learnedAt = part.next
        }
        try put(part.symbols, after: sealed.symbolCount, access)
        sealed.lastSegment += 1
        var writer = SegmentWriter(access, databases.segments, segment: sealed.lastSegment)
        for (kind, entry) in part.entries { try writer.add(kind, entry) }
        try writer.endKind()
        sealed.symbolCount += UInt32(part.symbols.count)
        sealed.frameCount += UInt64(part.frames.count)
        sealed.blockCount += UInt64(part.blocks.count)
        let last = Position(part.next.number - 1)
        sealed.segments.append(
            SealedSegment(
                number: sealed.lastSegment, level: 0, first: sealed.position + 1, last: last,
                symbolCount: sealed.symbolCount, entries: writer.entries))
        sealed.position = last
    }

    private func put(
        _ symbols: [[UInt8]], after count: UInt32, _ access: TransactionAccess
    ) throws(JournalError) {
        var start = 0
        while start < symbols.count {
            let end = min(start + SymbolBlocks.size, symbols.count)
            try SymbolBlocks.put(
                symbols[start..<end], first: count + UInt32(start) + 1, compressor, access,
                databases.symbols)
            start = end
        }
    }

    // MARK: Dropping

    /// Removes pages of the first segment that is of no use.
    private func drop(
        _ sealed: inout Sealed, _ access: TransactionAccess
    ) throws(JournalError) {
        guard let number = sealed.dropping.first else { return }
        var left = Self.dropPages
        for kind in SegmentKind.allCases {
            while left > 0 {
                var cursor = try Cursor(access, databases.segments)
                let edge = SegmentKey(kind, number, SegmentEntry(number: 0, value: 0)).bytes
                guard try cursor.seek(edge.span) else { break }
                let key = unsafe Span.over(cursor.key) { try? SegmentKey($0) }
                guard let key, key.kind == kind, key.segment == number else { break }
                let bytes = key.bytes
                try access.delete(databases.segments, bytes.span)
                left -= 1
            }
        }
        if left > 0 { sealed.dropping.removeFirst() }
    }
}
