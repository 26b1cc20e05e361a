import CLMDB
import Core
import Glibc
import Synchronization

/// LMDB's handles for the tables in `views.mdb`, each a database of its own, opened when met.
///
/// LMDB lets only one transaction at a time open handles; `isOpening` says that one does.
final class ViewTables: Sendable {
    private struct State {
        var tables: [UInt16: Database] = [:]
        var isOpening = false
    }

    private let state = Mutex(State())
    let meta: Database

    init(meta: Database) {
        self.meta = meta
    }

    static func name(_ table: UInt16) -> String { "table.\(table)" }

    func table(_ number: UInt16) -> Database? { state.withLock { $0.tables[number] } }

    /// The table as a read transaction may see it; a table made after the transaction began is
    /// not there for it.
    func table(_ number: UInt16, in access: TransactionAccess) -> Database? {
        guard let table = table(number), access.canRead(table) else { return nil }
        return table
    }

    /// Whether the transaction sees tables that have no handle yet.
    func isBehind(_ access: TransactionAccess) throws(JournalError) -> Bool {
        let entries = try Int(access.statistics(.main).ms_entries)
        return entries > state.withLock { $0.tables.count } + 1
    }

    /// Claims the right to open handles; waits for the one who has it, but not for ever.
    func beginOpening() throws(JournalError) {
        var waited = 0
        while true {
            let isMine = state.withLock { state in
                if state.isOpening { return false }
                state.isOpening = true
                return true
            }
            if isMine { return }
            guard waited < 10_000 else {
                throw JournalError(
                    .busy, "the stored views: a long write is making tables",
                    advice: "try again later")
            }
            usleep(1000)
            waited += 1
        }
    }

    /// Gives the right back; the transaction that opened these has been committed.
    func endOpening(_ opened: [UInt16: Database]) {
        state.withLock { state in
            state.isOpening = false
            state.tables.merge(opened) { _, new in new }
        }
    }

    /// Opens handles for the tables that other processes made.
    func refresh(_ environment: LMDBEnvironment) throws(JournalError) {
        try beginOpening()
        var opened: [UInt16: Database] = [:]
        defer { endOpening(opened) }
        opened = try environment.withHandleTransaction(writing: false) {
            access throws(JournalError) in
            var found: [UInt16: Database] = [:]
            for number in try Self.numbers(access) {
                let table = try access.open(Self.name(number), .view, table: number)
                // Its records tell the number, too: a table with a flipped bit in its name would
                // be missing where it belongs.
                var cursor = try Cursor(access, table)
                if try cursor.first() { try cursor.withRecord { _, _ in } }
                found[number] = table
            }
            return found
        }
    }

    /// The tables that are listed; nothing else is, but `meta`.
    private static func numbers(_ access: TransactionAccess) throws(JournalError) -> [UInt16] {
        var numbers: [UInt16] = []
        var cursor = try Cursor(access, .main)
        var found = try cursor.first()
        while found {
            let name = unsafe String(decoding: cursor.key, as: UTF8.self)
            if let number = UInt16(name.dropFirst(6)), name == Self.name(number) {
                numbers.append(number)
            } else if name != "meta" {
                throw access.environment.file.damaged("a table of an unknown name")
            }
            found = try cursor.next()
        }
        return numbers
    }
}
