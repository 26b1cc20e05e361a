package import Core

/// What the journal does, and fails to do, beside what its callers are answered.
package enum JournalNote: Sendable {
    /// The tail was sealed up to here: the number of events sealed.
    case sealed(through: Position, events: Int, milliseconds: Int)
    /// The append that made it due has succeeded all the same.
    case sealingFailed(JournalError)
    /// What was appended is durable by the log, which goes on.
    case checkpointFailed(JournalError)
}
