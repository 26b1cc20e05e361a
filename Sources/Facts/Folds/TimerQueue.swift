import Events

/// How the timers of one kind know the stream they are on.
protocol TimerPlace: TableKey {
    var stream: TimerStream { get }
    /// Writes it so that another text may follow.
    func writeDelimited(to bytes: inout [UInt8])
    /// What was written so, and what follows it.
    static func split(_ bytes: ArraySlice<UInt8>) -> (place: Self, rest: ArraySlice<UInt8>)?
}

extension TimerPlace {
    func text(_ names: Names) -> String { stream.text(in: names) }
}

/// The pending timers on streams of one kind: the soonest at hand, the rest where they are.
///
/// Before a command only the head is looked at, whether ten wait or a million: the heap holds what was
/// set or loaded in this session, the store is read on in chunks as the clock comes near.
final class TimerQueue<Place: TimerPlace> {
    private let names: Names
    private let byStream: Table<Place, Timers.Pending>
    private let byDue: Table<DueKey<Place>, Timers.Cause>
    /// When something may be due. What was cancelled stays until its moment comes up.
    private var moments = Moments<Place>()
    /// Where reading the store goes on; nil once all of it was read.
    private var unread: [UInt8]? = []
    /// No stored timer before this instant is missing from the heap.
    private var readThrough = Instant(milliseconds: .min)

    init(_ name: String, in space: TableSpace, names: Names) {
        self.names = names
        byStream = Table(name, in: space)
        byDue = Table("\(name) by due time", in: space)
    }

    // MARK: What events do

    func set(_ name: String, on place: Place, due: Instant, cause: Position) {
        let replaced = byStream.update(place) { row -> Instant? in
            let index = row.entries.firstIndex { $0.name == name }
            let former = index.map { row.entries.remove(at: $0).due }
            row.entries.append(.init(name: name, due: due))
            return former
        }
        if let replaced {
            byDue.remove(DueKey(due: replaced, place: place, name: name))
        }
        byDue.insert(Timers.Cause(position: cause), at: DueKey(due: due, place: place, name: name))
        moments.insert(Moment(due: due, place: place), names)
    }

    func cancelAll(on place: Place) {
        for entry in byStream[place]?.entries ?? [] {
            byDue.remove(DueKey(due: entry.due, place: place, name: entry.name))
        }
        byStream.remove(place)
    }

    func cancel(_ name: String, on place: Place) {
        let entries = byStream[place]?.entries ?? []
        guard let entry = entries.first(where: { $0.name == name }) else { return }
        byDue.remove(DueKey(due: entry.due, place: place, name: name))
        if entries.count == 1 {
            byStream.remove(place)
        } else {
            byStream.update(place) { $0.entries.removeAll { $0.name == name } }
        }
    }

    // MARK: What the clock does

    /// The soonest pending timer: by due time, then stream, then name, both by code point.
    func next() -> Timer? {
        while true {
            readOn()
            guard let top = moments.first else { return nil }
            if let name = name(at: top) {
                return timer(DueKey(due: top.due, place: top.place, name: name))
            }
            moments.removeFirst(names)
        }
    }

    /// Whether the heap holds a moment before the instant; asked with every event of a replay, so it
    /// does not look up whether the timer still stands.
    func isWaiting(before instant: Instant) -> Bool {
        readOn()
        guard let top = moments.first else { return false }
        return top.due < instant
    }

    /// All pending timers, in no order that means anything.
    func pending() -> [Timer] { byDue.allKeys.map(timer) }

    /// The tables forgot what is stored: the heap begins anew as well.
    func forgetStored() {
        moments = Moments()
        unread = []
        readThrough = Instant(milliseconds: .min)
    }

    // MARK: The moments

    private func readOn() {
        while let from = unread, moments.first.map({ $0.due >= readThrough }) ?? true {
            let keys = byDue.storedKeys(from: from, limit: 256)
            for key in keys where byDue.contains(key) {
                moments.insert(Moment(due: key.due, place: key.place), names)
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

    private func timer(_ key: DueKey<Place>) -> Timer {
        Timer(
            due: key.due, stream: key.place.stream, name: key.name,
            cause: byDue[key]?.position ?? .zero)
    }

    /// The first of the stream's timers that are due at the moment; nil when none stands any more.
    private func name(at moment: Moment<Place>) -> String? {
        let found = byStream.read(moment.place) { row -> String? in
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

/// Ordered by due time in the store; ties are ordered by text when they are read.
struct DueKey<Place: TimerPlace>: TableKey {
    typealias Slots = HashedSlots<Self>

    let due: Instant
    let place: Place
    let name: String

    init(due: Instant, place: Place, name: String) {
        self.due = due
        self.place = place
        self.name = name
    }

    /// Two timers of one stream are rarely due at once, so the name need not be hashed.
    func hash(into hasher: inout Hasher) {
        hasher.combine(due.milliseconds)
        hasher.combine(place)
    }

    func write(to bytes: inout [UInt8]) {
        // The sign bit turned over makes negative instants sort before positive ones.
        BigEndian.append(UInt64(bitPattern: due.milliseconds) ^ (1 << 63), to: &bytes)
        place.writeDelimited(to: &bytes)
        bytes.append(contentsOf: name.utf8)
    }

    init?(bytes: ArraySlice<UInt8>) {
        guard let due = BigEndian.number(bytes.prefix(8), width: 8),
            let (place, rest) = Place.split(bytes.dropFirst(8))
        else { return nil }
        self.due = Instant(milliseconds: Int64(bitPattern: due ^ (1 << 63)))
        self.place = place
        name = String(decoding: rest, as: UTF8.self)
    }
}

/// A stream as a key.
package enum Stream: Thing {
    package static var tag: String? { nil }
}

extension Identifier<Stream>: TimerPlace {
    var stream: TimerStream { .known(symbol) }

    func writeDelimited(to bytes: inout [UInt8]) { write(to: &bytes) }

    static func split(_ bytes: ArraySlice<UInt8>) -> (place: Self, rest: ArraySlice<UInt8>)? {
        Self(bytes: bytes.prefix(4)).map { ($0, bytes.dropFirst(4)) }
    }
}

/// A stream that no event may have been written to yet, so that it has no symbol.
struct NamedStream: TimerPlace {
    typealias Slots = HashedSlots<Self>

    let name: ExactText

    init(_ name: String) {
        self.name = ExactText(name)
    }

    var stream: TimerStream { .named(name.text) }

    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: name.text.utf8) }

    init?(bytes: ArraySlice<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Stream names hold no zero byte.
    func writeDelimited(to bytes: inout [UInt8]) {
        write(to: &bytes)
        bytes.append(0)
    }

    static func split(_ bytes: ArraySlice<UInt8>) -> (place: Self, rest: ArraySlice<UInt8>)? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        return Self(bytes: bytes[..<end]).map { ($0, bytes[(end + 1)...]) }
    }
}
