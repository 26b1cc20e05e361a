import Dispatch
import Core
import Folding
import Synchronization

/// The changed rows of tables in their stored form: a large state is encoded on a second core while
/// the first one writes.
struct RowEncoding {
    typealias Rows = (table: UInt16, rows: EncodedRows)

    private let tables: [(number: UInt16, table: any StoredTable)]
    private let removals: Bool

    init(_ tables: [(number: UInt16, table: any StoredTable)], removals: Bool) {
        self.tables = tables.filter { $0.table.changeCount > 0 }
        self.removals = removals
    }

    /// Fewer rows than this are not worth a thread.
    private static let manyRows = 20_000

    /// Calls `body` with all rows, table by table, in the order of their keys.
    func forEach(_ body: (UInt16, EncodedRows) throws -> Void) throws {
        if tables.reduce(0, { $0 + $1.table.changeCount }) < Self.manyRows {
            return try encode(body)
        }
        let channel = BoundedChannel()
        let work = UncheckedTransfer(self)
        DispatchQueue(label: "sijill.encode", qos: .userInitiated).async {
            // Stopped early: the receiver has failed and reports it.
            try? work.value.encode { try channel.put(($0, $1)) }
            channel.end()
        }
        // The tables are the other thread's until it is done.
        defer { channel.stop() }
        while let (table, rows) = channel.take() { try body(table, rows) }
    }

    private func encode(_ body: (UInt16, EncodedRows) throws -> Void) throws {
        for (number, table) in tables {
            try table.encodeChanges(removals: removals) { try body(number, $0) }
        }
    }

    /// A few buffers on their way from one thread to the other.
    private final class BoundedChannel: Sendable {
        private struct Stopped: Error {}

        private struct State {
            var waiting: [Rows] = []
            var isStopped = false
        }

        private let state = Mutex(State())
        private let room = DispatchSemaphore(value: 8)
        private let filled = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        func put(_ rows: Rows) throws {
            room.wait()
            let isStopped = state.withLock { state in
                state.waiting.append(rows)
                return state.isStopped
            }
            if isStopped { throw Stopped() }
            filled.signal()
        }

        func end() {
            filled.signal()
            ended.signal()
        }

        /// Nil once all was taken.
        func take() -> Rows? {
            filled.wait()
            let rows = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            room.signal()
            return rows
        }

        /// Waits until the other thread is done; what it still brings is dropped.
        func stop() {
            state.withLock { $0.isStopped = true }
            room.signal()
            ended.wait()
        }
    }
}
