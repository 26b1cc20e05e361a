import EventLog
import Events
import Commands

/// A command that is accepted and not yet durable, for when it comes once more.
struct PendingCommand {
    let digest: [UInt8]
    let device: Symbol
    let events: [[UInt8]]
}

/// What has been decided and is not yet durable: the events of all commands of one commit.
///
/// One for all who look at it: a copy would be paid for with every command that is added.
final class PendingBatch {
    private(set) var batch: Batch
    /// What the events of the batch are, and their places in their streams.
    private(set) var kinds: [(type: PayloadType, revision: UInt32)] = []
    /// The position that the next event will have.
    private(set) var next: Position
    private(set) var clock: Clock
    private var heads: [Symbol: StreamHead] = [:]
    private var newTypes: [String: UInt16] = [:]
    /// Accepted commands of this batch, for what comes twice within it.
    private(set) var accepted: [ExactText: PendingCommand] = [:]

    init(_ head: Head, recordedAt: Instant) {
        batch = Batch(recordedAt: recordedAt, firstNewSymbol: head.symbolCount + 1)
        batch.expectedHead = head.position
        next = head.position + 1
        clock = head.clock
    }

    /// Nothing to commit.
    var isEmpty: Bool { batch.events.isEmpty && batch.commands.isEmpty }

    func advance(_ instant: Instant, inclusive: Bool) {
        clock = max(clock, Clock(instant: instant, inclusive: inclusive))
    }

    /// How a stream will stand after the events so far.
    func head(
        of stream: Symbol, _ snapshot: JournalSnapshot
    ) throws -> StreamHead? {
        if let head = heads[stream] { return head }
        guard stream.number <= snapshot.head.symbolCount else { return nil }
        return try snapshot.stream(stream)
    }

    /// Adds a decided event; gives what the outcome tells of it.
    func add(
        _ fact: NewFact, command: Int?, _ session: Session, _ snapshot: JournalSnapshot,
        hidesPersonal: Bool
    ) throws -> OutcomeEvent {
        guard let payload = Vocabulary.byName[fact.type] else {
            throw EngineError(.inputOutput, "\(fact.type) is in no vocabulary; this is a defect")
        }
        let revision = try head(of: fact.stream, snapshot)?.count ?? 0
        heads[fact.stream] = StreamHead(count: revision + 1, lastPosition: next, lastAt: fact.at)
        let personal = hidesPersonal ? [] : fact.personal
        let stored = try sealed(fact, personal, payload, session)
        batch.add(
            NewEvent(
                type: number(of: payload, session.types), stream: fact.stream, at: fact.at,
                actor: fact.actor, device: fact.device, command: command, cause: fact.cause,
                subject: fact.subject, flags: stored.flags),
            tags: fact.tags, payload: stored.payload)
        kinds.append((payload, revision))
        defer { next = next + 1 }
        var reader = BinaryReader(fact.payload, personal: personal, names: session.names)
        return OutcomeEvent(
            position: next, stream: fact.stream, revision: revision, type: payload,
            version: payload.version, at: fact.at,
            origin: Origin.read(from: &reader, flags: fact.flags), payload: reader)
    }

    /// The payload as it is stored: what is personal sealed behind it.
    private func sealed(
        _ fact: NewFact, _ personal: [UInt8], _ type: PayloadType, _ session: Session
    ) throws -> (payload: [UInt8], flags: UInt64) {
        if personal.isEmpty { return (fact.payload, fact.flags) }
        let sealed = try session.persons.seal(
            personal, of: PersonName.of(type.product, fact.subject, session.names),
            at: SealingPlace(position: next, recordedAt: batch.recordedAt))
        return (
            PersonalPart.join(fact.payload, sealed: sealed), fact.flags | PersonalPart.flag
        )
    }

    private func number(of payload: PayloadType, _ types: JournalTypes) -> UInt16 {
        if let number = types.number(of: payload.name) ?? newTypes[payload.name] { return number }
        let number = UInt16(types.count + newTypes.count + 1)
        newTypes[payload.name] = number
        batch.newTypes.append(types.record(for: payload, number: number))
        return number
    }

    /// Opens a command's entry, which its events refer to; `remember` or `refuse` completes it.
    func open(_ line: CommandLine, device: Symbol) -> Int {
        batch.commands.append(
            AcceptedCommand(
                id: Array(line.id.utf8), digest: line.digest, device: device,
                events: batch.events.count..<batch.events.count))
        return batch.commands.count - 1
    }

    /// The command is accepted: its id is used from here on.
    func remember(_ line: CommandLine, _ entry: Int, first: Int, events: [[UInt8]]) {
        batch.commands[entry].events = first..<batch.events.count
        accepted[ExactText(line.id)] = PendingCommand(
            digest: line.digest, device: batch.commands[entry].device, events: events)
    }

    /// A merge accepted the command: `events` are its own, the first of them at `first`.
    func remember(_ command: MergedCommand, first: Int, events: [[UInt8]]) {
        batch.commands.append(
            AcceptedCommand(
                id: Array(command.id.utf8), digest: command.digest, device: command.device,
                events: first..<first + events.count))
        accepted[ExactText(command.id)] = PendingCommand(
            digest: command.digest, device: command.device, events: events)
    }

    /// The command is refused: events may tell of it, but its id stays free.
    func refuse(_ entry: Int, first: Int) {
        batch.commands[entry].isAccepted = false
        batch.commands[entry].events = first..<batch.events.count
    }

    /// The batch as the journal takes it.
    func finished(symbols: [[UInt8]]) -> Batch {
        var batch = batch
        batch.newSymbols = symbols
        batch.clock = clock
        return batch
    }
}
