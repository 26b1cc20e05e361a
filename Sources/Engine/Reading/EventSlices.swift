import EventLog
import Core
import Projections

/// Reads the wanted events in slices, each from a snapshot of its own: whoever takes them may be slow or
/// stopped, and the pages of a snapshot that is held cannot be used again, so the journal would grow.
struct EventSlices {
    private let journal: Journal
    private let registry: Registry
    private var scan: EventScan
    private let isReversed: Bool
    private let instants: InstantIndex?
    /// How many more are wanted.
    private var left: Int
    /// Small at first, so that the first events come at once.
    private var mostBytes: Int
    private let limitBytes: Int
    private let mostLooks: Int
    /// The head that the last slice ended at; nil if that one ended before.
    private(set) var end: Position?

    /// How long a slice may become, but for its last event, where nobody says less.
    static let limitBytes = 4 << 20
    /// At how many events a slice looks where few are wanted: it holds a snapshot, and whoever asked may have gone.
    static let mostLooks = 1 << 18

    init(
        _ journal: Journal, _ registry: Registry, _ scan: EventScan, isReversed: Bool = false,
        limit: Int? = nil, opening: Int = 1 << 16, limitBytes: Int = Self.limitBytes,
        mostLooks: Int = Self.mostLooks, instants: InstantIndex? = nil
    ) {
        self.mostLooks = mostLooks
        self.journal = journal
        self.registry = registry
        self.scan = scan
        self.isReversed = isReversed
        self.instants = instants
        left = limit ?? .max
        self.limitBytes = max(1, limitBytes)
        mostBytes = min(max(1, opening), self.limitBytes)
    }

    /// Everything wanted up to here was given; not of reversed ones.
    var through: Position { Position(scan.first.number - 1) }

    /// Whether there is nothing more to come, however long the journal grows.
    var isExhausted: Bool {
        guard left > 0 else { return true }
        guard let end else { return false }
        return isReversed || scan.last.map { $0 <= end } ?? false
    }

    /// What `make` makes of the next events, in the order asked for.
    mutating func next(_ make: (EventEnvelope, Names) -> [UInt8]) throws -> [[UInt8]] {
        try next(make, bytes: \.count)
    }

    private mutating func next<Item>(
        _ make: (EventEnvelope, Names) -> Item, bytes count: (Item) -> Int
    ) throws -> [Item] {
        let log = try OpenLog(journal, registry)
        var made: [Item] = []
        var bytes = 0
        var lastLooked = scan.first
        var isCut = false
        let stop = try scan.run(
            log.snapshot, log.history.types, log.history.names, reversed: isReversed, instants,
            lookingAt: mostLooks
        ) { event, body in
            guard let found = log.history.envelope(event, body) else { return true }
            let item = make(found, log.history.names)
            try log.history.checkFault()
            made.append(item)
            bytes += count(item)
            lastLooked = event.position
            isCut = made.count == left || bytes >= mostBytes
            return !isCut
        }
        if let stop { (lastLooked, isCut) = (stop, true) }
        left -= made.count
        mostBytes = mostBytes < limitBytes / 2 ? 2 * mostBytes : limitBytes
        // Reversed, nothing stands before the first.
        end = isCut && !(isReversed && lastLooked == Position(1)) ? nil : log.snapshot.head.position
        if let end {
            scan.first = max(scan.first, end + 1)
        } else if isReversed {
            scan.last = Position(lastLooked.number - 1)
        } else {
            scan.first = lastLooked + 1
        }
        return made
    }

    /// The next events.
    mutating func nextEvents() throws -> [Event] {
        try next({ Event($0, $1) }, bytes: \.document.bytes.count)
    }
}
