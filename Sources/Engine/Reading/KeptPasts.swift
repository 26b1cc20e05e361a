import Dispatch
import EventLog
import Core
import Synchronization

/// A state of some products at an earlier position, for who looks at the moments around it.
///
/// It stands some events before the moment that it was made for. For each question it folds on to that question's moment, and
/// takes that back: a step back costs what one forward costs, and neither folds the journal. Its holder has exclusive use.
final class KeptPast: @unchecked Sendable {
    let products: [String]
    private let session: Session
    /// How many events before a moment it is brought to stand; it folds four times as many for a question at most.
    private let room: UInt64
    /// How many ends of keys were known when it was made: values that nobody may read any more stand in its rows where more are
    /// known now.
    private let endedKeys: Int
    /// Of `KeptPasts`, when it was made.
    fileprivate let generation: Int

    /// Folds the products' events through somewhere before a position.
    init(
        _ maker: StateMaker, _ snapshot: JournalSnapshot, _ products: [Product],
        asOf position: Position, for pasts: KeptPasts, progress: (Position) throws -> Void
    ) throws {
        room = pasts.room
        generation = pasts.generation
        let base = try Self.base(of: position, room: room, snapshot)
        session = try maker.past(
            snapshot, Scope(through: base), of: products, progress: progress)
        self.products = products.map(\.name)
        endedKeys = session.persons.endedKeys
    }

    private static func base(
        of position: Position, room: UInt64, _ snapshot: JournalSnapshot
    ) throws -> Position {
        guard position.number > room else { return .zero }
        return try CommandBoundary.last(upTo: Position(position.number - room), snapshot)
    }

    /// The last event that it holds at rest.
    var base: Position { session.position }

    /// How many events it has folded so far.
    var foldedEvents: UInt64 { session.foldedEvents }

    /// Learns what the journal has learnt since; false where it may not be gone on with.
    func isStillRight(_ snapshot: JournalSnapshot) throws -> Bool {
        try session.catchUp(snapshot, through: session.position)
        return session.persons.endedKeys == endedKeys
    }

    /// Calls `body` with the state as of a position, which is not before its base. What throws spoils it.
    func answer<R>(
        asOf position: Position, _ snapshot: JournalSnapshot,
        progress: (Position) throws -> Void, _ body: (Session) throws -> R
    ) throws -> R {
        if position.number > session.position.number + 4 * room {
            let base = try Self.base(of: position, room: room, snapshot)
            if base > session.position {
                try session.catchUp(snapshot, through: base, progress: progress)
            }
        }
        try session.goAside(snapshot, through: position)
        let result = try body(session)
        session.goHome()
        return result
    }
}

/// The states at earlier positions that are kept for the next question: few, since each holds its products' rows.
final class KeptPasts: Sendable {
    private static let most = 2
    private static let patience = 300

    private struct Kept {
        let state: KeptPast
        let since: ContinuousClock.Instant
    }

    private struct State {
        var kept: [Kept] = []
        /// How often all of them were let go of.
        var generation = 0
    }

    /// How many events before a moment a state stands that is made for it.
    let room: UInt64
    private let state = Mutex(State())
    fileprivate var generation: Int { state.withLock { $0.generation } }

    init(room: UInt64 = 1_024) { self.room = room }

    /// A state of exactly these products that stands at a position or before it, given away. One that stands behind it is let go
    /// of: another will take its place.
    func take(_ products: [String], asOf position: Position) -> KeptPast? {
        state.withLock { state in
            let own = state.kept.filter { $0.state.products == products }
            state.kept.removeAll { $0.state.products == products }
            return own.filter { $0.state.base <= position }.max { $0.state.base < $1.state.base }?
                .state
        }
    }

    func giveBack(_ past: KeptPast) {
        state.withLock { state in
            guard past.generation == state.generation else { return }
            state.kept.append(Kept(state: past, since: .now))
            if state.kept.count > Self.most { state.kept.removeFirst() }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience + 1)) {
            [weak self] in self?.forgetUnused()
        }
    }

    /// Lets go of all of them, those that somebody asks at the moment included.
    func forget() {
        state.withLock { state in
            state.kept.removeAll()
            state.generation += 1
        }
    }

    private func forgetUnused() {
        state.withLock { state in
            state.kept.removeAll { $0.since.duration(to: .now) > .seconds(Self.patience) }
        }
    }
}
