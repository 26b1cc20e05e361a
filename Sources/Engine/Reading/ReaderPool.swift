import Dispatch
import EventLog
import Core
import Synchronization

/// A few readers, each used by one caller at a time: questions do not wait for one another until all are busy.
///
/// The reader that was busy last is taken first, so that few hold what is asked for over and over.
final class ReaderPool: Sendable {
    /// A reader, and the thread on which it serves tasks. Its holder has exclusive use.
    private final class Slot: @unchecked Sendable {
        /// Nil until its first use.
        private var reader: Reader?
        let thread = DispatchQueue(label: "sijill.read")

        init(_ reader: Reader?) { self.reader = reader }

        func open(_ make: Make) throws(EngineError) -> Reader {
            if let reader { return reader }
            let made = try make()
            reader = made
            return made
        }

        var storedPosition: Position { reader?.storedPosition ?? .zero }

        /// What that was when it was taken.
        var before = Position.zero

        func forget() { reader?.forget() }

        func forget(olderThan stored: Position) { reader?.forget(olderThan: stored) }
    }

    typealias Make = @Sendable () throws(EngineError) -> Reader
    /// Is given a slot, on whatever thread gives one back, and must not keep that.
    private typealias Waiter = @Sendable (Slot) -> Void

    private struct State {
        var idle: [Slot]
        /// How many there are, idle or busy.
        var count = 1
        var waiting: [Waiter] = []
        /// What the stored views stood at when one of the readers stored them, or opened them, last.
        var stored = Position.zero
        var isForgetful = false
    }

    private let state: Mutex<State>
    private let most: Int
    private let make: Make

    init(_ first: sending Reader, atMost most: Int, _ make: @escaping Make) {
        state = Mutex(State(idle: [Slot(first)]))
        self.most = most
        self.make = make
    }

    /// Runs `body` with a reader; keeps the calling thread until there is one, and until it is done.
    func read<R>(_ body: (Reader) throws -> R) throws(EngineError) -> R {
        let slot = wait()
        defer { giveBack(slot) }
        return try run(body, slot)
    }

    /// Runs `body` with a reader, on a thread of the reader's.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (Reader) throws -> R
    ) async -> Result<R, EngineError> {
        await withCheckedContinuation { continuation in
            take { slot in
                slot.thread.async {
                    let result = Result { () throws(EngineError) in try self.run(body, slot) }
                    self.giveBack(slot)
                    continuation.resume(returning: result)
                }
            }
        }
    }

    /// Lets go of what the readers have folded, and of what they will.
    func forget() {
        state.withLock { state in
            state.isForgetful = true
            for slot in state.idle { slot.forget() }
        }
    }

    private func run<R>(_ body: (Reader) throws -> R, _ slot: Slot) throws(EngineError) -> R {
        let reader = try slot.open(make)
        do {
            do {
                return try body(reader)
            } catch let error as JournalError where error.kind == .viewsDamaged {
                reader.forgetStored(error)  // a row may turn out damaged as late as in a view
                return try body(reader)
            }
        } catch {
            let error = EngineError.wrapping(error)
            // What was asked wrongly, or may not be seen, says nothing against what is folded.
            if error.kind != .wrongUse, error.kind != .refused { reader.forget() }
            throw error
        }
    }

    /// Whoever decides has stored a state: what idle readers have of one before keeps pages of the views from being
    /// used again.
    func didStore(_ position: Position) {
        state.withLock { state in
            guard position > state.stored else { return }
            state.stored = position
            for slot in state.idle { slot.forget(olderThan: position) }
        }
    }

    // MARK: Taking turns

    private func take(_ waiter: @escaping Waiter) {
        let slot = state.withLock { state -> Slot? in
            if let idle = state.idle.popLast() {
                idle.before = idle.storedPosition
                return idle
            }
            guard state.count < most else {
                state.waiting.append(waiter)
                return nil
            }
            state.count += 1
            return Slot(nil)
        }
        if let slot { waiter(slot) }
    }

    private func wait() -> Slot {
        let handover = Handover()
        take { handover.give($0) }
        return handover.taken()
    }

    /// A slot for a thread that waits.
    private final class Handover: Sendable {
        private let given = Mutex<Slot?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ slot: Slot) {
            given.withLock { $0 = slot }
            isThere.signal()
        }

        func taken() -> Slot {
            isThere.wait()
            return given.withLock { $0 } ?? Slot(nil)
        }
    }

    private func giveBack(_ slot: Slot) {
        let next = state.withLock { state -> Waiter? in
            if slot.storedPosition != slot.before { state.stored = slot.storedPosition }
            // A state on top of what was stored before keeps pages of the views from being used again.
            for each in state.idle + [slot] {
                if state.isForgetful {
                    each.forget()
                } else {
                    each.forget(olderThan: state.stored)
                }
            }
            slot.before = slot.storedPosition
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.idle.append(slot)
            return nil
        }
        next?(slot)
    }
}
