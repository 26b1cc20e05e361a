import CLMDB

/// LMDB's handles for the databases in `journal.mdb`.
struct JournalDatabases: Sendable {
    let frames: Database
    let symbols: Database
    let types: Database
    let dictionaries: Database
    let segments: Database
    let tree: Database
    let meta: Database

    var all: [Database] { [frames, symbols, types, dictionaries, segments, tree, meta] }

    /// Opens all seven; `creating` makes them first.
    static func open(
        _ environment: LMDBEnvironment, creating: Bool = false
    ) throws(JournalError) -> JournalDatabases {
        try environment.withHandleTransaction(writing: creating) { access throws(JournalError) in
            JournalDatabases(
                frames: try access.open("frames", .frame, creating: creating),
                symbols: try access.open("symbols", .symbol, creating: creating),
                types: try access.open("types", .type, creating: creating),
                dictionaries: try access.open("dictionaries", .dictionary, creating: creating),
                segments: try access.open("segments", .index, creating: creating),
                tree: try access.open("tree", .tree, creating: creating),
                meta: try access.open("meta", .meta, creating: creating))
        }
    }
}

extension LMDBEnvironment {
    /// Runs `body` in a transaction that keeps the handles it opens. Not to be called by two
    /// threads at once.
    func withHandleTransaction<R>(
        writing: Bool, _ body: (TransactionAccess) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        if writing {
            let transaction = try WriteTransaction(self)
            let result = try transaction.withAccess(body)
            try transaction.commit()
            return result
        }
        let transaction = try ReadTransaction(self, isPooled: false)
        let result = try body(transaction.access)
        transaction.keepHandles()
        return result
    }
}
