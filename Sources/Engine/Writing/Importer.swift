import Commands
import EventLog
import Events
import Foundation

/// Turns the lines of an export back into a journal: same positions, revisions and contents.
struct Importer {
    private let journal: Journal
    private let names: Names
    private let persons: Persons
    private var types: JournalTypes
    private var batch: Batch?
    private var next = Position(1)
    private var revisions: [Symbol: Int] = [:]
    private var commandIndex: [String: Int] = [:]
    /// The slot for what is sealed of a person.
    private var slots: [ExactText: UInt32] = [:]
    /// The keys are those of the journal that is restored.
    private let keepsKeys: Bool
    private var lineNumber = 0

    init(_ journal: Journal, keepsKeys: Bool = false) throws {
        self.journal = journal
        self.keepsKeys = keepsKeys
        names = Names(source: JournalSymbols(journal), stored: 0)
        types = try JournalTypes([])
        persons = try Persons(journal)
    }

    /// So many events at most go into one frame.
    private static let frameEvents = 4096

    mutating func take(_ line: [UInt8]) throws {
        lineNumber += 1
        if line.isEmpty { return }
        let json: JSON
        do {
            json = try JSON(parsing: line)
        } catch {
            throw refusal("not JSON: \(error)")
        }
        if lineNumber == 1 {
            guard json["format"]?.string == ExportForm.name, json["version"]?.wholeNumber == 1
            else {
                throw refusal("expected the first line of an export of version 1")
            }
            return
        }
        if json["accepted"] != nil {
            try takeCommand(json)
        } else if json["key"] != nil {
            try takeKey(json)
        } else {
            try takeEvent(json)
        }
    }

    mutating func finish() throws -> ImportReport {
        guard lineNumber > 0 else { throw refusal("the export is empty") }
        try flush()
        let snapshot = try journal.snapshot()
        try persons.carryOut(snapshot, types, names)
        try TreeKeeper(journal).extend()
        let head = snapshot.head.position.number
        return ImportReport(events: head, position: head)
    }

    private func refusal(_ reason: String) -> EngineError {
        EngineError(.badInput, "line \(lineNumber): \(reason); import a file that export wrote")
    }

    // MARK: Events

    private mutating func takeEvent(_ json: JSON) throws {
        var input = JSONInput(names: names, path: "event")
        guard let line = EventLine.read(json, from: &input) else {
            throw refusal(input.problem ?? "not an event")
        }
        guard line.position == next else {
            throw refusal("expected position \(next.number), found \(line.position.number)")
        }
        guard let payload = Vocabulary.byName[line.type], line.version == Int(payload.version)
        else {
            throw refusal("unknown event type \(line.type) version \(line.version)")
        }
        var data = JSONInput(names: names, path: "data")
        data.stream = line.stream
        data.isRecorded = true
        let (own, origin) = Self.split(line.data)
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
        var flags = origin == nil ? 0 : Origin.flag
        var subject = self.subject(of: line.tags)
        if let sealed = line.sealed {
            subject = try self.subject(of: sealed, payload)
            bytes = PersonalPart.join(bytes, sealed: try self.sealed(sealed, facts.personal, line))
            flags |= PersonalPart.flag
        } else if !facts.personal.isEmpty {
            let sealed = try persons.seal(
                facts.personal, of: PersonName.of(payload.product, subject, names), at: line.place)
            bytes = PersonalPart.join(bytes, sealed: sealed)
            flags |= PersonalPart.flag
        }
        let stream = names.intern(line.stream)
        guard line.revision == revisions[stream, default: 0] else {
            throw refusal("\(line.stream) has a gap before revision \(line.revision)")
        }
        revisions[stream, default: 0] += 1
        try prepareBatch(recordedAt: line.recordedAt)
        // Taken out, so that adding to it copies nothing; a refusal ends the import.
        guard var batch = batch.take() else { return }
        if types.number(of: payload.name) == nil {
            let record = types.record(for: payload, number: UInt16(types.count + 1))
            try types.add(record)
            batch.newTypes.append(record)
        }
        batch.add(
            NewEvent(
                type: types.number(of: payload.name) ?? 0, stream: stream, at: line.at,
                actor: names.intern(line.by),
                device: line.device.map { names.intern($0) } ?? .none,
                command: command(of: line, in: &batch), cause: line.cause ?? .zero,
                subject: subject, flags: flags),
            tags: line.tags.map { names.intern($0) }, payload: bytes)
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
        slots[ExactText(line.person)] = try persons.keys.adopt(key, of: line.person)
    }

    /// The person whom the line names, without the product's name.
    private func subject(of sealed: SealedMember, _ payload: PayloadType) throws -> Symbol {
        let prefix = payload.product + "/"
        guard sealed.person.hasPrefix(prefix), sealed.person.utf8.count > prefix.utf8.count,
            sealed.fields.elementsEqual(payload.personalFields)
        else { throw refusal("sealed: expected the fields of \(payload.name), and whose they are") }
        return names.intern(String(sealed.person.dropFirst(prefix.count)))
    }

    /// The box as it is, so that the tree has the same hash; what the line says in clear must be in it.
    private mutating func sealed(
        _ sealed: SealedMember, _ clear: [UInt8], _ line: EventLine
    ) throws -> [UInt8] {
        guard let box = Data(base64Encoded: sealed.box), box.count >= 16,
            box.base64EncodedString() == sealed.box
        else { throw refusal("sealed.box: expected base 64") }
        let person = ExactText(sealed.person)
        if keepsKeys, let slot = try persons.keys.slot(of: sealed.person) {
            let bytes = SealedPart.bytes(slot: slot, box: box)
            _ = persons.keys.open(bytes, 0..<bytes.count, at: line.place)
            guard let fault = persons.keys.takeFault() else { return bytes }
            // Sealed with a key that was lost before: it stays withheld.
            guard case .damaged = fault.kind else { throw fault }
        }
        let slot = try slots[person] ?? persons.keys.adopt(nil, of: sealed.person)
        slots[person] = slot
        let bytes = SealedPart.bytes(slot: slot, box: box)
        let opened = persons.keys.open(bytes, 0..<bytes.count, at: line.place)
        if let fault = persons.keys.takeFault() {
            guard case .damaged = fault.kind else { throw fault }
            throw refusal("sealed.box does not open with the key of \(sealed.person)")
        }
        guard clear.isEmpty || opened == clear else {
            throw refusal(
                opened == nil
                    ? "data: there are personal fields, and no line with the key to them"
                    : "data: the personal fields are not what is sealed")
        }
        return bytes
    }

    /// The payload's own members, and the origin of one that a merge brought: an object. Of another form it
    /// is a field of the payload's own, such as how a subscription came about.
    private static func split(_ data: JSON) -> (own: JSON, origin: JSON?) {
        guard let origin = data["origin"], origin.members != nil, let members = data.members else {
            return (data, nil)
        }
        return (.object(members.filter { $0.name != "origin" }), origin)
    }

    /// The entry that the event's command has in the frame; refused ones keep it as it is.
    private mutating func command(of line: EventLine, in batch: inout Batch) -> Int? {
        guard let id = line.command else { return nil }
        if let index = commandIndex[id] { return index }
        var entry = AcceptedCommand(
            id: Array(id.utf8), digest: Array(repeating: 0, count: CommandDigest.byteCount),
            device: line.device.map { names.intern($0) } ?? .none,
            events: batch.events.count..<batch.events.count)
        entry.isAccepted = false
        batch.commands.append(entry)
        commandIndex[id] = batch.commands.count - 1
        return batch.commands.count - 1
    }

    /// Whose key it is, else the id behind the person's tag (docs/journal-format.md, subject). The ids of
    /// all tags are learnt: folds find things by them that stand in streams' names alone.
    private func subject(of tags: [String]) -> Symbol {
        let tagged = tags.compactMap { tag -> (kind: String, id: Symbol)? in
            let parts = tag.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), names.intern(String(parts[1])))
        }
        if let key = tagged.first(where: { $0.kind == "key" }) { return key.id }
        return Person.subject(ofTagged: tagged) ?? .none
    }

    // MARK: Commands

    private mutating func takeCommand(_ json: JSON) throws {
        var input = JSONInput(names: names, path: "command")
        guard let line = CommandRecord.read(json, from: &input) else {
            throw refusal(input.problem ?? "not a command")
        }
        guard let digest = Hex.bytes(line.digest), digest.count == CommandDigest.byteCount else {
            throw refusal("digest: expected 16 lower-case hex digits")
        }
        try prepareBatch(recordedAt: line.recordedAt)
        // Taken out, so that adding to it copies nothing; a refusal ends the import.
        guard var batch = batch.take() else { return }
        let start = next.number - UInt64(batch.events.count)
        guard line.first.number >= start, line.first.number + UInt64(line.events) <= next.number
        else {
            throw refusal("the command's events are not those before it")
        }
        let first = Int(line.first.number - start)
        let entry = AcceptedCommand(
            id: Array(line.accepted.utf8), digest: digest,
            device: line.device.map { names.intern($0) } ?? .none,
            events: first..<first + line.events)
        if let index = commandIndex[line.accepted] {
            batch.commands[index] = entry
        } else {
            batch.commands.append(entry)
            commandIndex[line.accepted] = batch.commands.count - 1
        }
        self.batch = batch
        if batch.events.count >= Self.frameEvents { try flush() }
    }

    // MARK: Frames

    /// A frame has one `recordedAt`: another one begins another frame.
    private mutating func prepareBatch(recordedAt: Instant) throws {
        if let batch, batch.recordedAt != recordedAt { try flush() }
        if batch == nil {
            let head = try journal.head()
            var fresh = Batch(recordedAt: recordedAt, firstNewSymbol: head.symbolCount + 1)
            fresh.expectedHead = head.position
            batch = fresh
        }
    }

    private mutating func flush() throws {
        guard var batch = batch.take() else { return }
        batch.newSymbols = names.fresh
        try persons.keys.flush()
        _ = try journal.append(batch)
        names.didStore()
        commandIndex.removeAll(keepingCapacity: true)
    }
}

/// An event line of an export.
private struct EventLine: Record {
    var at = Instant.epoch
    var by = ""
    var cause: Position?
    var command: String?
    var data: JSON = .null
    var device: String?
    var position = Position.zero
    var recordedAt = Instant.epoch
    var revision = 0
    var sealed: SealedMember?
    var stream = ""
    var tags: [String] = []
    var type = ""
    var version = 0

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("at", &at)
        coder.field("by", &by)
        coder.field("cause", &cause)
        coder.field("command", &command)
        coder.field("data", &data)
        coder.field("device", &device)
        coder.field("position", &position)
        coder.field("recordedAt", &recordedAt)
        coder.field("revision", &revision)
        coder.optional("sealed", &sealed)
        coder.field("stream", &stream)
        coder.field("tags", &tags)
        coder.field("type", &type)
        coder.field("version", &version)
    }
}

extension EventLine {
    var place: SealingPlace { SealingPlace(position: position, recordedAt: recordedAt) }
}

/// What is sealed of an event.
private struct SealedMember: Record {
    var box = ""
    var fields: [String] = []
    var person = ""

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("box", &box)
        coder.field("fields", &fields)
        coder.field("person", &person)
    }
}

/// A person's key.
private struct KeyRecord: Record {
    var key = ""
    var person = ""

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("key", &key)
        coder.field("person", &person)
    }
}

/// A command line of an export.
private struct CommandRecord: Record {
    var accepted = ""
    var device: String?
    var digest = ""
    var events = 0
    var first = Position.zero
    var recordedAt = Instant.epoch

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("accepted", &accepted)
        coder.field("device", &device)
        coder.field("digest", &digest)
        coder.field("events", &events)
        coder.field("first", &first)
        coder.field("recordedAt", &recordedAt)
    }
}
