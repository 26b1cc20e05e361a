import EventLog
import Core

/// Writes a history again and again: copy after copy with names of its own, each later than the one
/// before it, in batches as a busy site appends them.
///
/// Every id that holds a marker gets the copy's number in its place, in the envelope, in payloads and
/// in shared records; other texts are the same in all copies. What concerns a whole product (its
/// policy) is said in the first copy only.
final class HistoryCopier {
    private let source: SourceHistory
    /// Where ids differ between copies: `L-` becomes `L7-`, an image's `b0b0b0b0` becomes `b0000007`.
    private let prefix: [UInt8]
    private static let image = Array("b0b0b0b0".utf8)
    private static let day: Int64 = 86_400_000

    private var copy = 0
    private var place = 0
    private let daysPerCopy: Int64
    private let isSaidOnce: [Bool]
    /// Symbols that are the same in all copies; 0 is not yet known.
    private var common: [UInt32]
    /// Symbols of this copy.
    private var own: [UInt32]
    private let isOwn: [Bool]
    /// Where this copy's events stand, by the place in the source.
    private var positions: [UInt64]
    private var typeNumbers: [UInt16]
    private var typeCount: UInt16 = 0
    private var symbolCount: UInt32
    private var head: UInt64
    private var latest = Int64.min
    /// For values that are patched in: kept, so that no event allocates.
    private var scratch = BinaryWriter()
    private let keys: PersonKeys

    /// The batches are for an empty journal, and for it alone: they count on from its first event, and
    /// their personal fields are sealed with its keys.
    init(_ source: SourceHistory, prefix: String, for journal: Journal) throws {
        self.source = source
        keys = PersonKeys(of: journal)
        try keys.prepareToWrite(slotCount: 0)
        let marker = Array("\(prefix)-".utf8)
        self.prefix = marker
        let times = source.entries.map(\.at)
        let span = (times.max() ?? 0) - (times.min() ?? 0)
        // Whole weeks: what falls on a Saturday does so in each copy.
        daysPerCopy = (span / Self.day / 7 + 1) * 7
        common = Array(repeating: 0, count: source.meanings.count)
        own = common
        positions = Array(repeating: 0, count: source.entries.count + 1)
        typeNumbers = Array(repeating: 0, count: source.types.count + 1)
        symbolCount = 0
        head = 0
        var named = source.meanings.map { Self.marker(in: $0.bytes, marker) != nil }
        // A shared record is a copy's own if it names something of the copy.
        for (index, meaning) in source.meanings.enumerated() where !meaning.patches.isEmpty {
            named[index] = meaning.patches.contains {
                $0.kind == .symbol && named[Int($0.value)] || $0.kind == .instant
            }
        }
        isOwn = named
        isSaidOnce = source.meanings.map { $0.bytes.suffix(7) == Array("/policy".utf8) }
    }

    private static func marker(in bytes: some Collection<UInt8>, _ prefix: [UInt8]) -> Int? {
        for marker in [prefix, image] {
            if let range = bytes.firstRange(of: marker) {
                return bytes.distance(from: bytes.startIndex, to: range.lowerBound)
            }
        }
        return nil
    }

    /// The text with the copy's number in place of every marker.
    private func renamed(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let first = rest.first {
            if first == prefix[0], rest.starts(with: prefix) {
                result += prefix.dropLast()
                result += Array("\(copy)-".utf8)
                rest = rest.dropFirst(prefix.count)
            } else if first == Self.image[0], rest.starts(with: Self.image) {
                let number = String(copy)
                result += Array(
                    ("b" + String(repeating: "0", count: 7 - number.count) + number).utf8)
                rest = rest.dropFirst(Self.image.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// How many copies are written whole.
    var finishedCopies: Int { place == source.entries.count ? copy : copy - 1 }

    /// The next batch, of at least so many events: a command's events stay together.
    func nextBatch(_ count: Int) throws -> Batch {
        if copy == 0 || place == source.entries.count { beginCopy() }
        // The batch before is durable.
        keys.didCommit()
        latest = max(latest, source.entries[place].at + shift)
        var batch = Batch(
            recordedAt: Instant(milliseconds: latest), firstNewSymbol: symbolCount + 1)
        batch.expectedHead = Position(head)
        batch.events.reserveCapacity(count + 8)
        var lastCommand = -1
        while true {
            if copy == 0 || place == source.entries.count { beginCopy() }
            let entry = source.entries[place]
            if batch.events.count >= count, entry.command < 0 || entry.command != lastCommand {
                break
            }
            // No batch holds events of two copies.
            if place == 0, !batch.events.isEmpty { break }
            place += 1
            if copy > 1, isSaidOnce[Int(entry.stream)] { continue }
            head += 1
            positions[place] = head
            try add(entry, &batch, &lastCommand)
        }
        try keys.flush()
        batch.clock = JournalClock(instant: Instant(milliseconds: latest), inclusive: false)
        return batch
    }

    private func beginCopy() {
        copy += 1
        place = 0
        for index in own.indices { own[index] = 0 }
    }

    private var shift: Int64 { Int64(copy - 1) * daysPerCopy * Self.day }

    private func add(
        _ entry: SourceHistory.Entry, _ batch: inout Batch, _ lastCommand: inout Int
    ) throws {
        let at = entry.at + shift
        latest = max(latest, at)
        let type = number(ofType: entry.type, &batch)
        var command: Int?
        if entry.command >= 0 {
            if entry.command != lastCommand {
                lastCommand = entry.command
                let original = source.commands[entry.command]
                var digest = original.digest
                digest[0] ^= UInt8(truncatingIfNeeded: copy)
                var accepted = AcceptedCommand(
                    id: renamed(original.id), digest: digest,
                    device: Symbol(number: symbol(original.device.number, &batch)),
                    events: batch.events.count..<batch.events.count)
                accepted.isAccepted = original.isAccepted
                batch.commands.append(accepted)
            }
            let index = batch.commands.count - 1
            command = index
            let first = batch.commands[index].events.lowerBound
            batch.commands[index].events = first..<batch.events.count + 1
        }
        let tags = entry.tags.map { Symbol(number: symbol(source.tags[$0], &batch)) }
        // Folds find things by ids that stand in streams' names alone.
        for tag in source.tags[entry.tags] { _ = symbol(source.idsOfTags[tag] ?? 0, &batch) }
        let payload = batch.payloads.count
        write(entry, &batch)
        if !entry.personal.isEmpty {
            let person = source.person(entry)
            let name = PersonKeys.Name(
                product: person.product,
                person: String(decoding: renamed(person.person.utf8), as: UTF8.self))
            let sealed = try keys.seal(
                entry.personal, of: name, source.payloadType(entry),
                at: SealingContext(
                    position: Position(head), recordedAt: batch.recordedAt, salt: batch.salt))
            for slot in keys.freshSlots.dropFirst(batch.newSlots.count) {
                batch.newSlots.append(
                    NamedSlot(
                        number: slot.number,
                        product: Symbol(number: symbol(source.symbol(of: name.product), &batch)),
                        person: Symbol(number: symbol(entry.subject, &batch)),
                        digest: slot.digest))
            }
            let stored = PersonalPart.join(Array(batch.payloads[payload...]), sealed: sealed)
            batch.payloads.replaceSubrange(payload..., with: stored)
        }
        batch.events.append(
            EventRecord(
                type: type, stream: Symbol(number: symbol(entry.stream, &batch)),
                at: Instant(milliseconds: at), actor: Symbol(number: symbol(entry.actor, &batch)),
                device: Symbol(number: symbol(entry.device, &batch)), command: command,
                cause: Position(positions[Int(entry.cause)]),
                subject: Symbol(number: symbol(entry.subject, &batch)),
                flags: entry.personal.isEmpty ? 0 : PersonalPart.flag,
                tags: tags, payload: payload..<batch.payloads.count))
    }

    private func write(_ entry: SourceHistory.Entry, _ batch: inout Batch) {
        var done = entry.payload.lowerBound
        for index in entry.patches {
            let patch = source.patches[index]
            let start = entry.payload.lowerBound + patch.offset
            batch.payloads += source.payloads[done..<start]
            done = start + patch.length
            scratch.bytes.removeAll(keepingCapacity: true)
            if patch.kind == .symbol {
                scratch.varint(UInt64(symbol(UInt32(patch.value), &batch)))
            } else {
                writeOther(patch, source.payloads[start..<done])
            }
            batch.payloads += scratch.bytes
        }
        batch.payloads += source.payloads[done..<entry.payload.upperBound]
    }

    private func writeOther(_ patch: Patch, _ bytes: ArraySlice<UInt8>) {
        switch patch.kind {
        case .instant: scratch.zigzag(patch.value + shift)
        case .date: scratch.zigzag(patch.value + Int64(copy - 1) * daysPerCopy)
        case .position: scratch.varint(positions[Int(patch.value)])
        case .text:
            var reader = BinaryReader(Array(bytes))
            scratch.counted(renamed(reader.countedBytes()))
        case .symbol: break
        }
    }

    private func number(ofType type: UInt16, _ batch: inout Batch) -> UInt16 {
        if typeNumbers[Int(type)] == 0 {
            typeCount += 1
            typeNumbers[Int(type)] = typeCount
            var record = source.types[Int(type) - 1]
            record.number = typeCount
            batch.newTypes.append(record)
        }
        return typeNumbers[Int(type)]
    }

    private func symbol(_ number: UInt32, _ batch: inout Batch) -> UInt32 {
        let index = Int(number)
        if index == 0 { return 0 }
        let known = isOwn[index] ? own[index] : common[index]
        if known > 0 { return known }
        let bytes = meaning(of: index, &batch)
        symbolCount += 1
        batch.newSymbols.append(bytes)
        if isOwn[index] { own[index] = symbolCount } else { common[index] = symbolCount }
        return symbolCount
    }

    private func meaning(of index: Int, _ batch: inout Batch) -> [UInt8] {
        let meaning = source.meanings[index]
        guard !meaning.patches.isEmpty else {
            return isOwn[index] ? renamed(meaning.bytes) : meaning.bytes
        }
        // Its own numbers first: the writer is used by the payload around it.
        var record = BinaryWriter()
        var done = 0
        for patch in meaning.patches {
            record.bytes += meaning.bytes[done..<patch.offset]
            done = patch.offset + patch.length
            if patch.kind == .symbol {
                record.varint(UInt64(symbol(UInt32(patch.value), &batch)))
            } else {
                let kept = scratch
                scratch = BinaryWriter()
                writeOther(patch, meaning.bytes[patch.offset..<done])
                record.bytes += scratch.bytes
                scratch = kept
            }
        }
        record.bytes += meaning.bytes[done...]
        return record.bytes
    }
}
