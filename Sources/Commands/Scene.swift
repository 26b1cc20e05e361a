package import Events
package import Facts

/// Where a decision is taken: the state as the commands before left it, the instant, and who acts.
///
/// What is recorded is folded into the state at once, so that a decision of several steps, such as
/// awards after a submission, sees its own facts. If the command is refused, the state is put back.
package final class Scene<State: FoldedState> {
    package let state: State
    package let names: Names
    /// The command's instant, or the timer's due time.
    package let at: Instant
    package let actor: Actor
    package let device: Symbol
    /// The event that a timer's events follow from; zero for a command's.
    private let cause: Position
    private var next: Position
    /// The facts, in the order in which they will stand in the journal.
    package private(set) var recorded: [NewFact] = []
    private var deferred: [() -> Void] = []

    package init(
        state: State, at: Instant, actor: Actor, device: Symbol, cause: Position, next: Position
    ) {
        self.state = state
        self.names = state.names
        self.at = at
        self.actor = actor
        self.device = device
        self.cause = cause
        self.next = next
    }

    /// Records a fact on a stream.
    ///
    /// `person` is whom the fact is about where its own fields do not say so: their key seals its
    /// personal fields, and their tag finds it.
    package func record<P: Payload>(
        _ fact: P, on stream: String, about person: (kind: String, id: Symbol)? = nil
    ) {
        var collector = TagCollector()
        var copy = fact
        copy.fields(&collector)
        var tags = collector.tags
        if let person { tags.append(person) }
        let subject = tags.first { $0.kind == "student" || $0.kind == "account" }?.id ?? .none
        var writer = BinaryWriter()
        fact.write(to: &writer)
        let new = NewFact(
            type: P.type, stream: names.intern(stream), at: at, actor: actor.symbol, device: device,
            cause: cause, subject: subject,
            tags: tags.map { names.intern("\($0.kind):\(names.text($0.id))") },
            payload: writer.bytes)
        recorded.append(new)
        fold(new, version: P.version)
        next = next + 1
    }

    private func fold(_ new: NewFact, version: UInt16) {
        guard let handler = State.routes.handler(of: new.type) else { return }
        let event = Circumstances(
            position: next, at: new.at, actor: new.actor, device: new.device, stream: new.stream,
            subject: new.subject, cause: new.cause)
        var reader = BinaryReader(
            new.payload, range: 0..<new.payload.count,
            hidesPersonal: state.hidesPersonal(of: new.subject))
        _ = handler(state, event, version, &reader)
    }

    /// Does something after all other events of the command: notifications stand at its end.
    package func atEnd(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    package func finish() {
        let bodies = deferred
        deferred = []
        for body in bodies { body() }
    }
}

/// A fact that is decided and not yet durable.
package struct NewFact: Sendable {
    package let type: String
    package let stream: Symbol
    package let at: Instant
    package let actor: Symbol
    package let device: Symbol
    package let cause: Position
    package let subject: Symbol
    package let tags: [Symbol]
    package let payload: [UInt8]
}
