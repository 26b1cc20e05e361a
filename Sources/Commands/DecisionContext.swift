public import Core
package import Folding

/// Where a decision is taken: the state as the commands before left it, the instant, and who acts.
///
/// What is recorded is folded into the state at once, so that a decision of several steps, such as
/// awards after a submission, sees its own events. If the command is refused, the state is put back.
public final class DecisionContext<Product: Rules> {
    /// The state as the commands before left it, with what this decision recorded so far.
    public let state: Product.State
    public let names: Names
    /// When it happens: the command's instant or the timer's due time; within a command that a merge
    /// brings, the instant at which it happened on its device.
    public private(set) var at: Instant
    /// Who acts: the sender of the command, `system` for a timer.
    public private(set) var actor: Actor
    /// The device that sent the command.
    public let device: Symbol
    /// Which commands were accepted before.
    private let idempotency: any IdempotencyIndex
    /// What the events say of when they happened; within a merge not `at`.
    private let recordedAs: Instant
    private let command: CommandName
    /// The event that a timer's events follow from; zero for a command's.
    private let cause: Position
    private let vocabulary: (String) -> PayloadType?
    /// Of the next recorded event.
    private var place: SealingContext
    /// Set while a command that a merge brings is decided.
    private var origin: Origin?
    /// The events, in the order in which they will stand in the journal.
    package private(set) var recorded: [EventEnvelope] = []
    /// The commands that a merge accepted.
    package private(set) var merged: [MergedCommand] = []
    private var mergedDigests: [ExactText: [UInt8]] = [:]
    private var deferred: [() -> Void] = []
    /// What the last refusal is about.
    private var refused: Refused<Product>?
    /// Set while a command is explained.
    let log: DecisionLog?
    /// It was accepted before, at another state: the right moment for it is not asked.
    package let isToldAgain: Bool
    private let makeHistory: ([EventEnvelope]) -> any History

    package init(state: Product.State, _ input: DecisionInput) {
        self.state = state
        self.names = state.names
        at = input.at
        actor = input.actor
        device = input.device
        idempotency = input.idempotency
        recordedAs = input.at
        command = input.command
        cause = input.cause
        vocabulary = input.vocabulary
        place = input.place
        log = input.log
        isToldAgain = input.isToldAgain
        makeHistory = input.history
    }

    /// Every event so far: durable ones, those of the batch, and those that this decision recorded.
    public var history: any History { makeHistory(recorded) }

    /// The position that the next recorded event will have.
    public var nextPosition: Position { place.position }

    /// The device on which it happens; none where it is not known.
    public var writer: Symbol { origin?.device.symbol ?? device }

    /// It happened on another device, whose journal is being merged.
    public var isMerging: Bool { origin != nil }

    /// Records an event on a stream.
    ///
    /// `things` is what the event is about where its own fields do not say so: their tags find it, and a
    /// person's key seals its personal fields. `superseded` are the fields that lost against a later
    /// write; only a merged event can have any. `at` is for a refusal that must not stand before the last
    /// event of its stream.
    public func record<P: Payload>(
        _ event: P, on stream: String, about things: (kind: String, id: Symbol)...,
        superseded: [String] = [], at instant: Instant? = nil
    ) {
        var collector = TagCollector()
        var copy = event
        copy.fields(&collector)
        var tags = collector.tags + things
        let named = Person.subject(ofTagged: tags) ?? .none
        let subject = named.isNone ? named : state.keyHolder(of: named)
        if subject != named { tags.append((kind: "key", id: subject)) }
        var writer = BinaryWriter()
        var origin = self.origin
        origin?.superseded = superseded
        origin?.write(to: &writer)
        event.write(to: &writer)
        let personal = state.hidesPersonal(of: subject) ? [] : PersonalPart.of(event, names)
        var reader = BinaryReader(writer.bytes, personal: personal, names: names)
        let metadata = EventMetadata(
            position: place.position, at: instant ?? recordedAs, actor: actor.symbol,
            device: device, stream: names.intern(stream), subject: subject, cause: cause,
            command: command,
            origin: Origin.read(from: &reader, flags: origin == nil ? 0 : Origin.flag))
        recorded.append(
            EventEnvelope(
                metadata: metadata, type: vocabulary(P.type) ?? PayloadType(P.self),
                version: P.version, revision: 0, recordedAt: place.recordedAt,
                tags: tags.map { names.intern("\($0.kind):\(names.text($0.id))") },
                place: place, payload: reader, personal: personal))
        if let handler = Product.State.routes.handler(of: P.type) {
            _ = handler.fold(state, metadata, P.version, &reader)
        }
        place.position = place.position + 1
    }

    /// Records an event on the stream of what it is about.
    public func record<P: Payload, T: Thing>(
        _ event: P, on id: Identifier<T>, superseded: [String] = [], at instant: Instant? = nil
    ) {
        record(event, on: stream(of: id), superseded: superseded, at: instant)
    }

    /// Where the events of a thing stand: `PRODUCT/NOUN/ID` (page, Events).
    public func stream<T: Thing>(of id: Identifier<T>) -> String {
        "\(Product.product)/\(T.noun)/\(names.text(id.symbol))"
    }

    /// `forbidden` for a student whose thing it is not.
    public func checkOwner<T: Thing, Owned: Thing>(
        _ student: Identifier<T>, of thing: Identifier<Owned>
    ) throws(Product.Rejection) {
        try checkOwner(student, of: Owned.noun, names.text(thing.symbol))
    }

    /// `forbidden` for a student whose thing of this kind and id it is not. Whose it is, is not said: who asks may be another.
    public func checkOwner<T: Thing>(
        _ student: Identifier<T>, of kind: String, _ id: @autoclosure () -> String
    ) throws(Product.Rejection) {
        guard actor.kind == .student else { return }
        let isOwner = actor.id == student.symbol
        note("owner", .forbidden, isOwner) { [("by", names.text(actor.symbol)), (kind, id())] }
        if isOwner { return }
        throw refuse(.forbidden, .asked(kind: kind, id: id(), by: names.text(actor.symbol)))
    }

    /// A code with what it is about: `throw refuse(…)`.
    public func refuse(_ code: Product.Rejection, _ particular: Particular) -> Product.Rejection {
        refused = Refused(code: code, particular: particular)
        return code
    }

    /// What a refusal says to people: its sentence, and what it is about.
    public func message(of rejection: Product.Rejection) -> String {
        particular(of: rejection).map { rejection.message.ending(with: $0.english) }
            ?? rejection.message
    }

    /// The same in Arabic, where the product speaks it.
    public func messageAr(of rejection: Product.Rejection) -> String? {
        rejection.messageAr.map { message in
            particular(of: rejection).map {
                message.ending(with: $0.arabic { Product.nounAr($0) })
            } ?? message
        }
    }

    func particular(of rejection: Product.Rejection) -> Particular? {
        refused?.code.rawValue.isExactly(rejection.rawValue) == true ? refused?.particular : nil
    }

    /// Does something after all other events of the command: notifications stand at its end.
    public func atEnd(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    package func finish() {
        let bodies = deferred
        deferred = []
        for body in bodies { body() }
    }

    // MARK: Merging

    /// The id of the command that is being merged; empty outside a merge.
    package var mergedCommand: String { origin?.command ?? "" }

    /// Whether a command was accepted with this id, before or in this merge, and said the same; the merge's
    /// own id is taken, too.
    package func known(command id: String, _ digest: [UInt8]) -> KnownCommand {
        if command.text.isExactly(id) { return .other }
        if let merged = mergedDigests[ExactText(id)] { return merged == digest ? .same : .other }
        return idempotency.known(command: id, digest)
    }

    /// Which of the registers a merged write does not take, sorted; a live one takes them all.
    /// `first` is when the thing began, nil for one that has no holder before a write.
    package func superseded(
        _ registers: [String], of holders: Holders, first: Stamp?
    ) -> [String] {
        guard isMerging else { return [] }
        let stamp = Stamp(at, writer)
        return registers.filter { !holders.yields($0, to: stamp, first: first, names) }
            .sorted { $0.precedes($1) }
    }

    /// Decides a command that another device accepted, as of there and then. What it defers stands
    /// with it. It must check everything before it records anything: what it throws is its refusal.
    package func merge<R: Error>(
        _ command: MergedCommand, from origin: Origin, by actor: Actor,
        _ body: () throws(R) -> Void
    ) throws(R) {
        let outer = (at: at, actor: self.actor)
        self.origin = origin
        at = origin.at
        self.actor = actor
        defer {
            self.origin = nil
            at = outer.at
            self.actor = outer.actor
            deferred = []
            refused = nil
        }
        let first = recorded.count
        do throws(R) {
            try body()
        } catch {
            if let code = error as? Product.Rejection { noteRefusal(code) }
            throw error
        }
        finish()
        var command = command
        command.events = first..<recorded.count
        merged.append(command)
        mergedDigests[ExactText(command.id)] = command.digest
    }
}

extension String {
    /// `It does not exist.` with `exam EX-1` becomes `It does not exist: exam EX-1.`
    func ending(with particular: String) -> String {
        "\(last == "." ? dropLast() : self[...]): \(particular)."
    }
}

/// Where and when something is decided, by whom, and what it asks of the journal.
package struct DecisionInput {
    package let at: Instant
    package let actor: Actor
    package let device: Symbol
    package let command: CommandName
    /// The event that a timer's events follow from; zero for a command's.
    package let cause: Position
    /// Of the first event that is recorded.
    package let place: SealingContext
    package let idempotency: any IdempotencyIndex
    /// Where the checks are noted; nil unless the command is explained.
    package var log: DecisionLog?
    /// It was accepted in the journal that this one is restored of, and is told again: what asks only for the right
    /// moment is not asked.
    package var isToldAgain = false
    /// The type of a wire name.
    package let vocabulary: (String) -> PayloadType?
    /// What came before, with the events that the decision itself recorded so far.
    package let history: ([EventEnvelope]) -> any History

    package init(
        at: Instant, actor: Actor, device: Symbol, command: CommandName, cause: Position = .zero,
        place: SealingContext, idempotency: any IdempotencyIndex,
        vocabulary: @escaping (String) -> PayloadType? = { _ in nil },
        history: @escaping ([EventEnvelope]) -> any History = { _ in NoHistory() }
    ) {
        self.at = at
        self.actor = actor
        self.device = device
        self.command = command
        self.cause = cause
        self.place = place
        self.idempotency = idempotency
        self.vocabulary = vocabulary
        self.history = history
    }
}

/// A command that a merge accepted: its id is used from here on.
package struct MergedCommand: Sendable {
    package let id: String
    package let digest: [UInt8]
    package let device: Symbol
    /// Its events among those of the merge.
    package fileprivate(set) var events = 0..<0

    package init(id: String, digest: [UInt8], device: Symbol) {
        self.id = id
        self.digest = digest
        self.device = device
    }
}

/// Which commands were accepted before, live or with a merge.
package protocol IdempotencyIndex: AnyObject {
    func known(command id: String, _ digest: [UInt8]) -> KnownCommand
}

/// What a journal knows of a command's id.
package enum KnownCommand: Sendable {
    /// Nothing: it is free.
    case unknown
    /// It was accepted with the same content, or nobody can tell any more, since an erasure ended it.
    case same
    /// It was accepted with other content.
    case other
}

/// Tells what a command says from what another one under the same id says: SHA-256 over its type,
/// instant, actor and data. The device is not part of it: it is compared where that matters.
package enum CommandDigest: Sendable {
    /// Of what a journal keeps: a MAC of the digest, before format 4 the digest's first bytes.
    package static let storedBytes = 8

    package static func of(
        _ command: String, at: Instant?, by: String, _ data: JSON
    ) -> [UInt8] {
        var writer = JSONWriter()
        // 5.012 is other content than 5.01, though both print alike.
        writer.keepsDecimals = true
        writer.beginArray()
        writer.string(command)
        if let at { writer.instant(at) } else { writer.null() }
        writer.string(by)
        writer.value(data)
        writer.endArray()
        return SHA256Digest.of(writer.bytes)
    }
}
