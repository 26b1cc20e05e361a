import Dispatch
import Core
import Synchronization

/// Opens the records of `frames` one after the other on a thread of its own, a few ahead of the one who
/// visits them: reading, checking and inflating on one core, and opening what is sealed if that is wanted,
/// while the events are folded on another.
///
/// Each reader belongs to one side at a time; the semaphores hand it over.
final class ReadAhead: @unchecked Sendable {
    private static let size = 4

    private let environment: LMDBEnvironment
    private let frames: Database
    private let first: Position
    private let last: Position
    private let personal: OpeningAhead?
    private let readers: [CommitReader]
    /// Readers that may be opened, and those that are open. A semaphore may not end with less than it
    /// began with: so both begin with nothing.
    private let vacant = DispatchSemaphore(value: 0)
    private let open = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isStopped = Atomic<Bool>(false)
    /// Set before the last signal of `open`.
    private let outcome = Mutex<Outcome?>(nil)
    private let count = Atomic<Int>(0)

    private enum Outcome {
        /// There is no record more.
        case end
        case failed(JournalError)
    }

    /// Records from the one that holds `first` to the one that holds `last`.
    init(
        _ environment: LMDBEnvironment, _ frames: Database, _ store: DictionaryStore,
        first: Position,
        last: Position, opening personal: OpeningAhead?
    ) {
        self.personal = personal
        self.environment = environment
        self.frames = frames
        self.first = first
        self.last = last
        readers = (0..<Self.size).map { _ in CommitReader(store) }
        for _ in readers { vacant.signal() }
    }

    /// A serial queue has a thread of its own at once; a shared one lets work wait while as many threads as
    /// there are cores are waiting for each other.
    private let thread = DispatchQueue(label: "sijill.read-ahead", qos: .userInitiated)

    /// Calls `visit` with each record, in order, until it answers false or throws; answers whether
    /// the records came to an end before the one that holds the last position.
    func run(_ visit: (CommitReader) throws -> Bool) throws -> Bool {
        thread.async { [self] in produce() }
        defer {
            isStopped.store(true, ordering: .releasing)
            vacant.signal()
            ended.wait()
        }
        var next = 0
        while true {
            open.wait()
            if next == count.load(ordering: .acquiring) {
                switch outcome.withLock({ $0 }) {
                case .failed(let error): throw error
                case .end, nil: return true
                }
            }
            let reader = readers[next % Self.size]
            next += 1
            guard try visit(reader), reader.end <= last.number else { return false }
            vacant.signal()
        }
    }

    private func produce() {
        defer { ended.signal() }
        do throws(JournalError) {
            try readAll()
            outcome.withLock { $0 = .end }
        } catch {
            outcome.withLock { $0 = .failed(error) }
        }
        open.signal()
    }

    private func readAll() throws(JournalError) {
        let transaction = try ReadTransaction(environment)
        var cursor = try Cursor(transaction.access, frames)
        let edge = FrameKey(first: first, ordinal: .max).bytes
        var isFound = try cursor.seekBack(edge.span)
        if !isFound { isFound = try cursor.first() }
        var next = 0
        while isFound {
            vacant.wait()
            if isStopped.load(ordering: .acquiring) { return }
            let reader = readers[next % Self.size]
            try unsafe Span.over(cursor.key) { key throws(JournalError) in
                try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                    try reader.open(key: key, stored: stored)
                }
            }
            if let personal { try reader.open(personal, first, last) }
            let isLast = reader.end > last.number
            next += 1
            count.store(next, ordering: .releasing)
            open.signal()
            if isLast { return }
            isFound = try cursor.next()
        }
    }
}

/// Whose events' personal fields are opened by the thread that reads ahead.
package struct OpeningAhead: Sendable {
    let keys: PersonKeys
    /// By type number: whether anybody looks at such an event.
    let types: [Bool]

    package init(_ keys: PersonKeys, types: [Bool]) {
        self.keys = keys
        self.types = types
    }

    func values(_ event: EventRecord, _ body: [UInt8]) -> PersonalValues? {
        guard Int(event.type) < types.count, types[Int(event.type)] else { return nil }
        return PersonalValues(
            body, stored: event.payload, flags: event.flags, at: event.place, opener: keys)
    }
}
