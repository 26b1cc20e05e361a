import CLMDB
import Core
import Glibc
import Synchronization

/// One LMDB environment: one file, opened once in this process (`EnvironmentRegistry`).
///
/// Growing the map is only allowed while no transaction is open, so every transaction passes
/// `gate`.
@safe
final class LMDBEnvironment: Sendable {
    /// Readers that ended but keep their slot, ready to be renewed.
    private struct Gate: ~Copyable {
        var open = 0
        var idle: [UInt] = []
    }

    /// Addresses, of the 128 TiB of a process: a thousand files fit, and 32 GiB are written before the map grows.
    static let leastMapBytes = 1 << 36

    let file: StoreFile
    let path: String
    /// Where it was opened last: a directory may be moved.
    let place: Mutex<String>
    let isReadOnly: Bool
    let identity: FileIdentity
    let writerLock: WriterLock
    /// Nil where commits are flushed by LMDB alone.
    let log: WriteAheadLog?
    nonisolated(unsafe) let raw: OpaquePointer
    let process: pid_t
    let pageBytes: UInt
    /// Of the lock file; negative where nobody asks for other programs.
    let lockDescriptor: CInt
    /// What waited in the log of another program when this one opened the file.
    let foreign = Mutex(WriteAheadLog.Waiting())
    private let gate = Mutex(Gate())
    let broken = Atomic<Bool>(false)
    let flushing = Mutex<Void>(())
    /// The registry waits for the end of this one.
    let isRegistered = Atomic<Bool>(false)
    private let commits = Atomic<UInt>(0)
    let hasLock: Bool
    /// Address of page 0 in memory, or 0 before the first record was seen.
    let mapStart = Atomic<UInt>(0)
    /// Nil before somebody asked, and where the map has moved since.
    let mapped = Mutex<MappedFile?>(nil)
    /// The list of free pages was looked at.
    let hasSeenFree = Atomic<Bool>(false)
    /// All of it was walked, for a record with more pages than it needs (`WriteCheck.swift`).
    let isWalked = Atomic<Bool>(false)
    private let databases = Mutex<JournalDatabases?>(nil)
    private let tables = Mutex<ViewTables?>(nil)

    /// Opens the file; only the registry calls this.
    init(
        _ file: StoreFile, at path: String, identity: FileIdentity, isReadOnly: Bool,
        mapBytes: Int, writerLock: WriterLock, hasLog: Bool = true, flushes: Bool = true
    ) throws(JournalError) {
        var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
        // The views can be made again: losing their last commit is allowed, damaging them not.
        if file == .views { flags |= UInt32(MDB_NOMETASYNC) }
        if !flushes { flags |= UInt32(MDB_NOSYNC) }
        if isReadOnly { flags |= UInt32(MDB_RDONLY) }
        // Growing waits for a moment without readers: begin with room for as much again.
        var bytes = mapBytes
        if case .file(let length) = try FileSystem.entry(at: path) {
            bytes = max(bytes, 4 * length)
        }
        while true {
            do throws(JournalError) {
                unsafe raw = try Self.open(file, at: path, flags: flags, mapBytes: bytes)
                break
            } catch {
                if error.code == ENOMEM, bytes > 1 << 28 {
                    bytes /= 2  // little address space: ask for less, grow when needed
                } else if isReadOnly,
                    [EACCES, EPERM, ENOSPC, EDQUOT, EFBIG].contains(error.code),
                    flags & UInt32(MDB_NOLOCK) == 0
                {
                    // What that costs: docs/journal-format.md, "Reading without a lock".
                    flags |= UInt32(MDB_NOLOCK)
                } else {
                    throw error
                }
            }
        }
        self.file = file
        self.path = path
        place = Mutex(path)
        self.identity = identity
        self.isReadOnly = isReadOnly
        self.writerLock = writerLock
        log = hasLog && file == .journal && !isReadOnly ? WriteAheadLog(beside: path) : nil
        self.process = getpid()
        var statistics = MDB_stat()
        _ = unsafe mdb_env_stat(raw, &statistics)
        let page = UInt(statistics.ms_psize)
        self.pageBytes = page.nonzeroBitCount == 1 ? page : 4096
        hasLock = flags & UInt32(MDB_NOLOCK) == 0
        lockDescriptor =
            hasLog && file == .journal && hasLock ? Self.lockDescriptor(beside: path) : -1
        dropDeadReaders()
    }

    deinit {
        guard process == getpid() else { return }  // a forked child must leave it alone
        removeLog()
        gate.withLock { gate in
            for idle in gate.idle { unsafe mdb_txn_abort(OpaquePointer(bitPattern: idle)) }
            gate.idle = []
        }
        unsafe mdb_env_close(raw)
        if lockDescriptor >= 0 { close(lockDescriptor) }
        if isRegistered.load(ordering: .acquiring) { EnvironmentRegistry.closed(identity) }
    }

    private static func open(
        _ file: StoreFile, at path: String, flags: UInt32, mapBytes: Int
    ) throws(JournalError) -> OpaquePointer {
        var created: OpaquePointer?
        var code = unsafe mdb_env_create(&created)
        guard code == 0, let environment = unsafe created else {
            throw .failed("mdb_env_create", code, in: file, at: path)
        }
        if flags & UInt32(MDB_NOLOCK) == 0 { code = Self.reserveLock(beside: path) }
        if code == 0 { code = unsafe mdb_env_set_maxreaders(environment, UInt32(mostReaders)) }
        if code == 0 { code = unsafe mdb_env_set_maxdbs(environment, 1024) }
        if code == 0 { code = unsafe mdb_env_set_mapsize(environment, mapBytes) }
        if code == 0 { code = unsafe mdb_env_open(environment, path, flags, 0o600) }
        guard code == 0 else {
            unsafe mdb_env_close(environment)
            throw .failed("opening", code, in: file, at: path)
        }
        return unsafe environment
    }

    /// The databases of a journal, opened once for all who share the environment.
    var journalDatabases: JournalDatabases? { databases.withLock { $0 } }

    /// `waiting`: what another program has in its log alone.
    func setJournalDatabases(_ opened: JournalDatabases, waiting: WriteAheadLog.Waiting?) {
        databases.withLock { $0 = opened }
        if let waiting { foreign.withLock { $0 = waiting } }
    }

    /// The tables of the views, known to all who share the environment.
    var viewTables: ViewTables? { tables.withLock { $0 } }

    func setViewTables(_ opened: ViewTables) {
        tables.withLock { $0 = opened }
    }

    func failed(_ operation: String, _ code: CInt) -> JournalError {
        .failed(operation, code, in: file, at: path)
    }

    // MARK: Transactions

    var isOfThisProcess: Bool { process == getpid() }

    /// The map cannot move meanwhile.
    func withGate<R>(_ body: () -> sending R) -> sending R { gate.withLock { _ in body() } }

    private func checkProcess() throws(JournalError) {
        guard process == getpid() else {
            throw JournalError(
                .inputOutput, "\(path): used in a forked process",
                advice: "open the journal again after a fork")
        }
    }

    func beginRead(
        isPooled: Bool, mayBeBehind: Bool
    ) throws(JournalError) -> OpaquePointer {
        try checkProcess()
        if !mayBeBehind { try log?.putWaiting(self) }
        var attempts = 0
        while true {
            attempts += 1
            let (code, transaction) = unsafe startReader(isPooled: isPooled)
            if let transaction = unsafe transaction { return unsafe transaction }
            guard code == MDB_MAP_RESIZED, attempts < 10 else {
                throw failed("beginning to read", code)
            }
            try setMapBytes(0)  // another process grew it: take its size
        }
    }

    /// `gate` is held while a reader begins, so that the map cannot move meanwhile.
    private func startReader(isPooled: Bool) -> (CInt, OpaquePointer?) {
        let (code, bits) = gate.withLock { gate -> (CInt, UInt) in
            var transaction =
                unsafe isPooled
                ? gate.idle.popLast().flatMap { unsafe OpaquePointer(bitPattern: $0) } : nil
            let code: CInt
            if let idle = unsafe transaction {
                code = unsafe mdb_txn_renew(idle)
                if code != 0 {
                    unsafe mdb_txn_abort(idle)
                    unsafe transaction = nil
                }
            } else {
                code = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
            }
            guard code == 0, let started = unsafe transaction else { return (code, 0) }
            gate.open += 1
            return (0, UInt(bitPattern: started))
        }
        return unsafe (code, OpaquePointer(bitPattern: bits))
    }

    func endRead(_ transaction: OpaquePointer, isPooled: Bool, keepsHandles: Bool) {
        guard process == getpid() else { return }
        guard isPooled else {
            if keepsHandles {
                _ = unsafe mdb_txn_commit(transaction)
            } else {
                unsafe mdb_txn_abort(transaction)
            }
            gate.withLock { $0.open -= 1 }
            return
        }
        unsafe mdb_txn_reset(transaction)
        let bits = UInt(bitPattern: transaction)
        gate.withLock { gate in
            gate.open -= 1
            if gate.idle.count < 16 {
                gate.idle.append(bits)
            } else {
                unsafe mdb_txn_abort(OpaquePointer(bitPattern: bits))
            }
        }
    }

    /// Runs `body`, a write transaction that can wait for another time, under the lock of writers; `busy` if others keep
    /// writing for longer.
    func writing<R>(
        waitMilliseconds: Int = 2000, _ body: () throws(JournalError) -> R
    ) throws(JournalError) -> R {
        try writerLock.lock(waitMilliseconds: waitMilliseconds)
        defer { writerLock.unlock() }
        return try body()
    }

    func beginWrite(isPuttingWaiting: Bool) throws(JournalError) -> OpaquePointer {
        try checkProcess()
        if file == .journal { try checkInPlace() }
        if !isPuttingWaiting { try log?.putWaiting(self) }
        guard !isReadOnly else {
            throw JournalError(
                .readOnly, "\(path): opened for reading only", advice: "open it for writing")
        }
        guard !broken.load(ordering: .acquiring) else { throw failedBefore }
        var attempts = 0
        while true {
            attempts += 1
            gate.withLock { $0.open += 1 }  // before LMDB's own wait for the other writer
            var transaction: OpaquePointer?
            let code = unsafe mdb_txn_begin(raw, nil, 0, &transaction)
            if code == 0, let transaction = unsafe transaction {
                let others: LogTail?
                do throws(JournalError) {
                    try unsafe TransactionAccess.writing(self, transaction).checkLists()
                    others = try unsafe log?.enter(self, transaction)
                } catch {
                    unsafe abort(transaction)
                    throw error
                }
                guard let others else { return unsafe transaction }
                try unsafe log?.adopt(others, self, transaction)
                continue
            }
            endWrite()
            guard code == MDB_MAP_RESIZED, attempts < 10 else {
                throw failed("beginning to write", code)
            }
            try setMapBytes(0)
        }
    }

    /// A write transaction was committed or aborted.
    func endWrite() {
        gate.withLock { $0.open -= 1 }
    }

    func abort(_ transaction: OpaquePointer) {
        guard process == getpid() else { return }
        unsafe mdb_txn_abort(transaction)
        endWrite()
    }

    /// `isLogged`: it is durable already, by the log.
    func commit(_ transaction: OpaquePointer, isLogged: Bool = false) throws(JournalError) {
        if isLogged { _ = unsafe mdb_env_set_flags(raw, UInt32(MDB_NOSYNC), 1) }
        let code = unsafe mdb_txn_commit(transaction)
        // Still under the lock of writers: nobody else commits meanwhile.
        if isLogged { _ = unsafe mdb_env_set_flags(raw, UInt32(MDB_NOSYNC), 0) }
        endWrite()
        guard code != 0 else {
            let count = commits.wrappingAdd(1, ordering: .relaxed).newValue
            if count.isMultiple(of: Self.commitsPerReaderCheck) { dropDeadReaders() }
            return
        }
        // LMDB reports a write that was cut short by a full disk as EIO.
        if code == EIO, let free = FileSystem.freeBytes(at: path), free < 1 << 20 {
            throw failed("committing", ENOSPC)
        }
        if code != ENOSPC && code != EDQUOT && code != MDB_MAP_FULL && code != ENOMEM {
            broken.store(true, ordering: .releasing)  // after EIO: never try the flush again
            if !isLogged { log?.noteFailedFlush() }
        }
        throw failed("committing", code)
    }

    // MARK: Readers

    /// Pages that a program read from when it was killed stay in use until somebody looks: a journal whose writer never
    /// did would grow with every commit.
    private static let commitsPerReaderCheck: UInt = 64

    /// Gives the pages back that ended programs held.
    func dropDeadReaders() {
        guard hasLock else { return }
        var dead: CInt = 0
        _ = unsafe mdb_reader_check(raw, &dead)
    }

    // MARK: The map

    /// Doubles the map after `MDB_MAP_FULL`.
    func growMap() throws(JournalError) {
        let bytes = information().mapBytes
        guard bytes < 1 << 46 else {
            throw failed("growing", MDB_MAP_FULL)
        }
        try setMapBytes(bytes * 2)
    }

    /// Doubles the map if more than half of it is used and nobody is in the way; answers what was.
    func growScarceMap() -> JournalError? {
        let bytes = information().mapBytes
        guard usedBytes() > UInt(bytes) / 2 else { return nil }
        do throws(JournalError) {
            try growMap()
            return nil
        } catch {
            return error
        }
    }

    /// Waits, but not for ever, until no transaction is open in this process.
    private func setMapBytes(_ bytes: Int) throws(JournalError) {
        var waited = 0
        while true {
            let code = gate.withLock { gate -> CInt in
                guard gate.open == 0 else { return EBUSY }
                // LMDB gives its map up before it asks for another.
                let wanted = bytes > 0 ? bytes : MetaPages.mapBytes(path)
                guard AddressSpace.hasRoom(for: wanted) else { return ENOMEM }
                for idle in gate.idle { unsafe mdb_txn_abort(OpaquePointer(bitPattern: idle)) }
                gate.idle = []
                mapStart.store(0, ordering: .relaxed)
                mapped.withLock { $0 = nil }
                return unsafe mdb_env_set_mapsize(raw, bytes)
            }
            if code == 0 { return }
            guard code == EBUSY, waited < 5000 else { throw failed("growing the map", code) }
            usleep(1000)
            waited += 1
        }
    }

    /// Read from the map, which must not move meanwhile.
    func information() -> (mapBytes: Int, lastPage: UInt, lastCommit: UInt64) {
        gate.withLock { _ in
            var information = unsafe MDB_envinfo()
            _ = unsafe mdb_env_info(raw, &information)
            return unsafe (
                Int(information.me_mapsize), UInt(information.me_last_pgno),
                UInt64(information.me_last_txnid)
            )
        }
    }
}
