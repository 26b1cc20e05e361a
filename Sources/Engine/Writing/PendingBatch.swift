import EventLog
import Core
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
    /// What the batch does not say of one of its events.
    struct Kind {
        let type: PayloadType
        /// What is sealed of it, in clear; empty if nothing is.
        let personal: [UInt8]
        /// The slot with the key that sealed it, or 0.
        let slot: UInt32
    }

    /// Of each event of the batch.
    private(set) var kinds: [Kind] = []
    /// Of each command of the batch: over what it said.
    private var digests: [[UInt8]] = []
    /// The position that the next event will have.
    private(set) var next: Position
    private(set) var clock: JournalClock
    private var heads: [Symbol: StreamHead] = [:]
    private var newTypes: [String: UInt16] = [:]
    /// Accepted commands of this batch, for what comes twice within it.
    private(set) var accepted: [ExactText: PendingCommand] = [:]

    /// Whether personal fields are sealed; nothing is where nothing will be recorded.
    private let seals: Bool

    init(_ head: Head, recordedAt: Instant, seals: Bool = true) {
        self.seals = seals
        batch = Batch(recordedAt: recordedAt, firstNewSymbol: head.symbolCount + 1)
        batch.expectedHead = head.position
        batch.term = head.term
        next = head.position + 1
        clock = head.clock
    }

    /// Nothing to commit.
    var isEmpty: Bool { batch.events.isEmpty && batch.commands.isEmpty }

    func advance(_ instant: Instant, inclusive: Bool) {
        clock = max(clock, JournalClock(instant: instant, inclusive: inclusive))
    }

    /// How a stream will stand after the events so far.
    func head(
        of stream: Symbol, _ snapshot: JournalSnapshot
    ) throws -> StreamHead? {
        if let head = heads[stream] { return head }
        guard stream.number <= snapshot.head.symbolCount else { return nil }
        return try snapshot.stream(stream)
    }

    /// Adds a decided event, and gives it as the outcome lists it.
    func add(
        _ fact: DecidedEvent, command: Int?, _ session: Session, _ snapshot: JournalSnapshot,
        hidesPersonal: Bool
    ) throws -> EventEnvelope {
        guard let payload = session.types.registry.payload(fact.type) else {
            throw EngineError(.inputOutput, "\(fact.type) is in no vocabulary; this is a defect")
        }
        let revision = try head(of: fact.stream, snapshot)?.count ?? 0
        heads[fact.stream] = StreamHead(count: revision + 1, lastPosition: next, lastAt: fact.at)
        let personal = hidesPersonal ? [] : fact.personal
        let stored = try sealed(fact, personal, payload, session)
        var record = EventRecord(
            type: number(of: payload, session.types), stream: fact.stream, at: fact.at,
            actor: fact.actor, device: fact.device, command: command, cause: fact.cause,
            subject: fact.subject, flags: stored.flags, tags: fact.tags)
        record.revision = revision
        batch.add(record, payload: stored.payload)
        kinds.append(Kind(type: payload, personal: personal, slot: stored.slot))
        defer { next = next + 1 }
        return envelope(
            record, payload, at: next,
            BinaryReader(fact.payload, personal: personal, names: session.names))
    }

    /// An event that is not durable yet, with what its frame will say of it.
    func envelope(
        _ record: EventRecord, _ type: PayloadType, at position: Position,
        _ payload: BinaryReader
    ) -> EventEnvelope {
        var reader = payload
        let command = record.command.map { batch.commands[$0].id } ?? []
        let metadata = EventMetadata(
            position: position, at: record.at, actor: record.actor, device: record.device,
            stream: record.stream, subject: record.subject, cause: record.cause,
            command: CommandName(command, 0..<command.count),
            origin: Origin.read(from: &reader, flags: record.flags))
        return EventEnvelope(
            metadata: metadata, type: type, version: type.version,
            revision: Int(record.revision), recordedAt: batch.recordedAt, tags: record.tags,
            place: sealingContext(at: position), payload: reader)
    }

    private func sealingContext(at position: Position) -> SealingContext {
        SealingContext(
            position: position, recordedAt: batch.recordedAt, term: batch.term, salt: batch.salt)
    }

    /// The payload as it is stored: what is personal sealed behind it.
    private func sealed(
        _ fact: DecidedEvent, _ personal: [UInt8], _ type: PayloadType, _ session: Session
    ) throws -> (payload: [UInt8], flags: UInt64, slot: UInt32) {
        if personal.isEmpty { return (fact.payload, fact.flags, 0) }
        if !seals {
            // What it says in clear stands beside it.
            let nothing = SealedPart.bytes(slot: .max, box: [])
            return (
                PersonalPart.join(fact.payload, sealed: nothing), fact.flags | PersonalPart.flag, 0
            )
        }
        let sealed = try session.persons.keys.seal(
            personal, of: PersonKeys.Name(type.product, fact.subject, session.names), type,
            at: sealingContext(at: next))
        return (
            PersonalPart.join(fact.payload, sealed: sealed), fact.flags | PersonalPart.flag,
            SealedPart(sealed, 0..<sealed.count)?.slot ?? 0
        )
    }

    private func number(of payload: PayloadType, _ types: JournalTypes) -> UInt16 {
        if let number = types.number(of: payload) ?? newTypes[payload.name] { return number }
        let number = UInt16(types.count + newTypes.count + 1)
        newTypes[payload.name] = number
        batch.newTypes.append(types.record(for: payload, number: number))
        return number
    }

    /// Opens a command's entry, which its events refer to; `remember` or `refuse` completes it.
    func open(_ line: CommandEnvelope, device: Symbol) -> Int {
        append(
            line.id, line.digest, device: device,
            events: batch.events.count..<batch.events.count)
        return batch.commands.count - 1
    }

    private func append(
        _ id: String, _ digest: [UInt8], device: Symbol, events: Range<Int>
    ) {
        batch.commands.append(
            AcceptedCommand(
                id: Array(id.utf8), digest: Array(digest.prefix(CommandDigest.storedBytes)),
                device: device, events: events))
        digests.append(digest)
    }

    /// The command is accepted: its id is used from here on.
    func remember(_ line: CommandEnvelope, _ entry: Int, first: Int, events: [[UInt8]]) {
        batch.commands[entry].events = first..<batch.events.count
        accepted[ExactText(line.id)] = PendingCommand(
            digest: line.digest, device: batch.commands[entry].device, events: events)
    }

    /// A merge accepted the command: `events` are its own, the first of them at `first`.
    func remember(_ command: MergedCommand, first: Int, events: [[UInt8]]) {
        append(
            command.id, command.digest, device: command.device,
            events: first..<first + events.count)
        accepted[ExactText(command.id)] = PendingCommand(
            digest: command.digest, device: command.device, events: events)
    }

    /// The command is refused: events may tell of it, but its id stays free.
    func refuse(_ entry: Int, first: Int) {
        batch.commands[entry].isAccepted = false
        // Nobody asks what it said: it may come again with other content.
        batch.commands[entry].digest = Array(repeating: 0, count: CommandDigest.storedBytes)
        batch.commands[entry].events = first..<batch.events.count
    }

    /// All commands are decided: what they are remembered by is made with the keys that sealed their events,
    /// and the slots that nobody named yet are named.
    func close(_ keys: PersonKeys, _ names: Names) throws {
        for index in batch.commands.indices where batch.commands[index].isAccepted {
            let slots = Self.distinct(kinds[batch.commands[index].events].map(\.slot))
            guard let mac = try keys.mac(of: digests[index], slots: slots, isNew: true) else {
                throw EngineError(
                    .inputOutput, "a key that seals what is recorded is gone; this is a defect")
            }
            batch.commands[index].digest = mac
        }
        batch.newSlots = keys.freshSlots.map { $0.named(names) }
    }

    /// In the order in which they come first, without 0.
    static func distinct(_ slots: some Sequence<UInt32>) -> [UInt32] {
        var found: [UInt32] = []
        for slot in slots where slot > 0 && !found.contains(slot) { found.append(slot) }
        return found
    }

    /// The batch as the journal takes it.
    func finished(symbols: [[UInt8]]) -> Batch {
        var batch = batch
        batch.newSymbols = symbols
        batch.clock = clock
        return batch
    }
}

extension FreshSlot {
    /// As a frame names it.
    func named(_ names: Names) -> NamedSlot {
        NamedSlot(
            number: number, product: name.product.isEmpty ? .none : names.intern(name.product),
            person: name.person.isEmpty ? .none : names.intern(name.person), digest: digest)
    }
}
