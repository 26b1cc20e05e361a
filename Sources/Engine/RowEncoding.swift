import Dispatch
import Core
import Folding
import Synchronization

/// The changed rows of tables in their stored form: a large state is encoded by other threads, which share out the
/// tables, while this one writes.
struct RowEncoding {
    typealias Rows = (table: UInt16, rows: EncodedRows)
    private typealias Table = (number: UInt16, table: any StoredTable)

    private let tables: [Table]
    private let removals: Bool

    init(_ tables: [(number: UInt16, table: any StoredTable)], removals: Bool) {
        self.tables = tables.filter { $0.table.changeCount > 0 }
        self.removals = removals
    }

    /// Fewer rows than this are not worth a thread.
    private static let manyRows = 20_000

    /// Calls `body` with all rows, those of a table in the order of their keys.
    func forEach(_ body: (UInt16, EncodedRows) throws -> Void) throws {
        if tables.reduce(0, { $0 + $1.table.changeCount }) < Self.manyRows {
            for table in tables { try encode(table, body) }
            return
        }
        let threads = min(max(2, Processors.count), tables.count)
        let channel = BoundedChannel(senders: threads)
        // The largest first: they take longest. Each is one thread's until it is done.
        let ordered = UncheckedTransfer(
            tables.sorted { ($1.table.changeCount, $0.number) < ($0.table.changeCount, $1.number) })
        let next = SharedCount()
        let work = UncheckedTransfer(self)
        for _ in 0..<threads {
            DispatchQueue(label: "sijill.encode", qos: .userInitiated).async {
                defer { channel.end() }
                // Stopped early: the receiver has failed and reports it.
                try? work.value.encode(ordered.value, next) { try channel.put(($0, $1)) }
            }
        }
        // The tables are the other threads' until they are done.
        defer { channel.stop() }
        while let (table, rows) = channel.take() { try body(table, rows) }
    }

    /// Those of the tables that no other thread took.
    private func encode(
        _ tables: [Table], _ next: SharedCount, _ body: (UInt16, EncodedRows) throws -> Void
    ) throws {
        while let place = next.take(below: tables.count) { try encode(tables[place], body) }
    }

    private func encode(
        _ table: Table, _ body: (UInt16, EncodedRows) throws -> Void
    ) throws {
        try table.table.encodeChanges(removals: removals) { try body(table.number, $0) }
    }

    /// Numbers from 0 on, each given to one thread.
    private final class SharedCount: Sendable {
        private let next = Atomic<Int>(0)

        func take(below end: Int) -> Int? {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return number < end ? number : nil
        }
    }

    /// A few buffers on their way from some threads to this one.
    private final class BoundedChannel: Sendable {
        private struct Stopped: Error {}

        private struct State {
            var waiting: [Rows] = []
            var senders: Int
            var isStopped = false
        }

        private static let size = 8

        private let senders: Int
        private let state: Mutex<State>
        /// Begins with nothing: a semaphore that ends with less than it began with is a trap, and buffers that nobody took
        /// hold their room.
        private let room = DispatchSemaphore(value: 0)
        /// Signalled with each buffer, and with each sender's end.
        private let filled = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(senders: Int) {
            self.senders = senders
            state = Mutex(State(senders: senders))
            for _ in 0..<Self.size { room.signal() }
        }

        func put(_ rows: Rows) throws {
            room.wait()
            let isStopped = state.withLock { state in
                state.waiting.append(rows)
                return state.isStopped
            }
            if isStopped {
                // For another sender that waits.
                room.signal()
                throw Stopped()
            }
            filled.signal()
        }

        func end() {
            state.withLock { $0.senders -= 1 }
            filled.signal()
            ended.signal()
        }

        /// Nil once all was taken.
        func take() -> Rows? {
            while true {
                filled.wait()
                let (rows, isOver) = state.withLock { state -> (Rows?, Bool) in
                    if !state.waiting.isEmpty { return (state.waiting.removeFirst(), false) }
                    return (nil, state.senders == 0)
                }
                if let rows {
                    room.signal()
                    return rows
                }
                if isOver { return nil }
            }
        }

        /// Waits until the other threads are done; what they still bring is dropped.
        func stop() {
            state.withLock { $0.isStopped = true }
            room.signal()
            for _ in 0..<senders { ended.wait() }
        }
    }
}
