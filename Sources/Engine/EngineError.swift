import EventLog
import Core

/// Why the engine cannot do what was asked: one line that says what, where, and what to do.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The raw value is the exit code of `replay` (contract, replay.md; sysexits).
    public enum Kind: Int32, Sendable {
        case checkFailed = 1
        case wrongUse = 64
        case badInput = 65
        case noJournal = 66
        case cannotCreate = 73
        case inputOutput = 74
        case busy = 75
    }

    public let kind: Kind
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var exitCode: Int32 { kind.rawValue }
    public var description: String { message }
}

extension EngineError {
    init(_ error: JournalError) {
        let kind: Kind =
            switch error.kind {
            case .notAJournal: .noJournal
            case .alreadyThere, .cannotCreate: .cannotCreate
            case .newerFormat, .damaged, .viewsDamaged: .badInput
            case .busy: .busy
            case .permission, .networkFileSystem, .full, .inputOutput, .conflict, .tooLarge,
                .readOnly, .invalid:
                .inputOutput
            }
        self.init(kind, error.description)
    }

    /// Whatever came from beneath, as the engine says it.
    static func wrapping(_ error: any Error) -> EngineError {
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
