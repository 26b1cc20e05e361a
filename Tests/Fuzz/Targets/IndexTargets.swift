#if DEBUG || FUZZING || TESTABLE
    import CLMDB
    import Core

    @testable import EventLog

    /// The other databases of `journal.mdb`: pages of the index, symbols, and the records of `meta`.
    enum IndexTargets {
        static let all = [
            FuzzTarget("segment", segment), FuzzTarget("symbols", symbols),
            FuzzTarget("record", record),
        ]

        @Sendable private static func segment(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let keyBytes = parts.bytes(SegmentKey.byteCount)
            let key = try SegmentKey(keyBytes.span)
            let content = Array(parts.rest)
            var entries: [SegmentEntry] = []
            let next = try SegmentPage.read(key, content.span) {
                entries.append($0)
                return true
            }
            try expect(entries.first == key.first, "a page begins elsewhere than its key says")
            try expect(
                zip(entries, entries.dropFirst()).allSatisfy { $0 < $1 }, "entries do not ascend")
            try expect(entries.last.map { $0 < next } ?? false, "the next page begins too early")
            // Whoever looks for a list in the middle finds all of it.
            for wanted in Set(entries.map(\.number)).prefix(40) {
                var found: [SegmentEntry] = []
                try SegmentPage.read(key, content.span, from: wanted) {
                    if $0.number == wanted { found.append($0) }
                    return $0.number <= wanted
                }
                try expect(
                    found == entries.filter { $0.number == wanted }, "a list is not found whole")
            }
            var page = SegmentPage(key.kind, key.segment, beginningAt: key.first)
            for entry in entries where !page.isFull { page.add(entry) }
            let last = entries.dropFirst(4096).first ?? next
            let written = page.finish(before: page.isFull ? last : next)
            var again: [SegmentEntry] = []
            try SegmentPage.read(key, written.span) {
                again.append($0)
                return true
            }
            try expect(entries.starts(with: again), "a page that is written again says otherwise")
        }

        /// Runs `body` in a transaction that never happened.
        private static func withTransaction(
            _ body: (TransactionAccess, JournalDatabases) throws -> Void
        ) throws {
            let transaction = try WriteTransaction(Fixture.log.environment)
            var failure: (any Error)?
            try transaction.withAccess { access throws(JournalError) in
                do {
                    try body(access, Fixture.log.databases)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }

        @Sendable private static func symbols(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let isCompressed = parts.byte() & 1 != 0
            // No journal has more.
            let first = UInt32(parts.number(4)) & Limits.symbols
            let key = JournalKeys.symbol(first)
            var content = parts.bytes(Int(parts.byte()) % 12)
            if try !isCompressed
                || !Compressor().compress(Array(parts.rest), appendingTo: &content)
            {
                content += parts.rest
            }
            content.appendFixed(XXH64.of(.symbol, key: key.span, content: content.span))
            try withTransaction { access, databases in
                try access.put(databases.symbols, key.span, content.span)
                var cursor = try Cursor(access, databases.symbols)
                guard try cursor.seek(key.span) else { throw Finding("a record is not there") }
                let block = try SymbolBlocks.read(at: cursor, Decompressor())
                for index in 0..<block.count { _ = block[index] }
                let cache = SymbolCache()
                for number in [first, first &+ 1, first &+ UInt32(block.count) &- 1] {
                    _ = try cache.symbol(number, access, databases.symbols, Decompressor.init)
                }
            }
        }

        /// One of the records that there are few of.
        @Sendable private static func record(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let kind = parts.byte()
            var content = Array(parts.rest)
            let (headKey, sealedKey) = (HeadRecord.key, Sealed.key)
            let (identityKey, leadKey) = (IdentityRecord.key, LeadRecord.key)
            try withTransaction { access, databases in
                switch kind % 5 {
                case 0:
                    try access.putRecord(databases.meta, headKey.span, &content)
                    let head = try HeadRecord.read(access, databases)
                    try HeadRecord.put(head, access, databases)
                    try expect(
                        try HeadRecord.read(access, databases) == head,
                        "a head that is written again says otherwise")
                case 1:
                    try access.putRecord(databases.meta, sealedKey.span, &content)
                    let sealed = try Sealed.read(access, databases)
                    try sealed.put(access, databases)
                    try expect(
                        try Sealed.read(access, databases) == sealed,
                        "what is sealed, written again, says otherwise")
                case 2:
                    let type = try TypeRecord(stored: content.span, 1)
                    var written: [UInt8] = []
                    type.write(to: &written)
                    try expect(written == content, "a type is written otherwise than it was read")
                case 3:
                    try access.putRecord(databases.meta, identityKey.span, &content)
                    _ = try IdentityRecord.read(access, databases)
                default:
                    try access.putRecord(databases.meta, leadKey.span, &content)
                    let lead = try LeadRecord.read(access, databases)
                    for instant in [Int64.min, -1, 0, .max].map({ Instant(milliseconds: $0) }) {
                        _ = lead.allows(instant, recordedAt: Instant(milliseconds: 1))
                        _ = lead.allows(Instant(milliseconds: 1), recordedAt: instant)
                    }
                    try LeadRecord.put(lead, access, databases)
                    try expect(
                        try LeadRecord.read(access, databases) == lead,
                        "a lead that is written again says otherwise")
                }
            }
        }
    }
#endif
