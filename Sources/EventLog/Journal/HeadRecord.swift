import Events

/// The record `head` in `meta`: where the journal stands, 51 bytes.
enum HeadRecord {
    static let key = [UInt8]("head".utf8)
    static let byteCount = 51

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

    private static func head(_ bytes: Span<UInt8>) throws(Malformed) -> Head {
        guard bytes.count == byteCount else { throw Malformed("of another length") }
        var offset = 0
        let head = Head(
            position: Position(try bytes.fixed(8, &offset)),
            symbolCount: UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset)),
            typeCount: UInt16(truncatingIfNeeded: try bytes.fixed(2, &offset)),
            clock: Clock(
                instant: Instant(milliseconds: Int64(bitPattern: try bytes.fixed(8, &offset))),
                inclusive: try bytes.fixed(1, &offset) != 0),
            frameCount: try bytes.fixed(8, &offset),
            chain: try bytes.checksum(&offset),
            ordinal: UInt32(truncatingIfNeeded: try bytes.fixed(4, &offset)))
        guard head.position.number < Limits.positions, head.symbolCount <= Limits.symbols else {
            throw Malformed("beyond its limits")
        }
        return head
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
