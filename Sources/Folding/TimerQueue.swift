public import Core

/// How the timers of one kind know the stream they are on.
protocol StreamKey: TableKey {
    var stream: TimerStream { get }
    var mixed: UInt64 { get }
}

extension StreamKey {
    func text(_ names: Names) -> String { stream.text(in: names) }
}

/// The pending timers on streams of one kind: the soonest at hand, the rest where they are.
///
/// Before a command only the head is looked at, whether ten wait or a million: the heap holds a moment
/// for the soonest timer of each stream that was touched or loaded in this session, the store is read
/// on in chunks as the clock comes near.
final class TimerQueue<Key: StreamKey> {
    private let names: Names
    private let byStream: Table<Key, Timers.Pending>
    /// Each stored stream at its soonest timer; brought up to date by `settle`.
    private let byDue: Table<DueKey<Key>, Timers.Listed>
    /// When something may be due: for every stream that was touched or read, a moment no later than its
    /// soonest timer. One whose timer was cancelled or put off stays until it comes up.
    private let moments = Unchecked(Moments<Key>())
    /// Where reading the store goes on; nil once all of it was read.
    private let unread = Unchecked<[UInt8]?>([])
    /// No stored timer before this instant is missing from the heap.
    private var readThrough = Instant(milliseconds: .min)

    init(_ name: String, in space: TableSpace, names: Names) {
        self.names = names
        byStream = Table(name, in: space)
        byDue = Table("\(name) by due time", in: space)
    }

    // MARK: What events do

    /// Sets timers; each takes the place of one of the same name.
    func set(_ timers: [Timers.Entry], on key: Key) {
        let sooner = byStream.update(key) { row -> Instant? in
            let former = row.soonest
            if row.entries.isEmpty {
                row.entries = timers
            } else {
                row.entries.removeAll { old in timers.contains { $0.name == old.name } }
                row.entries += timers
            }
            guard let soonest = row.soonest else { return nil }
            return former.map { $0 <= soonest } ?? false ? nil : soonest
        }
        if let sooner { moments.value.insert(Moment(due: sooner, key: key)) }
    }

    func cancelAll(on key: Key) {
        cancel(on: key) { _ in true }
    }

    func cancel(_ name: String, on key: Key) {
        cancel(on: key) { $0.name == name }
    }

    /// The timer's moment is over; one of its name that was set since stays.
    func spend(_ timer: DueTimer, on key: Key) {
        cancel(on: key) { $0.name == timer.name && $0.due == timer.due }
    }

    private func cancel(on key: Key, where isMeant: (Timers.Entry) -> Bool) {
        let isAny = byStream.read(key) { $0.entries.contains(where: isMeant) }
        guard isAny == true else { return }
        let isDone = byStream.update(key) { row in
            row.entries.removeAll(where: isMeant)
            return row.entries.isEmpty && row.listed == nil
        }
        if isDone { byStream.remove(key) }
    }

    // MARK: What the clock does

    /// The soonest pending timer: by due time, then stream, then name, both by code point.
    func next() -> DueTimer? {
        while true {
            readOn()
            guard let top = moments.value.first(names) else { return nil }
            if let timer = timer(at: top) { return timer }
            moments.value.removeFirst()
            enqueueSoonest(at: top.key)
        }
    }

    /// Spends every timer that is due before the instant.
    func pass(_ instant: Instant) {
        while let due = firstDue, due < instant, let moment = moments.value.takeAny() {
            cancel(on: moment.key) { $0.due < instant }
            enqueueSoonest(at: moment.key)
        }
    }

    /// A moment of the stream came up: the next one is that of the soonest timer that stands.
    private func enqueueSoonest(at key: Key) {
        guard let soonest = byStream.read(key, { $0.soonest }) ?? nil else { return }
        moments.value.insert(Moment(due: soonest, key: key))
    }

    /// When something may be due first; asked with every event of a replay, so it does not look up
    /// whether the timer still stands.
    var firstDue: Instant? {
        if unread.value != nil { readOn() }
        return moments.value.firstDue
    }

    /// All pending timers, in no order that means anything.
    func pending() -> [DueTimer] {
        var timers: [DueTimer] = []
        byStream.forEach { key, row in
            timers += row.entries.map { $0.timer(on: key.stream) }
        }
        return timers
    }

    /// Updates the index of each stream's soonest timer, by which readers of the store find it.
    func settle() {
        for key in byStream.changedKeys {
            guard let row = byStream[key], row.listed != row.soonest else { continue }
            if let former = row.listed { byDue.remove(DueKey(due: former, key: key)) }
            if let due = row.soonest {
                byDue.insert(.init(), at: DueKey(due: due, key: key))
                byStream.update(key) { $0.listed = due }
            } else {
                byStream.remove(key)
            }
        }
    }

    /// The tables forgot what is stored: the heap begins anew as well, unless timers are set that nothing is stored of.
    func forgetStored() {
        guard byStream.changeCount == 0, byDue.changeCount == 0 else { return }
        moments.value = Moments()
        unread.value = []
        readThrough = Instant(milliseconds: .min)
    }

    // MARK: The moments

    private func readOn() {
        while let from = unread.value, moments.value.firstDue.map({ $0 >= readThrough }) ?? true {
            let keys = byDue.storedKeys(from: from, limit: 256)
            for key in keys { moments.value.insert(Moment(due: key.due, key: key.key)) }
            guard keys.count == 256, let last = keys.last else {
                unread.value = nil
                return
            }
            readThrough = last.due
            var next: [UInt8] = []
            last.write(to: &next)
            unread.value = next + [0]
        }
    }

    /// The first of the stream's timers that are due at the moment; nil when none stands any more.
    private func timer(at moment: Moment<Key>) -> DueTimer? {
        let found = byStream.read(moment.key) { row in
            row.entries.filter { $0.due == moment.due }.min { $0.name.precedes($1.name) }
        }
        return found??.timer(on: moment.key.stream)
    }
}

extension Timers {
    /// The timers of one stream.
    struct Pending: Record {
        var entries: [Entry] = []
        /// Where the stream stands in the store's order of due times.
        var listed: Instant?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("entries", &entries)
            coder.field("listed", &listed)
        }

        var soonest: Instant? { entries.lazy.map(\.due).min() }
    }

    /// A pending timer of a stream.
    public struct Entry: Record {
        var name = ""
        var due = Instant.epoch
        /// The event that set it.
        var cause = Position.zero

        public init() {}

        public init(_ name: String, due: Instant, cause: Position) {
            self.name = name
            self.due = due
            self.cause = cause
        }

        public mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("name", &name)
            coder.field("due", &due)
            coder.field("cause", &cause)
        }

        func timer(on stream: TimerStream) -> DueTimer {
            DueTimer(due: due, stream: stream, name: name, cause: cause)
        }
    }

    /// A key that says all.
    struct Listed: Record {
        mutating func fields<C: Coder>(_ coder: inout C) {}
    }
}

/// Ordered by due time in the store; ties are ordered by text when they are read.
struct DueKey<Key: StreamKey>: MixedKey {
    typealias Slots = MixedSlots<Self>

    let due: Instant
    let key: Key

    init(due: Instant, key: Key) {
        self.due = due
        self.key = key
    }

    public var mixed: UInt64 { UInt64(bitPattern: due.milliseconds) &* 31 ^ key.mixed }

    func write(to bytes: inout [UInt8]) {
        // The sign bit turned over makes negative instants sort before positive ones.
        BigEndian.append(UInt64(bitPattern: due.milliseconds) ^ (1 << 63), to: &bytes)
        key.write(to: &bytes)
    }

    init?(bytes: ArraySlice<UInt8>) {
        guard let due = BigEndian.number(bytes.prefix(8), width: 8),
            let key = Key(bytes: bytes.dropFirst(8))
        else { return nil }
        self.due = Instant(milliseconds: Int64(bitPattern: due ^ (1 << 63)))
        self.key = key
    }
}

/// A stream as a key.
public enum EventStream: Thing {
    public static let noun = "stream"
    public static let isTagged = false
}

extension Identifier<EventStream>: StreamKey {
    var stream: TimerStream { .known(symbol) }
    public var mixed: UInt64 { number64 }
}

/// A stream that no event may have been written to yet, so that it has no symbol.
struct NamedStream: StreamKey, MixedKey {
    typealias Slots = MixedSlots<Self>

    let name: ExactText

    init(_ name: String) {
        self.name = ExactText(name)
    }

    var stream: TimerStream { .named(name.text) }
    public var mixed: UInt64 { name.text.mixed }

    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: name.text.utf8) }

    init?(bytes: ArraySlice<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}
