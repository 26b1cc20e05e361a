import CLMDB
import Core

/// Reads the whole journal and compares everything derived with what the frames say.
///
/// Needs memory for each stream, but not for each event: the index is compared by sums over its
/// entries, seeded anew for each run.
struct Verifier {
    private static let findingLimit = 100

    private let access: TransactionAccess
    private let databases: JournalDatabases
    private let progress: ((Position, Position) -> Bool)?
    private let reader: CommitReader
    private let decompressor: Decompressor
    private var sealed = Sealed()
    private var report = VerifyReport(head: .empty)
    private var seen = Head.empty
    private var sums: IndexSums
    /// Events of each stream so far.
    private var revisions: [UInt32] = []
    private var sealedSeen = Sealed()
    private var records = 0
    /// The position that ``progress`` was told last.
    private var told: UInt64 = 0
    /// Nobody wants the report any more.
    private var isGivenUp = false
    /// Damaged frames hide what the derived databases should hold.
    private var framesAreWhole = true
    /// The frame before was damaged: the next one is believed about where it stands.
    private var isLost = false

    init(
        _ access: TransactionAccess, _ databases: JournalDatabases,
        _ store: DictionaryStore, _ progress: ((Position, Position) -> Bool)?
    ) throws(JournalError) {
        reader = CommitReader(store)
        decompressor = try Decompressor()
        self.access = access
        self.databases = databases
        self.progress = progress
        var generator = SystemRandomNumberGenerator()
        sums = IndexSums(seed: generator.next())
    }

    mutating func run() throws(JournalError) -> VerifyReport {
        do throws(JournalError) {
            report.head = try HeadRecord.read(access, databases)
            sealed = try Sealed.read(access, databases)
            try readSymbolBlocks()
            try readFrames()
            if isGivenUp { return report }
            compareHead()
        } catch {
            framesAreWhole = false
            try add("meta", error)
        }
        try readRecords(databases.types)
        try readRecords(databases.dictionaries)
        try readRecords(databases.tree)
        try readIndex()
        try readRecords(databases.meta)
        try compareCounts()
        if report.isWhole { report.streams = UInt64(revisions.count { $0 > 0 }) }
        return report
    }

    // MARK: Findings

    private mutating func add(_ database: String, _ position: Position?, _ what: String) {
        report.findingCount += 1
        guard report.findings.count < Self.findingLimit else { return }
        report.findings.append(.init(database: database, position: position, what: what))
    }

    /// Damage is a finding; whatever else goes wrong ends the check.
    private mutating func add(
        _ database: String, at position: Position? = nil, _ error: JournalError
    ) throws(JournalError) {
        guard case .damaged(let place) = error.kind else { throw error }
        add(database, place ?? position, error.what)
    }

    // MARK: Symbols

    /// The texts of what is sealed; those of the tail stand in its frames.
    private mutating func readSymbolBlocks() throws(JournalError) {
        var cursor = try Cursor(access, databases.symbols)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                let block = try SymbolBlocks.read(at: cursor, decompressor)
                guard block.first == seen.symbolCount &+ 1 else {
                    throw .damaged("symbols are missing before number \(block.first)")
                }
                for index in 0..<block.count { addSymbol(block[index]) }
            } catch {
                framesAreWhole = false
                try add("symbols", error)
                seen.symbolCount = sealed.symbolCount
                return
            }
            found = try cursor.next()
        }
        guard seen.symbolCount != sealed.symbolCount else { return }
        framesAreWhole = false
        add("symbols", nil, "\(seen.symbolCount) symbols, \(sealed.symbolCount) expected")
        seen.symbolCount = sealed.symbolCount
    }

    private mutating func addSymbol(_ text: [UInt8]) {
        seen.symbolCount &+= 1
        report.symbols += 1
        if seen.symbolCount <= sealed.symbolCount {
            sums.add(.name, SegmentKind.name.number(of: text), UInt64(seen.symbolCount))
        }
    }

    // MARK: Frames

    private mutating func readFrames() throws(JournalError) {
        var cursor = try Cursor(access, databases.frames)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                try unsafe Span.over(cursor.key) { key throws(JournalError) in
                    try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                        try reader.open(key: key, stored: stored, isWhole: true)
                    }
                }
                try readRecord()
            } catch {
                framesAreWhole = false
                isLost = true
                try add("frames", at: seen.position + 1, error)
                seen.frameCount += 1
            }
            records += 1
            if records % 256 == 0 || seen.position.number >= told &+ 4096 { tell() }
            found = isGivenUp ? false : try cursor.next()
        }
        report.frames = seen.frameCount
        tell()
    }

    private mutating func tell() {
        told = seen.position.number
        if let progress, !progress(seen.position, report.head.position) { isGivenUp = true }
    }

    /// A frame or a block of them.
    private mutating func readRecord() throws(JournalError) {
        let frames = reader.records
        let expected = seen.position + 1
        let joins =
            reader.first == expected && reader.key.ordinal == seen.ordinal
            && reader.previous == seen.chain
        if !joins && !isLost {
            framesAreWhole = false
            add(
                "frames", min(expected, reader.first),
                "a frame is missing or out of place before position \(reader.first.number)")
        }
        isLost = false
        for frame in frames {
            if framesAreWhole && frame.clock < seen.clock {
                throw .damaged("time goes backwards", at: frame.first)
            }
            if framesAreWhole && frame.term < seen.term {
                throw .damaged("a term goes backwards", at: frame.first)
            }
            seen.clock = frame.clock
            seen.term = frame.term
            seen.ordinal = frame.eventCount == 0 ? frame.ordinal &+ 1 : 0
        }
        if reader.isBlock {
            report.blocks += 1
            sealedSeen.blockCount += 1
            sealedSeen.position = Position(reader.end - 1)
            sealedSeen.frameCount = seen.frameCount + UInt64(frames.count)
        } else {
            try readSymbols()
            try readTypes()
        }
        try readSlots()
        try readCommands()
        try readEvents()
        seen.chain = reader.chain
        seen.position = Position(reader.end - 1)
        seen.frameCount += UInt64(frames.count)
    }

    private mutating func readSymbols() throws(JournalError) {
        let frame = reader.frame
        guard !frame.symbols.isEmpty else { return }
        if !framesAreWhole && frame.firstSymbol > 0 { seen.symbolCount = frame.firstSymbol - 1 }
        guard frame.firstSymbol == seen.symbolCount &+ 1,
            frame.firstSymbol <= Limits.symbols, frame.symbols.count <= Int(Limits.symbols)
        else {
            throw .damaged("symbols are not numbered on", at: frame.first)
        }
        let body = frame.body
        for range in frame.symbols { addSymbol(Array(body[range])) }
    }

    private mutating func readTypes() throws(JournalError) {
        let frame = reader.frame
        // Those that sealed frames brought stand in `types` alone.
        if !framesAreWhole || seen.typeCount == 0, let first = frame.types.first {
            seen.typeCount = first.number - 1
        }
        for type in frame.types {
            guard type.number == seen.typeCount &+ 1 else {
                throw .damaged("types are not numbered on", at: frame.first)
            }
            seen.typeCount &+= 1
            let key = JournalKeys.type(type.number)
            try compare(databases.types, key.span, "type \(type.number)") {
                (try? TypeRecord(stored: $0, type.number)) == type
            }
        }
    }

    private mutating func readSlots() throws(JournalError) {
        for (position, slot) in reader.slots {
            guard slot.number == seen.slotCount &+ 1 || !framesAreWhole else {
                throw .damaged("slots of keys are not numbered on", at: position)
            }
            seen.slotCount = slot.number
        }
    }

    /// The hashes of the commands at a position, in a segment.
    private var listed: (position: UInt64, segment: UInt32, hashes: Set<UInt32>) = (0, 0, [])

    private mutating func readCommands() throws(JournalError) {
        let body = reader.body
        // Each block has an event.
        let last = reader.end &- 1
        let segment = sealed.segments.first { $0.last.number >= last }?.number ?? 0
        for command in reader.commands where command.isAccepted {
            report.commands += 1
            guard !framesAreWhole || command.device.number <= seen.symbolCount else {
                throw .damaged("an unknown device", at: reader.first)
            }
            guard reader.isBlock else { continue }
            let entry = SegmentEntry(
                number: SegmentKind.command.number(of: Array(body[command.id])),
                value: reader.first.number + UInt64(command.firstEvent))
            // A segment lists it once, though two ids at one position may have one hash.
            if entry.value != listed.position || segment != listed.segment {
                listed = (entry.value, segment, [])
            }
            guard listed.hashes.insert(entry.number).inserted else { continue }
            sums.add(.command, entry.number, entry.value)
        }
    }

    private mutating func compare(
        _ database: Database, _ key: Span<UInt8>, _ what: String,
        _ isRight: (Span<UInt8>) -> Bool
    ) throws(JournalError) {
        do throws(JournalError) {
            let found = try access.record(database, key) { content throws(JournalError) in
                isRight(content)
            }
            switch found {
            case nil: add(database.name, reader.first, "\(what) is missing")
            case false?: add(database.name, reader.first, "\(what) is not what the frames say")
            case true?: break
            }
        } catch {
            try add(database.name, at: reader.first, error)
        }
    }

    private mutating func readEvents() throws(JournalError) {
        var record = EventRecord()
        var sums = self.sums
        var revisions = self.revisions
        self.revisions = []  // so that the copy is the only one
        defer {
            self.sums = sums
            self.revisions = revisions
        }
        // What a lost frame brought is not known to be missing.
        let symbols =
            framesAreWhole || reader.isBlock
            ? max(seen.symbolCount, sealed.symbolCount) : Limits.symbols
        let types = report.head.typeCount
        let (areWhole, isBlock) = (framesAreWhole, reader.isBlock)
        do {
            _ = try reader.forEachEvent(
                in: 0..<reader.eventCount, reversed: false, record: &record
            ) { record, _ in
                guard record.type <= types, record.stream.number <= symbols,
                    !record.stream.isNone, record.actor.number <= symbols,
                    record.device.number <= symbols, record.subject.number <= symbols,
                    record.tags.allSatisfy({ !$0.isNone && $0.number <= symbols })
                else { throw JournalError.damaged("an unknown symbol", at: record.position) }
                if isBlock { sums.add(record) }
                guard areWhole else { return true }
                let stream = Int(record.stream.number)
                if stream >= revisions.count {
                    let more = max(stream + 1, revisions.count * 2) - revisions.count
                    revisions.append(contentsOf: repeatElement(0, count: more))
                }
                guard revisions[stream] == record.revision else {
                    throw JournalError.damaged("a revision out of order", at: record.position)
                }
                revisions[stream] &+= 1
                return true
            }
        } catch let error as JournalError {
            throw error
        } catch {
            throw .damaged("\(error)", at: reader.first)
        }
        report.events += UInt64(reader.eventCount)
    }

    private mutating func compareHead() {
        let head = report.head
        guard framesAreWhole else { return }
        if seen.typeCount == 0 { seen.typeCount = head.typeCount }  // the tail brought none
        if (sealedSeen.position, sealedSeen.frameCount, sealedSeen.blockCount)
            != (sealed.position, sealed.frameCount, sealed.blockCount)
        {
            add("meta", sealed.position + 1, "the record of what is sealed is not what is")
        }
        if seen != head {
            add(
                "meta", min(seen.position, head.position) + 1,
                "the head record is not what the frames say")
        }
    }

    // MARK: Derived databases

    /// Checks every record's checksum.
    private mutating func readRecords(_ database: Database) throws(JournalError) {
        var cursor = try Cursor(access, database)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                try cursor.withRecord { _, _ throws(JournalError) in }
            } catch {
                // A record that the frames know was found already, with a position.
                if !framesAreWhole || database.domain == .meta {
                    try add(database.name, error)
                } else if report.findingCount == 0 {
                    try add(database.name, error)
                }
            }
            found = try cursor.next()
        }
    }

    private mutating func readIndex() throws(JournalError) {
        var cursor = try Cursor(access, databases.segments)
        var walk = SegmentWalk(sealed, seed: sums.seed)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                try walk.read(cursor)
            } catch {
                try add("segments", error)
            }
            found = try cursor.next()
        }
        report.indexEntries = walk.sums.count
        do throws(JournalError) {
            try walk.finish()
        } catch {
            try add("segments", error)
        }
        guard framesAreWhole, report.findingCount == 0 else { return }
        for kind in SegmentKind.allCases where walk.sums[kind] != sums[kind] {
            add("segments", nil, "the lists of kind \(kind) are not what the blocks say")
        }
    }

    private mutating func compareCounts() throws(JournalError) {
        guard framesAreWhole else { return }
        report.types = Int(report.head.typeCount)
        for (database, count) in [
            (databases.types, report.types), (databases.meta, 4),
            (databases.dictionaries, Int(sealed.dictionary)),
        ] {
            let entries = try Int(access.statistics(database).ms_entries)
            if entries != count {
                add(database.name, nil, "\(entries) records, \(count) expected")
            }
        }
    }
}
