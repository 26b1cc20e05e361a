import CMalloc
import Core
import Cryptography
import EventLog
import Folding

/// Where a fold from the first event on puts rows that do not fit in memory: into the stored views, which go on to be read as they
/// were until the state is whole (ADR 0077).
///
/// Belongs to the thread that folds.
final class StateOverflow {
    let limit: MemoryLimit
    private let makeStore: () throws -> StoredState
    private var begun: Begun?
    /// Its rows are what everybody reads.
    private var isEnded = false
    private var lookedAt: UInt64 = 0

    private struct Begun {
        let store: StoredState
        let runtimes: [any ProductRuntime]
        let sets: [TableSet]
        let token: [UInt8]
    }

    init(_ limit: MemoryLimit, _ makeStore: @escaping () throws -> StoredState) {
        self.limit = limit.fromHere
        self.makeStore = makeStore
    }

    /// Those whose rows went there.
    var runtimes: [any ProductRuntime] { begun?.runtimes ?? [] }

    /// Whether these should let go of rows, now that so many events are folded.
    func isDue(_ runtimes: [any ProductRuntime], after events: UInt64) -> Bool {
        guard !isEnded, events - lookedAt >= limit.step else { return false }
        lookedAt = events
        let rows = runtimes.reduce(0) { sum, runtime in
            runtime.space.tables.reduce(sum) { $0 + $1.changeCount }
        }
        return rows >= limit.leastRows && limit.isExceeded
    }

    /// Writes what changed and lets go of all rows. Always of the same states, but for those that another session brings, which
    /// have an overflow of their own.
    func take(_ runtimes: [any ProductRuntime], _ checkFaults: () throws -> Void) throws {
        let isFirst = begun == nil
        let begun = try self.begun ?? begin(runtimes)
        self.begun = begun
        try begun.store.overflow(
            begun.runtimes, to: begun.sets, begun.token, removals: !isFirst, checkFaults)
        // What was let go of lies in pieces among what is kept: it is given back to the system, not kept for ever.
        malloc_trim(0)
    }

    private func begin(_ runtimes: [any ProductRuntime]) throws -> Begun {
        let store = try makeStore()
        let token = RandomBytes.make(16)
        let sets: [TableSet]
        do {
            sets = try store.beginOverflow(runtimes, token)
        } catch let error as JournalError where error.kind == .viewsDamaged {
            try store.reset()
            sets = try store.beginOverflow(runtimes, token)
        }
        return Begun(store: store, runtimes: runtimes, sets: sets, token: token)
    }

    /// The states stand at the head: they are read by everybody from here on.
    /// - Throws: as ``StoredState/replace(_:_:isNewest:_:)``; then it may be tried again. What has ended stays as it is.
    func end(
        _ snapshot: JournalSnapshot, isNewest: Bool, _ checkFaults: () throws -> Void
    ) throws {
        guard let begun, !isEnded else { return }
        try take(begun.runtimes, checkFaults)
        try begun.store.endOverflow(
            begun.runtimes, in: begun.sets, begun.token, snapshot, isNewest: isNewest)
        isEnded = true
    }

    /// Nothing comes of it.
    func drop() throws {
        guard let begun, !isEnded else { return }
        try begun.store.dropOverflow(begun.runtimes, in: begun.sets, begun.token)
    }
}
