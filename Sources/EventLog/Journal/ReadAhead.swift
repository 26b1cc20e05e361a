import Dispatch
import Core
import Synchronization

/// Opens the records of `frames` one after the other, a few ahead of the one who visits them: reading, checking
/// and inflating, and opening what is sealed if that is wanted, while the events are folded.
///
/// It has two threads for a visitor who only reads, since inflating takes longer then. One for a fold, which works as
/// long: of three threads on two cores it would wait for its core (9 % of a rebuild). Two again for more than two visitors, who
/// are as many as there are cores.
///
/// Each reader belongs to one side at a time, to all visitors or to who opens it; the semaphores hand it over.
final class ReadAhead: @unchecked Sendable {
    private static let size = 4

    private let environment: LMDBEnvironment
    private let databases: JournalDatabases
    private let waiting: WriteAheadLog.Waiting
    private let first: Position
    private let last: Position
    private let openings: [OpeningAhead]
    private let visitors: Int
    private let readers: [CommitReader]
    /// Readers that may be opened, and for each visitor and reader whether it is. A semaphore may not end with less than it
    /// began with: so all begin with nothing.
    private let vacant = DispatchSemaphore(value: 0)
    private let open: [[DispatchSemaphore]]
    private let ended = DispatchSemaphore(value: 0)
    private let isStopped = Atomic<Bool>(false)
    /// Why a reader could not be opened; set before its signal of `open`.
    private let failures: Mutex<[JournalError?]>
    /// Records that were begun; set before the last signal of `open`, which is for none.
    private let count = Atomic<Int>(0)
    private let presence: Mutex<Presence>

    private struct Presence {
        /// Visitors who have not left yet.
        var visitors: Int
        /// For each reader how many of them are not done with it.
        var left: [Int]
        /// What ended it for all.
        var failure: (any Error)?
    }

    /// Records from the one that holds `first` to the one that holds `last`.
    init(
        _ environment: LMDBEnvironment, _ databases: JournalDatabases,
        _ waiting: WriteAheadLog.Waiting, _ store: DictionaryStore,
        first: Position, last: Position, opening openings: [OpeningAhead], visitors: Int
    ) {
        self.openings = openings
        self.visitors = visitors
        self.environment = environment
        self.databases = databases
        self.waiting = waiting
        self.first = first
        self.last = last
        readers = (0..<Self.size).map { _ in CommitReader(store) }
        open = (0..<visitors).map { _ in
            (0..<Self.size).map { _ in DispatchSemaphore(value: 0) }
        }
        failures = Mutex(readers.map { _ in nil })
        presence = Mutex(
            Presence(visitors: visitors, left: Array(repeating: visitors, count: Self.size)))
        for _ in readers { vacant.signal() }
    }

    /// A serial queue has a thread of its own at once; a shared one lets work wait while as many threads as
    /// there are cores are waiting for each other.
    private let thread = DispatchQueue(label: "sijill.read-ahead", qos: .userInitiated)
    /// Opens every other record.
    private let helper = DispatchQueue(label: "sijill.read-ahead.helper", qos: .userInitiated)
    private var hasHelper: Bool { openings.isEmpty || visitors > 2 }

    /// Begins to read.
    func start() { thread.async { [self] in produce() } }

    /// Calls `visit` with each record, in order, until it answers false or throws; answers whether
    /// the records came to an end before the one that holds the last position. Of several visitors one who ends before that
    /// ends it for all.
    func run(
        as visitor: Int, _ visit: (CommitReader) throws -> Bool
    ) throws -> Bool {
        defer { leave() }
        do {
            return try visitAll(visitor, visit)
        } catch {
            stop(error)
            throw error
        }
    }

    private func visitAll(
        _ visitor: Int, _ visit: (CommitReader) throws -> Bool
    ) throws -> Bool {
        var next = 0
        while true {
            let slot = next % Self.size
            open[visitor][slot].wait()
            if let failure = presence.withLock({ $0.failure }) { throw failure }
            if let failure = failures.withLock({ $0[slot] }) { throw failure }
            if next == count.load(ordering: .acquiring) { return true }
            let reader = readers[slot]
            next += 1
            guard try visit(reader) else {
                if visitors > 1 { stop(CancellationError()) }
                return false
            }
            guard reader.end <= last.number else { return false }
            didVisit(slot)
        }
    }

    private func didVisit(_ slot: Int) {
        let isVacant = presence.withLock { presence in
            presence.left[slot] -= 1
            guard presence.left[slot] == 0 else { return false }
            presence.left[slot] = visitors
            return true
        }
        if isVacant { vacant.signal() }
    }

    /// Ends it for all visitors, who throw what it is given.
    func stop(_ error: any Error) {
        presence.withLock { $0.failure = $0.failure ?? error }
        isStopped.store(true, ordering: .releasing)
        vacant.signal()
        for semaphore in open.joined() { semaphore.signal() }
    }

    /// The last one to leave waits until nothing is read any more.
    private func leave() {
        let isLast = presence.withLock { presence in
            presence.visitors -= 1
            return presence.visitors == 0
        }
        guard isLast else { return }
        isStopped.store(true, ordering: .releasing)
        vacant.signal()
        ended.wait()
    }

    private func produce() {
        defer { ended.signal() }
        var next = 0
        var failure: JournalError?
        do throws(JournalError) {
            try readAll(&next)
        } catch {
            failure = error
        }
        // The visitor's last signal may be used up.
        if isStopped.load(ordering: .acquiring) { return }
        vacant.wait()
        if isStopped.load(ordering: .acquiring) { return }
        let slot = next % Self.size
        if let failure { failures.withLock { $0[slot] = failure } }
        tellOpen(slot)
    }

    private func tellOpen(_ slot: Int) { for visitor in open { visitor[slot].signal() } }

    /// Hands each record to whoever opens it; `next` counts them.
    private func readAll(_ next: inout Int) throws(JournalError) {
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        // It reads the transaction's pages.
        defer { helper.sync {} }
        var cursor = try FramesSeen(transaction.access, databases, waiting).cursor()
        var isFound = try cursor.seekBack(FrameKey(first: first, ordinal: .max))
        if !isFound { isFound = try cursor.first() }
        while isFound {
            vacant.wait()
            if isStopped.load(ordering: .acquiring) { return }
            let slot = next % Self.size
            let frame = cursor.here
            let end = frame.visit { CommitReader.end(of: $1) } ?? 0
            next += 1
            count.store(next, ordering: .releasing)
            if hasHelper, next.isMultiple(of: 2) {
                helper.async { [self] in open(frame, slot) }
            } else {
                open(frame, slot)
            }
            if end > last.number { return }
            isFound = try cursor.next()
        }
    }

    private func open(_ frame: FrameSeen, _ slot: Int) {
        defer { tellOpen(slot) }
        do throws(JournalError) {
            try frame.visit { key, stored throws(JournalError) in
                try readers[slot].open(key: key, stored: stored)
            }
            if !openings.isEmpty { try readers[slot].open(openings, first, last) }
        } catch {
            failures.withLock { $0[slot] = error }
        }
    }
}
