import CLMDB
import Events

/// Reads the whole journal and compares everything derived with what the frames say.
///
/// Needs memory for each stream, type and tag, but not for each event: a posting list is compared
/// by a hash over its positions, seeded anew for each run.
struct Verifier {
    private static let findingLimit = 100

    private let access: TransactionAccess
    private let databases: JournalDatabases
    private let progress: ((Position, Position) -> Void)?
    private let frame = FrameReader()
    private var report = VerifyReport(head: .empty)
    private var seen = Head.empty
    private var lists: PostingSums
    /// Damaged frames hide what the derived databases should hold.
    private var framesAreWhole = true
    /// The frame before was damaged: the next one is believed about where it stands.
    private var isLost = false

    init(
        _ access: TransactionAccess, _ databases: JournalDatabases,
        _ progress: ((Position, Position) -> Void)?
    ) {
        self.access = access
        self.databases = databases
        self.progress = progress
        var generator = SystemRandomNumberGenerator()
        lists = PostingSums(seed: generator.next())
    }

    mutating func run() throws(JournalError) -> VerifyReport {
        do throws(JournalError) {
            report.head = try HeadRecord.read(access, databases)
            try readFrames()
            compareHead()
        } catch {
            framesAreWhole = false
            try add("meta", error)
        }
        for database in [databases.symbols, databases.names, databases.types, databases.commands] {
            try readRecords(database)
        }
        try readIndex()
        try readRecords(databases.meta)
        try compareCounts()
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

    // MARK: Frames

    private mutating func readFrames() throws(JournalError) {
        var cursor = try Cursor(access, databases.frames)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                try unsafe Span.over(cursor.key) { key throws(JournalError) in
                    try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                        try frame.open(key: key, stored: stored)
                    }
                }
                try readFrame()
            } catch {
                framesAreWhole = false
                isLost = true
                try add("frames", at: seen.position + 1, error)
            }
            report.frames += 1
            seen.frameCount += 1
            if report.frames % 1024 == 0 { progress?(seen.position, report.head.position) }
            found = try cursor.next()
        }
        progress?(seen.position, report.head.position)
    }

    private mutating func readFrame() throws(JournalError) {
        let header = frame.header
        let expected = seen.position + 1
        let joins =
            header.first == expected && frame.key.ordinal == seen.ordinal
            && header.previous == seen.chain
        if !joins && !isLost {
            framesAreWhole = false
            add(
                "frames", min(expected, header.first),
                "a frame is missing or out of place before position \(header.first.number)")
        }
        isLost = false
        if framesAreWhole && header.clock < seen.clock {
            throw .damaged("time goes backwards", at: header.first)
        }
        try readSymbols()
        try readTypes()
        try readCommands()
        try readEvents()
        seen.chain = frame.checksum
        seen.clock = header.clock
        seen.ordinal = header.eventCount == 0 ? frame.key.ordinal &+ 1 : 0
        seen.position = Position(frame.end - 1)
    }

    private mutating func readSymbols() throws(JournalError) {
        guard !frame.symbols.isEmpty else { return }
        if !framesAreWhole && frame.firstSymbol > 0 { seen.symbolCount = frame.firstSymbol - 1 }
        guard frame.firstSymbol == seen.symbolCount &+ 1,
            frame.firstSymbol <= Limits.symbols, frame.symbols.count <= Int(Limits.symbols)
        else {
            throw .damaged("symbols are not numbered on", at: frame.first)
        }
        let body = frame.body
        for range in frame.symbols {
            seen.symbolCount &+= 1
            let number = seen.symbolCount
            let bytes = Array(body[range])
            report.symbols += 1
            try compare(databases.symbols, JournalKeys.symbol(number).span, "symbol \(number)") {
                $0.isEqual(to: bytes.span)
            }
            let name = JournalKeys.name(bytes)
            try compare(databases.names, name.span, "the name of symbol \(number)") {
                JournalKeys.symbol(in: $0) == number
            }
        }
    }

    private mutating func readTypes() throws(JournalError) {
        if !framesAreWhole, let first = frame.types.first { seen.typeCount = first.number - 1 }
        for type in frame.types {
            guard type.number == seen.typeCount &+ 1 else {
                throw .damaged("types are not numbered on", at: frame.first)
            }
            seen.typeCount &+= 1
            report.types += 1
            let key = JournalKeys.type(type.number)
            try compare(databases.types, key.span, "type \(type.number)") {
                (try? TypeRecord(stored: $0, type.number)) == type
            }
        }
    }

    private mutating func readCommands() throws(JournalError) {
        let body = frame.body
        for command in frame.commands where command.isAccepted {
            report.commands += 1
            guard !framesAreWhole || command.device.number <= seen.symbolCount else {
                throw .damaged("an unknown device", at: frame.first)
            }
            let entry = AcceptedEntry(
                digest: Array(body[command.digest]), device: command.device,
                first: frame.first + command.firstEvent, count: UInt32(command.eventCount))
            let key = JournalKeys.name(Array(body[command.id]))
            try compare(databases.commands, key.span, "a command") {
                (try? AcceptedEntry($0)) == entry
            }
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
            case nil: add(database.name, frame.first, "\(what) is missing")
            case false?: add(database.name, frame.first, "\(what) is not what the frames say")
            case true?: break
            }
        } catch {
            try add(database.name, at: frame.first, error)
        }
    }

    private mutating func readEvents() throws(JournalError) {
        var record = EventRecord()
        var lists = self.lists
        self.lists = PostingSums(seed: 0)  // so that the copy is the only one
        defer { self.lists = lists }
        // What a lost frame brought is not known to be missing.
        let known =
            framesAreWhole
            ? (symbols: seen.symbolCount, types: seen.typeCount) : (Limits.symbols, .max)
        let areWhole = framesAreWhole
        do {
            _ = try frame.forEachEvent(
                in: 0..<frame.eventCount, reversed: false, record: &record
            ) { record, _ in
                guard record.type <= known.types, record.stream.number <= known.symbols,
                    !record.stream.isNone, record.actor.number <= known.symbols,
                    record.device.number <= known.symbols,
                    record.subject.number <= known.symbols,
                    record.tags.allSatisfy({ !$0.isNone && $0.number <= known.symbols })
                else { throw JournalError.damaged("an unknown symbol", at: record.position) }
                guard areWhole else { return true }
                let revision = lists.add(record)
                guard revision == UInt64(record.revision) else {
                    throw JournalError.damaged("a revision out of order", at: record.position)
                }
                return true
            }
        } catch let error as JournalError {
            throw error
        } catch {
            throw .damaged("\(error)", at: frame.first)
        }
        report.events += UInt64(frame.eventCount)
    }

    private mutating func compareHead() {
        let head = report.head
        guard framesAreWhole else { return }
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
        var cursor = try Cursor(access, databases.index)
        var walk = PostingWalk(seed: lists.seed)
        var found = try cursor.first()
        while found {
            do throws(JournalError) {
                let finished = try cursor.withRecord { key, content throws(JournalError) in
                    try walk.read(key, content)
                }
                if let finished { compare(finished) }
            } catch {
                try add("index", error)
            }
            found = try cursor.next()
        }
        report.postingLists = walk.listCount
        guard framesAreWhole, report.findingCount == 0 else { return }
        if walk.listCount != lists.count {
            add("index", nil, "\(lists.count) lists expected, \(walk.listCount) found")
        }
    }

    private mutating func compare(_ list: PostingWalk.List) {
        guard framesAreWhole else { return }
        let expected = lists.sum(of: list.kind, list.number)
        guard expected != list.sum else { return }
        add(
            "index", Position(list.first),
            "the list of \(list.kind) \(list.number) is not what the frames say")
    }

    private mutating func compareCounts() throws(JournalError) {
        guard framesAreWhole else { return }
        let expected: [(Database, Int)] = [
            (databases.symbols, report.symbols), (databases.names, report.symbols),
            (databases.types, report.types), (databases.commands, report.commands),
            (databases.meta, 2),
        ]
        for (database, count) in expected {
            let entries = try Int(access.statistics(database).ms_entries)
            if entries != count {
                add(database.name, nil, "\(entries) records, \(count) expected")
            }
        }
    }
}
