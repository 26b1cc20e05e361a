import Engine
import NIOCore

/// What a listener who is not inside the ring is sent of the journal: read a page at a time, written a batch at a time.
///
/// Small pages would open the same block of the journal again and again; a large one is not kept while its client takes
/// nothing.
struct JournalBatches {
    /// How much is read at once, but for the last event.
    private static let pageBytes = 256 << 10

    private let engine: EventEngine
    private let filter: EventFilter
    private let wish: EventWish
    /// What was read and is still to be written, behind `through`.
    private var ahead: ArraySlice<Event> = []
    private var through = Position.zero
    private var end = (position: Position.zero, isAtHead: false)

    init(_ engine: EventEngine, _ filter: EventFilter, _ wish: EventWish) {
        self.engine = engine
        self.filter = filter
        self.wish = wish
    }

    /// The wanted events behind a position.
    mutating func next(after position: Position) async throws -> EventRing.Batch {
        if ahead.isEmpty || position != through {
            let page = try await engine.page(filter, after: position, bytes: Self.pageBytes)
            ahead = page.events[...]
            end = (page.through, page.isAtHead)
        }
        var batch = EventRing.Batch(through: end.position)
        while let event = ahead.first {
            if wish.admits(event) {
                guard batch.append(event) else { break }
            }
            ahead.removeFirst()
            through = event.position
        }
        if ahead.isEmpty {
            batch.isCut = end.position > position && !end.isAtHead
        } else {
            batch.through = through
            batch.isCut = true
        }
        return batch
    }

    /// Lets go of what was read ahead: it is read again when it is wanted.
    mutating func drop() { ahead = [] }
}

extension EventRing.Batch {
    /// False when there is no room for the event.
    fileprivate mutating func append(_ event: Event) -> Bool {
        let bytes = event.document.bytes
        let room = EventRing.batchBytes - EventStream.mostFieldBytes
        guard count == 0 || frames.readableBytes + bytes.count <= room else { return false }
        EventStream.append("event", id: event.position, bytes, to: &frames)
        count += 1
        return true
    }
}
