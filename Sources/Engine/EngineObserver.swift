import EventLog
import Core

/// Hears what an engine does, and what it fails to do without anybody being answered so.
///
/// Set one with ``EventEngine/Options/observer``. `EngineObservability` has one that writes log lines and metrics.
public protocol EngineObserver: Sendable {
    /// Called on the thread that did it, which waits meanwhile; several threads may call at once.
    ///
    /// Be quick, and do not ask the engine from here.
    func engine(did activity: EngineActivity)
}

/// Something that an engine did.
public enum EngineActivity: Sendable {
    /// Events became durable.
    case committed(Commit)
    /// Events were folded into a state, for a question or a decision.
    case folded(Fold)
    /// The journal's tail was sealed.
    case sealed(Seal)
    /// A folded state was stored, so that the next session folds less.
    case storedViews(StoredViews)
    /// Something failed, and the caller was answered all the same.
    case failed(Failure)

    /// Events that became durable together.
    public struct Commit: Sendable, Hashable {
        /// Of the last of them.
        public let position: Position
        /// How many.
        public let events: Int
        /// Of their payloads, before they were packed.
        public let bytes: Int
        /// From the decision to the flush, waits for others included.
        public let duration: Duration
    }

    /// Events that were folded in one go.
    public struct Fold: Sendable, Hashable {
        /// Of the last of them.
        public let position: Position
        /// How many.
        public let events: Int
        /// How long that took.
        public let duration: Duration
    }

    /// A part of the tail that became blocks.
    public struct Seal: Sendable, Hashable {
        /// Of the last event that is sealed.
        public let position: Position
        /// How many were sealed.
        public let events: Int
        /// How long that took, in whole milliseconds.
        public let duration: Duration
    }

    /// A folded state that was stored.
    public struct StoredViews: Sendable, Hashable {
        /// What the stored state stands at.
        public let position: Position
        /// How long that took.
        public let duration: Duration
    }

    /// Something that failed while what was asked for went well.
    public struct Failure: Sendable, Hashable {
        /// What was tried.
        public let operation: Operation
        /// Why it failed.
        public let error: EngineError
    }

    /// What may fail without a caller being answered so.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Sealing the journal's tail; the next commit tries again.
        case seal
        /// Hashing new events into the tree; the next request for the tree tries again.
        case extendTree
        /// Storing a folded state; the next process folds more.
        case storeViews
        /// Opening the stored views; they are made anew, or done without.
        case openViews
        /// Reading the stored views; they are made anew.
        case readViews
        /// Making room for stored views ahead of need.
        case growViews
        /// Looking at the journal right behind a commit; the next command looks again.
        case readHead
        /// Going on with the state behind a commit; the next command folds it anew.
        case keepState
        /// Destroying the keys of somebody whose erasure is recorded; the next commit tries again.
        case carryOutErasure
        /// Making ready what erasures are carried out with, the persons' keys and the list, while none
        /// waits; the next commit tries again.
        case prepareErasures
    }
}

/// Tells the observer, if there is one.
struct Observation: Sendable {
    let observer: (any EngineObserver)?

    static let none = Observation(observer: nil)

    func tell(_ activity: @autoclosure () -> EngineActivity) {
        observer?.engine(did: activity())
    }

    func failed(_ operation: EngineActivity.Operation, _ error: any Error) {
        tell(.failed(EngineActivity.Failure(operation: operation, error: .wrapping(error))))
    }

    /// Runs what nobody is answered about.
    func attempt<R>(_ operation: EngineActivity.Operation, _ body: () throws -> R) -> R? {
        do {
            return try body()
        } catch {
            failed(operation, error)
            return nil
        }
    }

    func hear(_ note: JournalNote) {
        switch note {
        case .sealed(let position, let events, let milliseconds):
            tell(
                .sealed(
                    EngineActivity.Seal(
                        position: position, events: events, duration: .milliseconds(milliseconds))))
        case .sealingFailed(let error), .checkpointFailed(let error): failed(.seal, error)
        }
    }
}
