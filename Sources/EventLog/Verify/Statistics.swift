import CLMDB

extension Statistics {
    init(
        _ access: TransactionAccess, _ databases: JournalDatabases, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        var found: [Database] = []
        var pageBytes = 4096
        var usedPages = 0
        for database in databases.all {
            let statistics = try access.statistics(database)
            pageBytes = Int(statistics.ms_psize)
            let pages = Int(
                statistics.ms_branch_pages + statistics.ms_leaf_pages
                    + statistics.ms_overflow_pages)
            usedPages += pages
            found.append(
                Database(
                    name: database.name, entries: Int(statistics.ms_entries),
                    bytes: pages * pageBytes))
        }
        self.databases = found
        guard case .file(let length) = try FileSystem.entry(at: environment.path) else {
            throw environment.file.damaged("\(environment.path) is gone")
        }
        fileBytes = length
        // Two meta pages and, roughly, the pages of LMDB's own two trees.
        oldestReader = environment.oldestReader()
        freeBytes = max(0, Int(environment.usedBytes()) - (usedPages + 4) * pageBytes)
    }
}
