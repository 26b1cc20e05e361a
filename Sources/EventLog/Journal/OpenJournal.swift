import Core

/// How `journal.mdb` is opened: checked as a file first, then by LMDB.
enum OpenJournal {
    static func environment(
        _ directory: JournalDirectory, identity: String, isReadOnly: Bool,
        mapBytes: Int = LMDBEnvironment.leastMapBytes
    ) throws(JournalError) -> (LMDBEnvironment, JournalDatabases) {
        let path = directory.journalPath
        guard case .file = try FileSystem.entry(at: path) else {
            throw .damaged("\(path) is not there")
        }
        let environment = try EnvironmentRegistry.open(
            .journal, at: path, lockPath: directory.lockPath, isReadOnly: isReadOnly,
            mapBytes: mapBytes,
            recover: { () throws(JournalError) in
                let hold = try LogRecovery(directory, identity: identity).run()
                try MetaPages.check(path, .journal)
                return hold
            }
        ) { environment throws(JournalError) in
            try PageCheck.check(opened: environment)
            let databases = try JournalDatabases.open(environment)
            let transaction = try ReadTransaction(environment)
            let stored = try IdentityRecord.read(transaction.access, databases)
            guard Hex.text(stored) == identity else {
                throw .damaged("FORMAT and journal.mdb belong to different journals")
            }
            let head = try HeadRecord.read(transaction.access, databases)
            let tail = try LogTail(of: directory.logPath, identity: stored, after: head)
            environment.setJournalDatabases(databases, waiting: tail?.waiting)
        }
        guard let databases = environment.journalDatabases else {
            throw .damaged("\(path) is not open as a journal")
        }
        return (environment, databases)
    }
}
