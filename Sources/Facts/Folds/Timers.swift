package import Events

/// A moment at which the model itself has something to do (contract, Time).
package struct Timer: Hashable, Sendable {
    package let due: Instant
    package let stream: Symbol
    package let name: String
    /// The event that set it.
    package let cause: Position
}

/// The timers that are pending, derived from events: the soonest at hand, the rest where they are.
///
/// Before a command only the head is looked at, whether ten wait or a million: the heap holds what was
/// set or loaded in this session, the store is read on in chunks as the clock comes near.
package final class Timers {
    private let names: Names
    private let byStream: Table<Identifier<Stream>, Pending>
    private let byDue: Table<DueKey, Cause>
    /// When something may be due. What was cancelled stays until its moment comes up.
    private var moments = Moments()
    /// Where reading the store goes on; nil once all of it was read.
    private var unread: [UInt8]? = []
    /// No stored timer before this instant is missing from the heap.
    private var readThrough = Instant(milliseconds: .min)

    package init(in space: TableSpace, names: Names) {
        self.names = names
        byStream = Table("timers", in: space)
        byDue = Table("timers by due time", in: space)
    }

    // MARK: What events do

    /// Sets a timer; one of the same name on the same stream is replaced.
    package func set(_ name: String, on stream: Symbol, due: Instant, cause: Position) {
        let replaced = byStream.update(Identifier(stream)) { row -> Instant? in
            let place = row.entries.firstIndex { $0.name == name }
            let former = place.map { row.entries.remove(at: $0).due }
            row.entries.append(.init(name: name, due: due))
            return former
        }
        if let replaced {
            byDue.remove(DueKey(due: replaced, stream: stream, name: name))
        }
        byDue.insert(
            Cause(position: cause), at: DueKey(due: due, stream: stream, name: name))
        moments.insert(Moment(due: due, stream: stream), names)
    }

    /// Takes away the timers of a stream: the reason for them is gone.
    package func cancelAll(on stream: Symbol) {
        for entry in byStream[Identifier(stream)]?.entries ?? [] {
            byDue.remove(DueKey(due: entry.due, stream: stream, name: entry.name))
        }
        byStream.remove(Identifier(stream))
    }

    package func cancel(_ name: String, on stream: Symbol) {
        let entries = byStream[Identifier(stream)]?.entries ?? []
        guard let entry = entries.first(where: { $0.name == name }) else { return }
        byDue.remove(DueKey(due: entry.due, stream: stream, name: name))
        if entries.count == 1 {
            byStream.remove(Identifier(stream))
        } else {
            byStream.update(Identifier(stream)) { $0.entries.removeAll { $0.name == name } }
        }
    }

    // MARK: What the clock does

    /// The soonest pending timer: by due time, then stream, then name, both by code point.
    package func next() -> Timer? {
        while true {
            readOn()
            guard let top = moments.first else { return nil }
            if let name = name(at: top) {
                let key = DueKey(due: top.due, stream: top.stream, name: name)
                return Timer(
                    due: top.due, stream: top.stream, name: name,
                    cause: byDue[key]?.position ?? .zero)
            }
            moments.removeFirst(names)
        }
    }

    /// The timer has fired, or its moment passed while its condition did not hold.
    package func spend(_ timer: Timer) {
        cancel(timer.name, on: timer.stream)
    }

    /// The clock passed on: what was due before and left no event is spent.
    package func pass(_ instant: Instant) {
        while isWaiting(before: instant), let timer = next(), timer.due < instant { spend(timer) }
    }

    /// Whether the heap holds a moment before the instant; asked with every event of a replay, so it
    /// does not look up whether the timer still stands.
    private func isWaiting(before instant: Instant) -> Bool {
        readOn()
        guard let top = moments.first else { return false }
        return top.due < instant
    }

    /// All pending timers, soonest first.
    package func pending() -> [Timer] {
        byDue.allKeys.sorted(by: precedes).map {
            Timer(
                due: $0.due, stream: $0.stream, name: $0.name, cause: byDue[$0]?.position ?? .zero)
        }
    }

    /// The tables forgot what is stored: the heap begins anew as well.
    package func forgetStored() {
        moments = Moments()
        unread = []
        readThrough = Instant(milliseconds: .min)
    }

    // MARK: The moments

    private func readOn() {
        while let from = unread, moments.first.map({ $0.due >= readThrough }) ?? true {
            let keys = byDue.storedKeys(from: from, limit: 256)
            for key in keys where byDue.contains(key) {
                moments.insert(Moment(due: key.due, stream: key.stream), names)
            }
            guard keys.count == 256, let last = keys.last else {
                unread = nil
                return
            }
            readThrough = last.due
            var next: [UInt8] = []
            last.write(to: &next)
            unread = next + [0]
        }
    }

    private func precedes(_ left: DueKey, _ right: DueKey) -> Bool {
        if left.due == right.due, left.stream == right.stream {
            return left.name.precedes(right.name)
        }
        return Moment(due: left.due, stream: left.stream).precedes(
            Moment(due: right.due, stream: right.stream), names)
    }

    /// The first of the stream's timers that are due at the moment; nil when none stands any more.
    private func name(at moment: Moment) -> String? {
        let found = byStream.read(Identifier(moment.stream)) { row -> String? in
            var first: String?
            for entry in row.entries where entry.due == moment.due {
                if let known = first, known.precedes(entry.name) { continue }
                first = entry.name
            }
            return first
        }
        return found ?? nil
    }
}

/// A stream as a key.
package enum Stream: Thing {
    package static var tag: String? { nil }
}

extension Timers {
    /// The timers of one stream.
    struct Pending: Record {
        var entries: [Entry] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("entries", &entries)
        }

        struct Entry: Record {
            var name = ""
            var due = Instant.epoch

            init() {}

            init(name: String, due: Instant) {
                self.name = name
                self.due = due
            }

            mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("name", &name)
                coder.field("due", &due)
            }
        }
    }

    struct Cause: Record {
        var position = Position.zero

        init() {}

        init(position: Position) {
            self.position = position
        }

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("position", &position)
        }
    }

    /// Ordered by due time in the store; ties are ordered by text when they are read.
    struct DueKey: TableKey {
        typealias Slots = HashedSlots<Self>

        let due: Instant
        let stream: Symbol
        let name: String

        init(due: Instant, stream: Symbol, name: String) {
            self.due = due
            self.stream = stream
            self.name = name
        }

        /// Two timers of one stream are rarely due at once, so the name need not be hashed.
        func hash(into hasher: inout Hasher) {
            hasher.combine(due.milliseconds)
            hasher.combine(stream.number)
        }

        func write(to bytes: inout [UInt8]) {
            // The sign bit turned over makes negative instants sort before positive ones.
            BigEndian.append(UInt64(bitPattern: due.milliseconds) ^ (1 << 63), to: &bytes)
            BigEndian.append(stream.number, to: &bytes)
            bytes.append(contentsOf: name.utf8)
        }

        init?(bytes: ArraySlice<UInt8>) {
            guard let due = BigEndian.number(bytes.prefix(8), width: 8),
                let stream = BigEndian.number(bytes.dropFirst(8).prefix(4), width: 4)
            else { return nil }
            self.due = Instant(milliseconds: Int64(bitPattern: due ^ (1 << 63)))
            self.stream = Symbol(number: UInt32(stream))
            name = String(decoding: bytes.dropFirst(12), as: UTF8.self)
        }
    }
}
