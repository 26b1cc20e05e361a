import CLMDB
import Core
import Testing

@testable import EventLog

/// Changes records behind the journal's back, as a failing disk would.
struct Surgery {
    struct Record {
        var database: Database
        var key: [UInt8]
        var stored: [UInt8]
    }

    let journal: Journal

    func records() throws -> [Record] {
        var found: [Record] = []
        let transaction = try ReadTransaction(journal.environment)
        for database in journal.databases.all {
            var cursor = try Cursor(transaction.access, database)
            var isThere = try cursor.first()
            while isThere {
                unsafe found.append(
                    Record(
                        database: database, key: Array(cursor.key), stored: Array(cursor.stored)))
                isThere = try cursor.next()
            }
        }
        return found
    }

    func replace(_ old: Record, with new: Record?) throws {
        let transaction = try WriteTransaction(journal.environment)
        try transaction.withAccess { access throws(JournalError) in
            try access.delete(old.database, old.key.span)
            if let new { try access.put(new.database, new.key.span, new.stored.span) }
        }
        try transaction.commit()
    }
}
