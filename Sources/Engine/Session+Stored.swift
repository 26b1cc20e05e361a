import EventLog
import Folding

/// The session and the stored views that its rows come from.
extension Session {
    /// Goes on from what is stored now, where that can be used.
    func attach(_ snapshot: JournalSnapshot) throws {
        guard let store else { return }
        attached = store.lastRebuild
        stored = try store.attach(runtimes, stored, snapshot)
    }

    /// Stores the state at this position, unless the store is further already.
    func save(_ snapshot: JournalSnapshot) throws {
        guard let store, !isOvertaken, position > storedPosition,
            position == snapshot.head.position
        else { return }
        let watch = Stopwatch()
        let saved: [StoredState.Saved]
        do {
            saved = try store.save(runtimes, stored, attached, snapshot, checkFaults)
        } catch let error as JournalError where error.kind == .viewsDamaged {
            // Nobody can store anything there: whoever comes next begins anew.
            observation.attempt(.openViews) { try store.reset() }
            isOvertaken = true
            throw error
        }
        if saved.contains(.written) {
            observation.tell(
                .storedViews(
                    EngineActivity.StoredViews(position: position, duration: watch.elapsed)))
        }
        if saved.contains(.overtaken) { isOvertaken = true }
        let same = saved.indices.filter { saved[$0] == .written || saved[$0] == .isThere }
        try goOn(with: same, snapshot)
    }

    /// Has these runtimes read their rows from what is stored now, which is the same. Where another stored a later state
    /// meanwhile they keep theirs, and what they changed: that is of no use for them.
    private func goOn(with indices: [Int], _ snapshot: JournalSnapshot) throws {
        guard let store, !indices.isEmpty else { return }
        let places = try store.attach(
            indices.map { runtimes[$0] }, indices.map { stored[$0] }, snapshot)
        for (index, place) in zip(indices, places) {
            stored[index] = place
            if place == position {
                runtimes[index].didStore()
                runtimes[index].forgetStored()
            } else {
                isOvertaken = true
            }
        }
    }

    /// Stores the state in place of whatever is stored, folded on where others stored a later one meanwhile; answers where it
    /// stands.
    func replace(
        _ store: StoredState, _ snapshot: JournalSnapshot
    ) throws -> JournalSnapshot {
        do {
            try replace(store, snapshot, isNewest: false)
            return snapshot
        } catch is StoredFurther {
            let newest = try journal.snapshot()
            let isNewest = newest.head.position == position
            if isNewest {
                // What is stored lies beyond the journal: it is of another.
                try replace(store, newest, isNewest: true)
                return newest
            }
            try catchUp(newest)
            return try replace(store, newest)
        }
    }

    private func replace(
        _ store: StoredState, _ snapshot: JournalSnapshot, isNewest: Bool
    ) throws {
        let large = overflows.flatMap(\.runtimes)
        let small = runtimes.filter { runtime in !large.contains { $0 === runtime } }
        try lookingUp {
            if !small.isEmpty {
                try store.replace(small, snapshot, isNewest: isNewest, checkFaults)
            }
            for overflow in overflows {
                try overflow.end(snapshot, isNewest: isNewest, checkFaults)
            }
        }
        if hasOverflowed { limit = overflows.first?.limit }
    }

    /// Whether rows of it did not fit in memory.
    var hasOverflowed: Bool { overflows.contains { !$0.runtimes.isEmpty } }

    /// Nothing comes of what was folded.
    func dropOverflow() {
        for overflow in overflows { observation.attempt(.storeViews) { try overflow.drop() } }
    }

    /// Whether what it stands on was made again since, or others stored a later state: it answers once more, and is not to be
    /// gone on with.
    var isSuperseded: Bool { isOvertaken || store?.isSuperseded(since: attached) ?? false }

    /// What the stored views stand at that the rows come from, in every product.
    var storedPosition: Position { stored.min() ?? position }

    /// The newest stored views that rows of any product come from.
    var lastStored: Position { stored.max() ?? .zero }

    /// How many events are folded on top of what is stored.
    var unsaved: UInt64 { position.number - storedPosition.number }
}
