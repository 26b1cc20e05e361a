import CLMDB
import CZstd
import Synchronization

/// What chunks of blocks have in common, so that small ones are compressed well. Made once, used by
/// every thread.
@safe
final class CompressionDictionary: Sendable {
    static let maximumBytes = 64 << 10
    /// Bytes of samples that are worth learning from.
    static let minimumSamples = 64 << 10

    let number: UInt32
    let bytes: [UInt8]
    nonisolated(unsafe) let forCompression: OpaquePointer
    nonisolated(unsafe) let forInflation: OpaquePointer

    init(_ number: UInt32, _ bytes: [UInt8]) throws(JournalError) {
        self.number = number
        self.bytes = bytes
        let made = unsafe bytes.withUnsafeBytes { bytes in
            unsafe (
                ZSTD_createCDict(bytes.baseAddress, bytes.count, Compressor.thorough),
                ZSTD_createDDict(bytes.baseAddress, bytes.count)
            )
        }
        guard let compression = unsafe made.0, let inflation = unsafe made.1 else {
            throw JournalError(
                .inputOutput, "no memory for zstd", advice: "give the process more memory")
        }
        unsafe forCompression = compression
        unsafe forInflation = inflation
    }

    deinit {
        _ = unsafe ZSTD_freeCDict(forCompression)
        _ = unsafe ZSTD_freeDDict(forInflation)
    }

    /// Learns from samples; nil if they are too few or have nothing in common.
    static func trained(_ number: UInt32, on samples: [[UInt8]]) throws(JournalError)
        -> CompressionDictionary?
    {
        let sizes = samples.map(\.count)
        let total = sizes.reduce(0, +)
        guard samples.count >= 8, total >= minimumSamples else { return nil }
        var dictionary = [UInt8](repeating: 0, count: min(maximumBytes, total / 8))
        let all = samples.flatMap { $0 }
        let size = unsafe dictionary.withUnsafeMutableBytes { target in
            unsafe all.withUnsafeBytes { source in
                unsafe sizes.withUnsafeBufferPointer { sizes in
                    unsafe ZDICT_trainFromBuffer(
                        target.baseAddress, target.count, source.baseAddress, sizes.baseAddress,
                        UInt32(sizes.count))
                }
            }
        }
        guard ZDICT_isError(size) == 0, size > 0, size <= dictionary.count else { return nil }
        dictionary.removeSubrange(size...)
        return try CompressionDictionary(number, dictionary)
    }
}

/// The dictionaries of a journal: records of `dictionaries` under their number, never changed.
final class DictionaryStore: Sendable {
    private let environment: LMDBEnvironment
    private let database: Database
    private let known = Mutex<[UInt32: CompressionDictionary]>([:])

    init(_ environment: LMDBEnvironment, _ database: Database) {
        self.environment = environment
        self.database = database
    }

    /// The dictionary with this number; nil for 0, which is none.
    func dictionary(_ number: UInt32) throws(JournalError) -> CompressionDictionary? {
        guard number != 0 else { return nil }
        if let known = known.withLock({ $0[number] }) { return known }
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        let key = JournalKeys.symbol(number)
        let bytes = try transaction.access.lookUp(database, key.span) {
            content throws(JournalError) in
            content.copy()
        }
        guard let bytes, bytes.count <= CompressionDictionary.maximumBytes else {
            throw .damaged("dictionary \(number) is missing")
        }
        let made = try CompressionDictionary(number, bytes)
        known.withLock { $0[number] = made }
        return made
    }

    static func put(
        _ dictionary: CompressionDictionary, _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) {
        let key = JournalKeys.symbol(dictionary.number)
        var content = dictionary.bytes
        guard try access.putRecord(database, key.span, &content, flags: MDB_APPEND) else {
            throw .damaged("there is a dictionary beyond the last")
        }
    }
}
