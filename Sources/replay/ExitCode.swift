internal import Engine

/// The exit codes of the contract (replay.md; sysexits).
enum ExitCode {
    /// What was compared differs, or nothing was found.
    static let differs: Int32 = 1
    static let wrongUse: Int32 = 64

    static func of(_ kind: EngineError.Kind) -> Int32 {
        switch kind {
        case .checkFailed: 1
        case .wrongUse: wrongUse
        case .badInput: 65
        case .noJournal: 66
        case .refused: 77
        case .cannotCreate: 73
        case .inputOutput, .closed: 74
        case .busy: 75
        }
    }
}
