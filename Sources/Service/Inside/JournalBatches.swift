import Engine
import NIOCore

/// What a listener who is not inside the ring is sent of the journal: read a page at a time, written a batch at a time.
///
/// Small pages would open the same block of the journal again and again.
struct JournalBatches {
    /// How much is read at once, but for the last event.
    private static let pageBytes = 256 << 10

    private let engine: EventEngine
    private let filter: EventFilter
    private let wish: EventWish
    /// What was read and is still to be written, behind `through`: bytes, since parsed events are six times as large.
    private var ahead: ArraySlice<EventRing.Batch> = []
    private var through = Position.zero

    init(_ engine: EventEngine, _ filter: EventFilter, _ wish: EventWish) {
        self.engine = engine
        self.filter = filter
        self.wish = wish
    }

    /// The wanted events behind a position.
    mutating func next(after position: Position) async throws -> EventRing.Batch {
        if ahead.isEmpty || position != through {
            ahead =
                batches(
                    of: try await engine.page(filter, after: position, bytes: Self.pageBytes),
                    after: position)[...]
        }
        let batch = ahead.removeFirst()
        through = batch.through
        return batch
    }

    /// One at least, which says how far was looked.
    private func batches(of page: EventPage, after position: Position) -> [EventRing.Batch] {
        var full: [EventRing.Batch] = []
        var batch = EventRing.Batch(through: position)
        for event in page.events where wish.admits(event) {
            if !batch.append(event) {
                batch.isCut = true
                full.append(batch)
                batch = EventRing.Batch(through: position)
                _ = batch.append(event)
            }
        }
        batch.through = page.through
        batch.isCut = page.through > position && !page.isAtHead
        return full + [batch]
    }

    /// Lets go of what was read ahead.
    mutating func drop() { ahead = [] }
}

extension EventRing.Batch {
    /// False when there is no room for the event; there is always room for the first.
    fileprivate mutating func append(_ event: Event) -> Bool {
        let bytes = event.document.bytes
        let room = EventRing.batchBytes - EventStream.mostFieldBytes
        guard count == 0 || frames.readableBytes + bytes.count <= room else { return false }
        EventStream.append("event", id: event.position, bytes, to: &frames)
        count += 1
        through = event.position
        return true
    }
}
