package import Core

/// The record `head` in `meta`: where the journal stands, 59 bytes.
enum HeadRecord {
    static let key = [UInt8]("head".utf8)
    static let byteCount = 59

    static func put(
        _ head: Head, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        let key = Self.key
        var content: [UInt8] = []
        content.reserveCapacity(byteCount + 8)
        write(head, to: &content)
        try access.putRecord(databases.meta, key.span, &content)
    }

    private static func write(_ head: Head, to bytes: inout [UInt8]) {
        bytes.appendFixed(head.position.number)
        bytes.appendFixed(head.symbolCount)
        bytes.appendFixed(head.typeCount)
        bytes.appendFixed(head.clock.instant.milliseconds)
        bytes.append(head.clock.inclusive ? 1 : 0)
        bytes.appendFixed(head.frameCount)
        bytes.appendChecksum(head.chain)
        bytes.appendFixed(head.ordinal)
        bytes.appendFixed(head.slotCount)
        bytes.appendFixed(head.term)
    }

    static func read(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> Head {
        let key = Self.key
        let found = try access.record(databases.meta, key.span) { content throws(JournalError) in
            do throws(Malformed) {
                return try head(content)
            } catch {
                throw .damaged("the head record is \(error.what)")
            }
        }
        guard let found else { throw .damaged("there is no head record") }
        return found
    }

    /// As it is stored, with its checksum; nil if it is damaged.
    static func head(stored: Span<UInt8>) -> Head? {
        guard stored.count == byteCount + 8 else { return nil }
        let content = stored.extracting(0..<byteCount)
        let key = Self.key
        var offset = byteCount
        guard
            (try? stored.fixed(8, &offset))
                == Checksum.of(.meta, key: key.span, content: content).high
        else { return nil }
        return try? head(content)
    }

    private static func head(_ bytes: Span<UInt8>) throws(Malformed) -> Head {
        guard bytes.count == byteCount else { throw Malformed("of another length") }
        var offset = 0
        var head = Head.empty
        head.position = Position(try bytes.fixed(8, &offset))
        head.symbolCount = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        head.typeCount = UInt16(truncatingIfNeeded: try bytes.fixed(2, &offset))
        head.clock = JournalClock(
            instant: Instant(milliseconds: Int64(bitPattern: try bytes.fixed(8, &offset))),
            inclusive: try bytes.fixed(1, &offset) != 0)
        head.frameCount = try bytes.fixed(8, &offset)
        head.chain = try bytes.checksum(&offset)
        head.ordinal = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        head.slotCount = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        head.term = UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset))
        guard head.position.number < Limits.positions, head.symbolCount <= Limits.symbols,
            head.slotCount <= Limits.keySlots
        else {
            throw Malformed("beyond its limits")
        }
        return head
    }
}

/// The record `lead` in `meta`: how far a command's instant may lie ahead of the clock of the recorder
/// it, `i64` milliseconds; −1: as far as it likes.
enum LeadRecord {
    static let key = [UInt8]("lead".utf8)

    static func put(
        _ lead: Lead, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        let key = Self.key
        var content: [UInt8] = []
        content.appendFixed(lead.milliseconds ?? -1)
        try access.putRecord(databases.meta, key.span, &content)
    }

    static func read(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> Lead {
        let key = Self.key
        let found = try access.record(databases.meta, key.span) { content throws(JournalError) in
            var offset = 0
            guard content.count == 8, let number = try? content.fixed(8, &offset) else {
                throw .damaged("the record of the lead is of another length")
            }
            return Int64(bitPattern: number)
        }
        guard let found else { throw .damaged("there is no record of the lead") }
        return found < 0 ? .unbounded : Lead(milliseconds: found)
    }
}

/// How far a command's instant may lie ahead of the recorder's clock.
package struct Lead: Hashable, Sendable {
    /// Nil: as far as it likes, for tests and for what never happened.
    package let milliseconds: Int64?

    package static let standard = Lead(milliseconds: 300_000)
    package static let unbounded = Lead(milliseconds: nil)

    package init(milliseconds: Int64?) {
        self.milliseconds = milliseconds
    }

    package var seconds: Int? { milliseconds.map { Int($0 / 1000) } }

    /// Whether a command recorded at `recordedAt` may say that it happens at `at`.
    package func allows(_ at: Instant, recordedAt: Instant) -> Bool {
        guard let milliseconds else { return true }
        let (latest, overflow) = recordedAt.milliseconds.addingReportingOverflow(milliseconds)
        return overflow || at.milliseconds <= latest
    }
}

/// The record `identity` in `meta`: the journal's 16 random bytes, as `FORMAT` has them.
enum IdentityRecord {
    static let key = [UInt8]("identity".utf8)

    static func read(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> [UInt8] {
        let key = Self.key
        let found = try access.record(databases.meta, key.span) { content throws(JournalError) in
            content.copy()
        }
        guard let found else { throw .damaged("there is no identity record") }
        return found
    }
}
