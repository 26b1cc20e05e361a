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
    private var heap: [DueKey] = []
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
        cancel(name, on: stream)
        let key = DueKey(due: due, stream: stream, name: name)
        byStream.update(Identifier(stream)) { $0.entries.append(.init(name: name, due: due)) }
        byDue.insert(Cause(position: cause), at: key)
        push(key)
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
            guard let top = heap.first else { return nil }
            if let cause = byDue[top] {
                return Timer(
                    due: top.due, stream: top.stream, name: top.name, cause: cause.position)
            }
            pop()
        }
    }

    /// The timer has fired, or its moment passed while its condition did not hold.
    package func spend(_ timer: Timer) {
        cancel(timer.name, on: timer.stream)
    }

    /// The clock passed on: what was due before and left no event is spent.
    package func pass(_ instant: Instant) {
        while let timer = next(), timer.due < instant { spend(timer) }
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
        heap = []
        unread = []
        readThrough = Instant(milliseconds: .min)
    }

    // MARK: The heap

    private func readOn() {
        while let from = unread, heap.first.map({ $0.due >= readThrough }) ?? true {
            let keys = byDue.storedKeys(from: from, limit: 256)
            for key in keys where byDue.contains(key) { push(key) }
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
        if left.due != right.due { return left.due < right.due }
        if left.stream != right.stream {
            return names.text(left.stream).precedes(names.text(right.stream))
        }
        return left.name.precedes(right.name)
    }

    private func push(_ key: DueKey) {
        heap.append(key)
        var child = heap.count - 1
        while child > 0, precedes(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && precedes(heap[child], heap[least]) {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
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
