/// What surrounds a fact: where and when it was recorded, by whom, on which device.
package struct Circumstances: Sendable {
    package var position: Position
    /// When it happened.
    package var at: Instant
    /// Who acted: the symbol of `student:S-1`.
    package var actor: Symbol
    package var device: Symbol
    package var stream: Symbol
    /// The person whose key the personal fields hang on.
    package var subject: Symbol
    /// The event that a timer's event follows from; zero for a command's own.
    package var cause: Position

    package init(
        position: Position, at: Instant, actor: Symbol, device: Symbol, stream: Symbol,
        subject: Symbol, cause: Position
    ) {
        self.position = position
        self.at = at
        self.actor = actor
        self.device = device
        self.stream = stream
        self.subject = subject
        self.cause = cause
    }

    /// The instant at which it really happened, on whichever device (ExamRoom, Outside the engine).
    package var moment: Instant { at }

    /// The device on which it really happened; none where it is not known.
    package var writer: Symbol { device }
}
