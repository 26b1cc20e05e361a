import EventLog
import Core

/// Events in the order of their positions, or the other way round, as they are taken.
///
/// A slice of them is read at a time, when the last one is used up: whoever takes them slowly holds that one, and no pages of
/// the journal meanwhile. It ends with the last event wanted, when the task is cancelled, and when
/// the engine is closed.
public struct EventSequence: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event
    /// What keeps the journal from being read.
    public typealias Failure = EngineError

    let engine: EventEngine
    let filter: EventFilter
    let follows: Bool
    let sliceBytes: Int

    /// Begins with the first event wanted.
    public func makeAsyncIterator() -> Iterator {
        Iterator(engine: engine, filter: filter, follows: follows, sliceBytes: sliceBytes)
    }

    /// A place in a sequence of events.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let engine: EventEngine
        private let filter: EventFilter
        private let follows: Bool
        private let sliceBytes: Int
        private var slices: EventSlices?
        private var ready: ArraySlice<Event> = []
        private var isOver = false
        /// How many more may be handed on.
        private var left: Int

        init(engine: EventEngine, filter: EventFilter, follows: Bool, sliceBytes: Int) {
            self.engine = engine
            self.filter = filter
            self.follows = follows
            self.sliceBytes = sliceBytes
            left = filter.seenLimit
        }

        /// The next event; waits for it when following. Nil at the end.
        public mutating func next() async throws(EngineError) -> Event? {
            try await next(isolation: nil)
        }

        /// The next event; waits for it when following. Nil at the end.
        public mutating func next(
            isolation actor: isolated (any _Concurrency.Actor)?
        ) async throws(EngineError) -> Event? {
            while !isOver {
                if Task.isCancelled { break }
                if let event = ready.popFirst() { return event }
                if left == 0 { break }
                if let slices {
                    if slices.isExhausted { break }
                    if let seen = slices.end, try await !isMore(after: seen) { break }
                }
                do throws(EngineError) {
                    try await read()
                } catch {
                    isOver = true
                    if error.kind == .closed { break }
                    throw error
                }
            }
            isOver = true
            ready = []
            return nil
        }

        /// Waits for events behind those that were seen; false when there are to be none.
        private mutating func isMore(after seen: Position) async throws(EngineError) -> Bool {
            guard follows else { return false }
            switch await engine.tail.news(after: seen) {
            case .news: return true
            case .over: return false
            case .failed(let error):
                isOver = true
                throw error
            }
        }

        private mutating func read() async throws(EngineError) {
            (slices, ready) = try await engine.slice(
                behind: slices, filter, follows: follows, sliceBytes)
            if filter.viewer != nil {
                ready = ready.prefix(left)
                left -= ready.count
            }
        }
    }
}

extension EventEngine {
    /// The wanted events; with `isFollowing`, then those that are appended, by whomever, as they come.
    ///
    /// Without `isFollowing` it is what was durable when the first was asked for. Any number of sequences may be taken at the
    /// same time: one thread looks for what is new, for all of them.
    ///
    /// - Parameter sliceBytes: how many bytes of them are read at a time, at most; the last event of a slice may lie over it.
    public func events(
        _ filter: EventFilter = EventFilter(), isFollowing: Bool = false, sliceBytes: Int = 4 << 20
    ) throws(EngineError) -> EventSequence {
        if isFollowing, filter.isReversed { throw EngineError(.followsBackwards) }
        _ = try EventScan(filter)
        return EventSequence(
            engine: self, filter: filter, follows: isFollowing, sliceBytes: sliceBytes)
    }

    /// The next slice of events, and what is behind it.
    fileprivate func slice(
        behind slices: EventSlices?, _ filter: EventFilter, follows: Bool, _ sliceBytes: Int
    ) async throws(EngineError) -> (EventSlices?, ArraySlice<Event>) {
        try await whileOpen {
            await self.followers.run {
                var next = try slices ?? self.slices(filter, follows: follows, sliceBytes)
                if next.isExhausted { return (next, []) }
                return (next, try self.seen(next.nextEvents(), filter)[...])
            }
        }
    }

    private func slices(
        _ filter: EventFilter, follows: Bool, _ sliceBytes: Int
    ) throws -> EventSlices {
        var scan = try EventScan(filter)
        if !follows {
            let head = try journal.head().position
            scan.last = min(scan.last ?? head, head)
        }
        return EventSlices(
            journal, registry, scan, isReversed: filter.isReversed, limit: filter.readLimit,
            limitBytes: sliceBytes, instants: instants)
    }
}
