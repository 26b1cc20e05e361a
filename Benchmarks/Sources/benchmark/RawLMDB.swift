import CLMDB
import Glibc

/// What a careful C program would do with LMDB alone: one log record and one index record an event,
/// flushed at each commit. No checksums, no compression, no tags, no command ids, no conditions.
@safe
final class RawLMDB: @unchecked Sendable {
    struct Failure: Error {
        let code: CInt
    }

    let path: String
    private let environment: OpaquePointer
    private let log: MDB_dbi
    private let index: MDB_dbi
    private let small: MDB_dbi

    init(at path: String) throws {
        self.path = path
        var created: OpaquePointer?
        try Self.check(unsafe mdb_env_create(&created))
        guard let environment = unsafe created else { throw Failure(code: ENOMEM) }
        unsafe self.environment = environment
        try Self.check(unsafe mdb_env_set_mapsize(environment, 1 << 36))
        try Self.check(unsafe mdb_env_set_maxdbs(environment, 4))
        // No flags but the one that lets `path` be a file: the same durability as the journal's.
        try Self.check(unsafe mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600))
        var transaction: OpaquePointer?
        try Self.check(unsafe mdb_txn_begin(environment, nil, 0, &transaction))
        var handles: [MDB_dbi] = []
        for name in ["log", "index", "small"] {
            var handle = MDB_dbi()
            try Self.check(unsafe mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &handle))
            handles.append(handle)
        }
        (log, index, small) = (handles[0], handles[1], handles[2])
        try Self.check(unsafe mdb_txn_commit(transaction))
    }

    deinit { unsafe mdb_env_close(environment) }

    private static func check(_ code: CInt) throws {
        if code != 0 { throw Failure(code: code) }
    }

    /// One transaction with all these events.
    func append(_ events: ArraySlice<RawEvent>) throws {
        var transaction: OpaquePointer?
        try Self.check(unsafe mdb_txn_begin(environment, nil, 0, &transaction))
        for event in events {
            var place = BigEndianKey(event.position)
            var address = BigEndianKey(UInt64(event.stream) << 32 | UInt64(event.revision))
            try unsafe place.withValue { key in
                try unsafe event.record.withUnsafeBytes { bytes in
                    var value = unsafe MDB_val(bytes)
                    try Self.check(
                        unsafe mdb_put(transaction, log, key, &value, UInt32(MDB_APPEND)))
                }
                try unsafe address.withValue {
                    try Self.check(unsafe mdb_put(transaction, index, $0, key, 0))
                }
            }
        }
        try Self.check(unsafe mdb_txn_commit(transaction))
    }

    /// A commit with next to nothing in it: what a flush costs with LMDB.
    func commitSmall(_ number: UInt64) throws {
        var transaction: OpaquePointer?
        try Self.check(unsafe mdb_txn_begin(environment, nil, 0, &transaction))
        var key = BigEndianKey(1)
        var value = BigEndianKey(number)
        try unsafe key.withValue { key in
            try unsafe value.withValue {
                try Self.check(unsafe mdb_put(transaction, small, key, $0, 0))
            }
        }
        try Self.check(unsafe mdb_txn_commit(transaction))
    }

    private func read<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
        var transaction: OpaquePointer?
        try Self.check(unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        guard let transaction = unsafe transaction else { throw Failure(code: EINVAL) }
        defer { unsafe mdb_txn_abort(transaction) }
        return try unsafe body(transaction)
    }

    private func cursor<R>(
        _ transaction: OpaquePointer, _ database: MDB_dbi, _ body: (OpaquePointer) throws -> R
    ) throws -> R {
        var opened: OpaquePointer?
        try Self.check(unsafe mdb_cursor_open(transaction, database, &opened))
        guard let cursor = unsafe opened else { throw Failure(code: EINVAL) }
        defer { unsafe mdb_cursor_close(cursor) }
        return try unsafe body(cursor)
    }

    /// Reads the whole log, decoding each envelope and touching each payload byte or none.
    func readAll(touchingPayload: Bool) throws -> (events: Int, sum: UInt64) {
        try unsafe read { transaction in
            try unsafe cursor(transaction, log) { cursor in
                var key = unsafe MDB_val()
                var value = unsafe MDB_val()
                var events = 0
                var sum: UInt64 = 0
                while unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
                    unsafe sum &+= RawEvent.decode(
                        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size),
                        touchingPayload: touchingPayload)
                    events += 1
                }
                return (events, sum)
            }
        }
    }

    /// Loads one stream: the index's entries, and the log's record for each.
    func readStream(_ stream: UInt32) throws -> (events: Int, sum: UInt64) {
        try unsafe read { transaction in
            try unsafe cursor(transaction, index) { cursor in
                var first = BigEndianKey(UInt64(stream) << 32)
                var events = 0
                var sum: UInt64 = 0
                try unsafe first.withValue { wanted in
                    var key = unsafe wanted.pointee
                    var place = unsafe MDB_val()
                    var code = unsafe mdb_cursor_get(cursor, &key, &place, MDB_SET_RANGE)
                    while code == 0 {
                        let name = unsafe UnsafeRawBufferPointer(
                            start: key.mv_data, count: key.mv_size)
                        guard unsafe name.loadUnaligned(as: UInt32.self).byteSwapped == stream
                        else { return }
                        var value = unsafe MDB_val()
                        try Self.check(unsafe mdb_get(transaction, log, &place, &value))
                        unsafe sum &+= RawEvent.decode(
                            UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size),
                            touchingPayload: true)
                        events += 1
                        code = unsafe mdb_cursor_get(cursor, &key, &place, MDB_NEXT)
                    }
                }
                return (events, sum)
            }
        }
    }

    /// Bytes of the pages in use.
    func usedBytes() -> Int {
        var information = unsafe MDB_envinfo()
        unsafe mdb_env_info(environment, &information)
        return unsafe (information.me_last_pgno + 1) * 4096
    }
}

/// An event as the raw program stores it: the envelope's fields at fixed widths, then the payload.
/// Names are interned already, which the raw program gets for nothing.
struct RawEvent {
    let position: UInt64
    let stream: UInt32
    let revision: UInt32
    let record: [UInt8]

    /// Reads what a fold would read first.
    static func decode(_ bytes: UnsafeRawBufferPointer, touchingPayload: Bool) -> UInt64 {
        var sum = UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt16.self))
        sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self))
        sum &+= unsafe bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self)
        sum &+= unsafe bytes.loadUnaligned(fromByteOffset: 18, as: UInt64.self)
        sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 26, as: UInt32.self))
        sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 30, as: UInt32.self))
        sum &+= unsafe bytes.loadUnaligned(fromByteOffset: 34, as: UInt64.self)
        sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 42, as: UInt32.self))
        let tags = Int(unsafe bytes[46])
        var offset = 47
        for _ in 0..<tags {
            sum &+= UInt64(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            offset += 4
        }
        guard touchingPayload else { return sum }
        while offset < bytes.count {
            sum &+= UInt64(unsafe bytes[offset])
            offset += 1
        }
        return sum
    }
}

/// Eight bytes that sort as their number does.
struct BigEndianKey {
    private var number: UInt64

    init(_ number: UInt64) { self.number = number.bigEndian }

    mutating func withValue<R>(_ body: (UnsafeMutablePointer<MDB_val>) throws -> R) rethrows -> R {
        try unsafe withUnsafeMutableBytes(of: &number) { bytes in
            var value = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
            return try unsafe body(&value)
        }
    }
}

extension MDB_val {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
