import Core
import EventLog

/// Some of the wanted events, in the order of their positions, and how far the journal was looked through for them.
public struct EventPage: Sendable {
    /// As many as were asked for at most.
    public let events: [Event]
    /// No wanted event up to here is missing: the next page begins behind it.
    public let through: Position
    /// Whether the journal has nothing behind ``through`` yet.
    public let isAtHead: Bool
}

extension EventEngine {
    /// The position of the last event that is durable.
    public func head() throws(EngineError) -> Position {
        try whileOpen { try journal.head().position }
    }

    /// The wanted events behind a position, at most `limit` of them; the last one may lie over `bytes`.
    ///
    /// A cursor is the `through` of the page before: it goes on, too, where nothing was wanted.
    ///
    /// - Parameter filter: its `from`, `limit` and `isReversed` do not count.
    public func page(
        _ filter: EventFilter = EventFilter(), after position: Position, limit: Int = 1_000,
        bytes: Int = 4 << 20
    ) async throws(EngineError) -> EventPage {
        guard limit >= 0 else { throw EngineError(.negativeLimit) }
        var wanted = filter
        // Behind the greatest position stands nothing.
        wanted.from = .position(Position(max(position.number, position.number &+ 1)))
        wanted.isReversed = false
        wanted.limit = limit
        let filter = wanted
        return try await whileOpen {
            await self.followers.run { try self.page(filter, behind: position, bytes) }
        }
    }

    private func page(
        _ filter: EventFilter, behind position: Position, _ bytes: Int
    ) throws -> EventPage {
        guard try journal.head().position > position else {
            return EventPage(events: [], through: position, isAtHead: true)
        }
        var slices = EventSlices(
            journal, registry, try EventScan(filter), limit: filter.readLimit, opening: bytes,
            limitBytes: bytes, instants: instants)
        let read = try slices.nextEvents()
        var left = filter.seenLimit
        let events = try seen(read, filter, &left)
        // What a viewer may not see was looked through as well, but for what the limit cut off.
        let isCut = left == 0 && filter.viewer != nil
        return EventPage(
            events: Array(events),
            through: isCut ? events.last?.position ?? position : slices.through,
            isAtHead: !isCut && slices.end != nil)
    }

    /// Waits until the journal has events behind a position; false when it has none within that time, the task is
    /// cancelled, or the engine is closed.
    public func hasNews(
        after position: Position, within duration: Duration
    ) async throws(EngineError) -> Bool {
        if try head() > position { return true }
        let wake = await withTaskGroup(of: TailReader.Wake?.self) { group in
            group.addTask { await self.tail.news(after: position) }
            group.addTask {
                do { try await Task.sleep(for: duration) } catch { return .over }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        switch wake {
        case .news: return true
        case .over, nil: return false
        case .failed(let error): throw error
        }
    }
}
