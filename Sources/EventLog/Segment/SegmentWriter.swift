import CLMDB

/// Writes the pages of one segment, entries in ascending order kind by kind.
struct SegmentWriter {
    private let access: TransactionAccess
    private let database: Database
    private let segment: UInt32
    private var page: SegmentPage?
    private var last: (kind: SegmentKind, entry: SegmentEntry)?
    /// Entries so far.
    private(set) var entries: UInt64 = 0

    init(_ access: TransactionAccess, _ database: Database, segment: UInt32) {
        self.access = access
        self.database = database
        self.segment = segment
    }

    /// Adds an entry; the same one twice counts once.
    mutating func add(_ kind: SegmentKind, _ entry: SegmentEntry) throws(JournalError) {
        if let last, last.kind == kind, last.entry == entry { return }
        last = (kind, entry)
        entries += 1
        if page?.key.kind != kind { try endKind() }
        if page?.isFull == true { try endPage(before: entry) }
        if page == nil { page = SegmentPage(kind, segment, beginningAt: entry) }
        page?.add(entry)
    }

    /// Ends the page so that one beginning with `next` follows; nil: none of its kind does.
    mutating func endPage(before next: SegmentEntry?) throws(JournalError) {
        guard var page else { return }
        self.page = nil
        let key = page.key.bytes
        var content = page.finish(before: next ?? .end)
        content.appendFixed(Self.hash(key.span, content.span))
        try access.put(database, key.span, content.span)
    }

    mutating func endKind() throws(JournalError) {
        try endPage(before: nil)
    }

    static func hash(_ key: Span<UInt8>, _ content: Span<UInt8>) -> UInt64 {
        XXH64.of(.index, key: key, content: content)
    }
}
