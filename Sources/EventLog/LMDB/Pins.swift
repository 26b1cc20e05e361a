import CLMDB
import Glibc
import Synchronization

/// What the log needs of LMDB.
extension LMDBEnvironment {
    /// Keeps the pages of the last commit's state from being used again, until `endPin`. It reads nothing: the map may
    /// grow meanwhile.
    func beginPin() throws(JournalError) -> UInt {
        let (code, pin) = withGate { () -> (CInt, UInt) in
            var transaction: OpaquePointer?
            let code = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
            return (code, UInt(bitPattern: transaction))
        }
        guard code == 0, pin != 0 else { throw failed("beginning to read", code) }
        return pin
    }

    func endPin(_ pin: UInt) {
        guard pin != 0, isOfThisProcess else { return }
        withGate { unsafe mdb_txn_abort(OpaquePointer(bitPattern: pin)) }
    }

    /// The number of the commit whose state a pin keeps.
    func pinned(_ pin: UInt) -> UInt64 {
        unsafe UInt64(mdb_txn_id(OpaquePointer(bitPattern: pin)))
    }

    /// Makes all commits so far durable. One at a time: of two that wait for the same pages Linux tells one that they
    /// could not be written.
    func flush() throws(JournalError) {
        try flushing.withLock { (_) throws(JournalError) in
            guard !broken.load(ordering: .acquiring) else { throw failedBefore }
            try breaking { () throws(JournalError) in
                let code = unsafe mdb_env_sync(raw, 1)
                guard code == 0 else { throw failed("flushing", code) }
            }
        }
    }

    /// Of whoever goes on behind a failure that leaves open what is on the disk.
    var failedBefore: JournalError {
        JournalError(
            .inputOutput, "\(path): an earlier commit failed with an input/output error",
            advice: "check the disk, then start the program again")
    }

    /// Runs `body`; after a failure nothing is written any more: what is on the disk is unknown, and a flush that
    /// failed must not be tried again.
    func breaking(_ body: () throws(JournalError) -> Void) throws(JournalError) {
        do throws(JournalError) {
            try body()
        } catch {
            broken.store(true, ordering: .releasing)
            throw error
        }
    }

    /// Whether the file is where it was opened. Where its directory was replaced, what lies beside it belongs to another
    /// journal.
    var isInPlace: Bool {
        let place = place.withLock { $0 }
        return (try? FileSystem.identity(of: place)) == identity
    }

    /// What is written to a file that nobody opens any more is lost, and its keys would go beside another journal.
    func checkInPlace() throws(JournalError) {
        guard !isInPlace else { return }
        throw JournalError(
            .inputOutput, "\(path): another file, or none, stands where the journal was opened",
            advice: "open the journal again")
    }

    /// Flushes what the log has, and removes it; what fails leaves it to whoever opens the journal next.
    func removeLog() {
        guard let log, log.isOpen, isInPlace, !broken.load(ordering: .acquiring) else { return }
        try? asWriter(waitMilliseconds: 500) { () throws(JournalError) in try log.remove(self) }
    }

    /// Runs `body` while nobody else writes; it writes nothing to the file itself.
    func asWriter<R>(
        waitMilliseconds: Int = 2000, _ body: () throws(JournalError) -> R
    ) throws(JournalError) -> R {
        try writing(waitMilliseconds: waitMilliseconds) { () throws(JournalError) in
            let transaction = try WriteTransaction(self)
            let result = try body()
            _ = consume transaction
            return result
        }
    }
}
