import EventLog
import Core

/// Why the engine cannot do what was asked: one line that says what, where, and what to do.
///
/// A command that a rule refuses is no error: it has an ``Outcome``.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a caller may do about it, roughly.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A check found what must not be so.
        case checkFailed
        /// The question or request has no answer: ask otherwise.
        case wrongUse
        /// The actor in whose name it was asked may not see it, whether or not it exists.
        case refused
        /// What was handed in, or is stored, is not of the form that it must have.
        case badInput
        /// There is no journal at the path.
        case noJournal
        /// Something is there already, or the place cannot be written to.
        case cannotCreate
        /// The system failed: a disk that is full, a file that may not be read.
        case inputOutput
        /// Somebody else held what is needed for too long; again later may do.
        case busy
        /// The engine was closed.
        case closed
    }

    /// What a caller may do about it, roughly.
    public let kind: Kind
    /// What happened, where, and what to do, without a full stop.
    public let message: String
    /// The same as a value, where a program may want to say it in words of its own.
    public let reason: Reason?
    /// What stored bytes are to blame for, without advice; nil where something else is.
    package let damage: String?

    /// An error of one's own, such as from a closure that an engine calls.
    public init(_ kind: Kind, _ message: String) {
        self.init(kind, message, reason: nil, damage: nil)
    }

    init(_ reason: Reason) {
        self.init(reason.kind, reason.message, reason: reason, damage: nil)
    }

    private init(_ kind: Kind, _ message: String, reason: Reason?, damage: String?) {
        self.kind = kind
        self.message = message
        self.reason = reason
        self.damage = damage
    }

    /// The message.
    public var description: String { message }
}

extension EngineError {
    init(_ error: JournalError) {
        if case .noKeys(let path) = error.kind {
            self.init(.noKeys(path: path))
            return
        }
        let kind: Kind =
            switch error.kind {
            case .notAJournal: .noJournal
            case .alreadyThere, .cannotCreate: .cannotCreate
            case .newerFormat, .damaged, .viewsDamaged: .badInput
            case .busy: .busy
            case .permission, .networkFileSystem, .full, .inputOutput, .conflict, .tooLarge,
                .readOnly, .noKeys, .invalid:
                .inputOutput
            }
        self.init(
            kind, error.description, reason: nil, damage: error.isDamage ? error.what : nil)
    }

    /// Whatever came from beneath, as the engine says it.
    package static func wrapping(_ error: any Error) -> EngineError {
        switch error {
        case let error as EngineError: error
        case let error as JournalError: EngineError(error)
        default: EngineError(.inputOutput, "\(error); run verify")
        }
    }
}

/// Runs a body whose errors become the engine's.
func engineErrors<R>(_ body: () throws -> R) throws(EngineError) -> R {
    do {
        return try body()
    } catch {
        throw .wrapping(error)
    }
}
