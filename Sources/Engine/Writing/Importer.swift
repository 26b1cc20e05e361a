import Commands
import EventLog
import Core
import Proofs

/// Turns the lines of an export back into a journal: same positions, revisions and contents.
struct Importer {
    private let journal: Journal
    let names: Names
    private let persons: Persons
    private var types: JournalTypes
    private var batch: Batch?
    private var next = Position(1)
    private var revisions: [Symbol: Int] = [:]
    /// As bytes: ids that differ in their normal forms alone are two.
    private var commandIndex: [ExactText: Int] = [:]
    private var commands = ImportedCommands()
    /// The slots for what is sealed of a person: with their key, and with one that is not here.
    private var slots: [PersonKeys.Name: (living: UInt32?, empty: UInt32?)] = [:]
    /// Those of them with which something is sealed.
    private var used: Set<UInt32> = []
    /// Where the keys come from that no line brings.
    private let source: KeySource?
    /// Of the line that is taken.
    private var place: LinePlace

    /// The keys for a restore.
    struct KeySource {
        let copy: KeyCopy?
        /// Their keys are not taken.
        let erased: Set<PersonKeys.Name>
    }

    /// - Parameter headerLine: the number of the header's line, which the caller has read.
    init(
        _ journal: Journal, _ registry: Registry, headerLine: Int, keys source: KeySource? = nil
    ) throws {
        place = LinePlace(number: headerLine)
        self.journal = journal
        self.source = source
        names = Names(source: JournalSymbols(journal), stored: 0)
        types = try JournalTypes([], registry)
        persons = Persons(journal)
        try persons.keys.prepareToWrite(slotCount: journal.head().slotCount)
        if let secret = source?.copy?.keys(of: .journal).last {
            _ = try slot(of: .journal, key: secret)
        }
    }

    /// At most this many events go into one frame.
    private static let frameEvents = 4096

    mutating func take(_ line: [UInt8]) throws {
        place.number += 1
        if line.isEmpty { return }
        let json: JSON
        do {
            json = try JSON(parsing: line)
        } catch {
            throw refusal("not JSON: \(error)")
        }
        if json["accepted"] != nil {
            try takeCommand(json, bytes: line.count)
        } else if json["key"] != nil {
            try takeKey(json)
        } else {
            try takeEvent(json, bytes: line.count)
        }
    }

    mutating func finish() throws -> ImportReport {
        try takeWaiting()
        // An export has a key before the first event that it opens. One of nobody's events would stay for good.
        let idle = slots.filter { name, slot in
            name != .journal && slot.living.map { !used.contains($0) } ?? false
        }
        if let person = idle.keys.map(\.text).min() {
            throw EngineError(
                .badInput,
                "the key of \(person) opens no event of the export; import a file that export wrote"
            )
        }
        try flush()
        let snapshot = try journal.snapshot()
        persons.carryOut(snapshot, types, names)
        if let trouble = persons.trouble { throw trouble }
        try TreeKeeper(journal, types.registry).extend()
        let head = snapshot.head.position.number
        return ImportReport(events: head, position: snapshot.head.position)
    }

    /// The lines that follow are of this file of a backup.
    mutating func begin(_ file: String, headerLine: Int) {
        place = LinePlace(file: file, number: headerLine)
    }

    func refusal(_ reason: String) -> EngineError {
        EngineError(.badInput, "\(place.text): \(reason); \(place.advice)")
    }

    // MARK: Events

    private mutating func takeEvent(_ json: JSON, bytes: Int) throws {
        var input = JSONInput(names: names, path: "event")
        guard let line = EventLine.read(json, from: &input) else {
            throw refusal(input.problem ?? "not an event")
        }
        if waiting.recordedAt != line.recordedAt { try takeWaiting() }
        guard line.sealed != nil else { return waiting.add(line, place, bytes: bytes) }
        try prepareBatch(recordedAt: line.recordedAt, sealed: line.sealed, at: line.position)
        try takeWaiting()
        try add(line)
    }

    /// A command that began with events that seal nothing may seal one later, and all of its events stand in the frame that
    /// has the salt of that.
    private var waiting = WaitingLines()

    private mutating func takeWaiting() throws {
        let place = place
        for (linePlace, line) in waiting.takeAll() {
            self.place = linePlace
            switch line {
            case .event(let line): try add(line)
            case .command(let line): try add(line)
            }
        }
        self.place = place
    }

    private mutating func add(_ line: EventLine) throws {
        guard line.position == next else {
            throw refusal("expected position \(next.number), found \(line.position.number)")
        }
        guard let payload = types.registry.payload(line.type)?.version(line.version) else {
            throw refusal("unknown event type \(line.type) version \(line.version)")
        }
        var data = JSONInput(names: names, path: "data")
        data.stream = line.stream
        data.isRecorded = true
        let (own, origin) = line.splitData
        var bytes: [UInt8] = []
        if let origin {
            guard let origin = Origin.read(origin, from: &data) else {
                throw refusal(data.problem ?? "origin of another form")
            }
            var writer = BinaryWriter()
            origin.write(to: &writer)
            bytes = writer.bytes
        }
        guard let facts = payload.readJSON(own, &data) else {
            throw refusal(data.problem ?? "data of another form")
        }
        bytes += facts.payload
        let problem = ImportCheck.problem(
            line, payload, bytes, hasOrigin: origin != nil, names)
        if let problem { throw refusal(problem) }
        var flags = origin == nil ? 0 : Origin.flag
        var subject = self.subject(of: line.tags)
        try prepareBatch(recordedAt: line.recordedAt, sealed: line.sealed, at: line.position)
        if let sealed = line.sealed {
            subject = try self.subject(of: sealed, payload)
            bytes = PersonalPart.join(
                bytes, sealed: try self.sealed(sealed, facts.personal, line, payload))
            flags |= PersonalPart.flag | (sealed.term == nil ? PersonalPart.formerFlag : 0)
        } else if !facts.personal.isEmpty {
            throw refusal("data: there are personal fields, and nothing is sealed")
        }
        let stream = names.intern(line.stream)
        guard line.revision == revisions[stream, default: 0] else {
            throw refusal("\(line.stream) has a gap before revision \(line.revision)")
        }
        revisions[stream, default: 0] += 1
        // Taken out, so that adding to it copies nothing; a refusal ends the import.
        guard var batch = batch.take() else { return }
        if types.number(of: payload) == nil {
            let record = types.record(for: payload, number: UInt16(types.count + 1))
            try types.add(record)
            batch.newTypes.append(record)
        }
        batch.add(
            EventRecord(
                type: types.number(of: payload) ?? 0, stream: stream, at: line.at,
                actor: names.intern(line.by),
                device: line.device.map { names.intern($0) } ?? .none,
                command: command(of: line, in: &batch), cause: line.cause ?? .zero,
                subject: subject, flags: flags, tags: line.tags.map { names.intern($0) }),
            payload: bytes)
        self.batch = batch
        next = next + 1
    }

    // MARK: What is sealed

    private mutating func takeKey(_ json: JSON) throws {
        var input = JSONInput(names: names, path: "key")
        guard let line = KeyRecord.read(json, from: &input) else {
            throw refusal(input.problem ?? "not a key")
        }
        guard let key = Hex.bytes(line.key), key.count == 32 else {
            throw refusal("key: expected 64 lower-case hex digits")
        }
        let person = PersonKeys.Name(text: line.person)
        guard person.text == line.person else { throw refusal("person: expected PRODUCT/ID") }
        guard slots[person]?.living == nil else {
            throw refusal("key: a second key of \(line.person)")
        }
        _ = try slot(of: person, key: key)
    }

    private mutating func slot(of person: PersonKeys.Name, key: [UInt8]) throws -> UInt32 {
        let slot = try persons.keys.adopt(key, of: person)
        slots[person, default: (nil, nil)].living = slot
        return slot
    }

    private mutating func emptySlot(of person: PersonKeys.Name) throws -> UInt32 {
        if let slot = slots[person]?.empty { return slot }
        let slot = try persons.keys.addEmpty(
            of: person, isDestroyed: source?.erased.contains(person) ?? false)
        slots[person, default: (nil, nil)].empty = slot
        return slot
    }

    /// The box as it is, so that the tree has the same hash; what the line says in clear must be in it.
    private mutating func sealed(
        _ sealed: SealedMember, _ clear: [UInt8], _ line: EventLine, _ payload: PayloadType
    ) throws -> [UInt8] {
        let (place, box) = try parts(of: sealed, line)
        let person = PersonKeys.Name(text: sealed.person)
        guard person.text == sealed.person, sealed.person != PersonKeys.Name.journal.text else {
            throw refusal("sealed.person: expected PRODUCT/ID")
        }
        // Of a restore, each key that the copy has may be the one.
        if slots[person]?.living == nil, let source, !source.erased.contains(person) {
            for key in source.copy?.keys(of: person) ?? []
            where PersonKeys.opened(box, with: key, payload, at: place) != nil {
                _ = try slot(of: person, key: key)
                break
            }
        }
        if let slot = slots[person]?.living, let key = try persons.keys.key(in: slot) {
            if let opened = PersonalPart.content(
                PersonKeys.opened(box, with: key, payload, at: place))
            {
                guard clear.isEmpty || opened == clear else {
                    throw refusal("data: the personal fields are not what is sealed")
                }
                used.insert(slot)
                return SealedPart.bytes(slot: slot, box: box)
            }
            guard source != nil else {
                throw refusal("sealed.box does not open with the key of \(sealed.person)")
            }
        }
        guard clear.isEmpty else {
            throw refusal("data: there are personal fields, and no line with the key to them")
        }
        return SealedPart.bytes(slot: try emptySlot(of: person), box: box)
    }

    /// The entry that the event's command has in the frame; refused ones keep it as it is.
    private mutating func command(of line: EventLine, in batch: inout Batch) -> Int? {
        guard let id = line.command else { return nil }
        if let index = commandIndex[ExactText(id)] { return index }
        var entry = AcceptedCommand(
            id: Array(id.utf8), digest: Array(repeating: 0, count: CommandDigest.storedBytes),
            device: line.device.map { names.intern($0) } ?? .none,
            events: batch.events.count..<batch.events.count)
        entry.isAccepted = false
        batch.commands.append(entry)
        commandIndex[ExactText(id)] = batch.commands.count - 1
        return batch.commands.count - 1
    }

    // MARK: Commands

    private mutating func takeCommand(_ json: JSON, bytes: Int) throws {
        var input = JSONInput(names: names, path: "command")
        guard let line = CommandRecord.read(json, from: &input) else {
            throw refusal(input.problem ?? "not a command")
        }
        if let problem = line.problem { throw refusal(problem) }
        if waiting.takes(line, place, bytes: bytes) { return }
        try takeWaiting()
        try add(line)
    }

    private mutating func add(_ line: CommandRecord) throws {
        if line.mac != nil, slots[.journal] == nil { _ = try emptySlot(of: .journal) }
        try prepareBatch(recordedAt: line.recordedAt)
        // Taken out, so that adding to it copies nothing; a refusal ends the import.
        guard var batch = batch.take() else { return }
        let start = next.number - UInt64(batch.events.count)
        guard line.events >= 0, line.first.number >= start,
            line.first.number + UInt64(line.events) <= next.number
        else {
            throw refusal("the command's events are not those before it")
        }
        let first = Int(line.first.number - start)
        let last = line.events > 0 ? batch.events[first + line.events - 1] : nil
        let named = last?.command.map { command in
            (
                id: ExactText(String(decoding: batch.commands[command].id, as: UTF8.self)),
                device: last.flatMap { $0.device.isNone ? nil : names.text($0.device) }
            )
        }
        if let problem = commands.take(line, named: named) { throw refusal(problem) }
        var entry = AcceptedCommand(
            id: Array(line.accepted.utf8), digest: line.digestBytes,
            device: line.device.map { names.intern($0) } ?? .none,
            events: first..<first + line.events)
        entry.isKeyed = line.mac != nil
        if let index = commandIndex[ExactText(line.accepted)] {
            guard !batch.commands[index].isAccepted else {
                throw refusal("accepted: a second line of \(line.accepted)")
            }
            batch.commands[index] = entry
        } else {
            batch.commands.append(entry)
            commandIndex[ExactText(line.accepted)] = batch.commands.count - 1
        }
        self.batch = batch
        // Behind a command that a merge brought, the merge's own line is to come, for the same events.
        let open = batch.events.last?.command.map { batch.commands[$0].id }
        if batch.events.count >= Self.frameEvents, open == nil || open == entry.id {
            try flush()
        }
    }

    // MARK: Frames

    /// A frame has one `recordedAt`, and what it seals one term and one salt: others begin another frame.
    private mutating func prepareBatch(
        recordedAt: Instant, sealed: SealedMember? = nil, at position: Position = .zero
    ) throws {
        var seal: (term: UInt32, salt: SealingSalt)?
        if let sealed, let term = sealed.term.flatMap(UInt32.init(exactly:)),
            let box = Base64.bytes(sealed.box),
            let salt = SealingSalt(nonce: box.prefix(SealingSalt.byteCount), at: position)
        {
            seal = (term, salt)
        }
        if let batch, batch.recordedAt != recordedAt || !fits(seal, batch) { try flush() }
        if batch == nil {
            let head = try journal.head()
            var fresh = Batch(recordedAt: recordedAt, firstNewSymbol: head.symbolCount + 1)
            fresh.expectedHead = head.position
            fresh.term = head.term
            batch = fresh
            hasSealed = false
        }
        if let seal {
            guard seal.term >= batch?.term ?? 0 else { throw refusal("sealed.term goes backwards") }
            batch?.term = seal.term
            batch?.salt = seal.salt
            hasSealed = true
        }
    }

    /// Whether the batch that is filled has sealed something with its term and salt.
    private var hasSealed = false

    private func fits(_ seal: (term: UInt32, salt: SealingSalt)?, _ batch: Batch) -> Bool {
        guard let seal, hasSealed else { return true }
        return batch.term == seal.term && batch.salt == seal.salt
    }

    private mutating func flush() throws {
        guard var batch = batch.take() else { return }
        batch.newSlots = persons.keys.freshSlots.map { $0.named(names) }
        batch.newSymbols = names.fresh
        try persons.keys.flush()
        do throws(JournalError) {
            _ = try journal.append(batch)
        } catch {
            guard error.isConflict || error.kind == .tooLarge else { throw error }
            throw refusal("up to here: \(error.what)")
        }
        persons.keys.didCommit()
        names.didStore()
        commandIndex.removeAll(keepingCapacity: true)
        commands.beginFrame()
    }
}
