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
    private let states: [any ProductRuntime]
    private let makeStore: () throws -> StoredState?
    private var begun: Begun?
    /// Its rows are what everybody reads.
    private var isEnded = false
    private var hasNoPlace = false
    private var lookedAt: UInt64 = 0

    private struct Begun {
        let store: StoredState
        let sets: [TableSet]
        let token: [UInt8]
    }

    /// - Parameter makeStore: Gives nil where there is no place: then all rows stay in memory.
    init(
        of runtimes: [any ProductRuntime], _ limit: MemoryLimit,
        _ makeStore: @escaping () throws -> StoredState?
    ) {
        self.limit = limit.fromHere
        states = runtimes
        self.makeStore = makeStore
    }

    /// Those whose rows went there.
    var runtimes: [any ProductRuntime] { begun == nil ? [] : states }

    /// Whether it is time to let go of rows, now that so many events are folded.
    func isDue(after events: UInt64) -> Bool {
        guard !isEnded, !hasNoPlace, events >= lookedAt + limit.step else { return false }
        lookedAt = events
        return states.reduce(0) { $0 + $1.changeCount } >= limit.leastRows && limit.isExceeded
    }

    /// Writes what changed and lets go of all rows.
    func take(_ checkFaults: () throws -> Void) throws {
        let isFirst = begun == nil
        guard let begun = try self.begun ?? begin() else {
            hasNoPlace = true
            return
        }
        self.begun = begun
        try begun.store.overflow(
            states, to: begun.sets, begun.token, removals: !isFirst, checkFaults)
        // What was let go of lies in pieces among what is kept: it is given back to the system, not kept for ever.
        malloc_trim(0)
    }

    private func begin() throws -> Begun? {
        guard let store = try makeStore() else { return nil }
        let token = RandomBytes.make(16)
        let sets: [TableSet]
        do {
            sets = try store.beginOverflow(states, token)
        } catch let error as JournalError where error.kind == .viewsDamaged {
            try store.reset()
            sets = try store.beginOverflow(states, token)
        }
        return Begun(store: store, sets: sets, token: token)
    }

    /// Writes the other rows, too, if any went there: who asks the states from here on can let go of all.
    func takeRest(_ checkFaults: () throws -> Void) throws {
        if begun != nil, !isEnded { try take(checkFaults) }
    }

    /// The states stand at the head: they are read by everybody from here on.
    /// - Throws: as ``StoredState/replace(_:_:isNewest:_:)``; then it may be tried again. What has ended stays as it is.
    func end(
        _ snapshot: JournalSnapshot, isNewest: Bool, _ checkFaults: () throws -> Void
    ) throws {
        guard let begun, !isEnded else { return }
        try take(checkFaults)
        try begun.store.endOverflow(
            states, in: begun.sets, begun.token, snapshot, isNewest: isNewest)
        isEnded = true
    }

    /// Nothing comes of it.
    func drop() throws {
        guard let begun, !isEnded else { return }
        try begun.store.dropOverflow(states, in: begun.sets, begun.token)
    }
}
