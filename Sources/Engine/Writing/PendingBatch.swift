import EventLog
import Core
import Commands

/// A command that is accepted and not yet durable, for when it comes once more.
struct PendingCommand {
    let digest: [UInt8]
    let device: Symbol
    /// What the outcome lists: what its timers recorded in commits before comes first.
    let events: [ListedEvent]
    /// Those of the batch, the last of them.
    let own: Range<Int>
}

/// What has been decided and is not yet durable: the events of all commands of one commit.
///
/// One for all who look at it: a copy would be paid for with every command that is added.
final class PendingBatch {
    private(set) var batch: Batch
    /// The batch's events as they were decided, each at its revision.
    private(set) var events: [EventEnvelope] = []
    /// Of each: the slot with the key that sealed it, or 0.
    private var slots: [UInt32] = []
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

    init(_ head: Head, term: UInt32, recordedAt: Instant, seals: Bool = true) {
        self.seals = seals
        batch = Batch(recordedAt: recordedAt, firstNewSymbol: head.symbolCount + 1)
        batch.expectedHead = head.position
        batch.term = max(head.term, term)
        next = head.position + 1
        clock = head.clock
    }

    /// Nothing to commit.
    var isEmpty: Bool { batch.events.isEmpty && batch.commands.isEmpty }

    /// What is decided from here on is learnt at this instant.
    func goOn(at instant: Instant) { batch.recordedAt = instant }

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

    /// Where the next event will be sealed.
    var place: SealingContext {
        SealingContext(
            position: next, recordedAt: batch.recordedAt, term: batch.term, salt: batch.salt)
    }

    /// Adds a decided event, and gives it as the outcome lists it.
    func add(
        _ decided: EventEnvelope, command: Int?, _ session: Session, _ snapshot: JournalSnapshot,
        hidesPersonal: Bool
    ) throws -> EventEnvelope {
        let metadata = decided.metadata
        let revision = try head(of: metadata.stream, snapshot)?.count ?? 0
        let event = (hidesPersonal ? decided.hidingPersonal : decided).with(revision: Int(revision))
        heads[metadata.stream] = StreamHead(
            count: revision + 1, lastPosition: next, lastAt: metadata.at)
        let stored = try sealed(event, session)
        var record = EventRecord(
            type: try number(of: event.type, session.types), stream: metadata.stream,
            at: metadata.at, actor: metadata.actor, device: metadata.device, command: command,
            cause: metadata.cause, subject: metadata.subject, flags: stored.flags,
            tags: event.tags)
        record.revision = revision
        batch.add(record, payload: stored.payload)
        events.append(event)
        slots.append(stored.slot)
        next = next + 1
        return event
    }

    /// The payload as it is stored: what is personal sealed behind it.
    private func sealed(
        _ event: EventEnvelope, _ session: Session
    ) throws -> (payload: [UInt8], flags: UInt64, slot: UInt32) {
        let payload = event.payload.bytes
        let flags = event.metadata.isMerged ? Origin.flag : 0
        if event.personal.isEmpty { return (payload, flags, 0) }
        if !seals {
            // Its clear text is kept beside it.
            let nothing = SealedPart.bytes(slot: .max, box: [])
            return (PersonalPart.join(payload, sealed: nothing), flags | PersonalPart.flag, 0)
        }
        let sealed = try session.persons.keys.seal(
            event.personal,
            of: PersonKeys.Name(event.type.product, event.metadata.subject, session.names),
            event.type, at: place)
        return (
            PersonalPart.join(payload, sealed: sealed), flags | PersonalPart.flag,
            SealedPart(sealed, 0..<sealed.count)?.slot ?? 0
        )
    }

    private func number(of payload: PayloadType, _ types: JournalTypes) throws -> UInt16 {
        if let number = types.number(of: payload) ?? newTypes[payload.name] { return number }
        guard types.registry.payload(payload.name) != nil else {
            throw EngineError(
                .inputOutput, "\(payload.name) is in no vocabulary; this is a defect")
        }
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
    func remember(_ line: CommandEnvelope, _ entry: Int, first: Int, events: [ListedEvent]) {
        let own = first..<batch.events.count
        batch.commands[entry].events = own
        accepted[ExactText(line.id)] = PendingCommand(
            digest: line.digest, device: batch.commands[entry].device, events: events, own: own)
    }

    /// A merge accepted the command: `events` are its own, the first of them at `first`.
    func remember(_ command: MergedCommand, first: Int, events: [ListedEvent]) {
        let own = first..<first + events.count
        append(command.id, command.digest, device: command.device, events: own)
        accepted[ExactText(command.id)] = PendingCommand(
            digest: command.digest, device: command.device, events: events, own: own)
    }

    /// Whether what was sealed of it belongs to somebody who is erased since: nobody can tell then what it said.
    func isOfErased(_ command: PendingCommand, _ session: Session) -> Bool {
        events[command.own].contains { !$0.personal.isEmpty && session.hides($0) }
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
            let slots = Self.distinct(slots[batch.commands[index].events])
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
