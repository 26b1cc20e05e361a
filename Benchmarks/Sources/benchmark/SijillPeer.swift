import EventLog
import Core
import Glibc
import Synchronization

/// Sijill as one of the peers: the same commands on the same events (peers/peer.c says which).
///
/// What is timed of an append begins where it does for the others: the texts of stream, actor and
/// tags are interned, the typed payload is written with the numbers of its ids, the batch is built,
/// checked and made durable.
final class SijillPeer {
    private let source: SourceHistory
    private let texts: [String]
    private let directory: String
    private let journal: Journal
    private let names: Names
    private let symbols: PeerEvents.Source
    private let keys: PersonKeys
    private var typeNumbers: [UInt16]
    /// The ids in payloads, by the source's symbol: typed values hold them as symbols already.
    private var known: [UInt32]
    private var scratch = BinaryWriter()
    private var head: UInt64 = 0
    /// Events of each stream so far, by the source's symbol.
    private var lengths: [UInt32: Int] = [:]
    private var streams: [UInt32] = []
    private var live: LiveTraffic?

    init(source: Journal, directory: String) throws {
        let source = try SourceHistory(source)
        self.source = source
        texts = source.meanings.indices.map { source.text(UInt32($0)) }
        self.directory = directory
        try Journal.create(at: directory + "/journal")
        journal = try Journal(at: directory + "/journal")
        keys = PersonKeys(of: journal)
        try keys.prepareToWrite(slotCount: 0)
        symbols = PeerEvents.Source(journal: journal)
        names = Names(source: symbols, stored: 0)
        typeNumbers = Array(repeating: 0, count: source.types.count + 1)
        known = Array(repeating: 0, count: texts.count)
    }

    /// Serves the driver until the input ends.
    func serve() throws {
        say("{\"ready\":true}")
        while let line = readLine() {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            switch (words.first, numbers.count) {
            case ("append", 3): try append(numbers[0]..<numbers[0] + numbers[1], size: numbers[2])
            case ("conditional", 3):
                try appendIf(numbers[0]..<numbers[0] + numbers[1], threads: numbers[2])
            case ("read-all", 0): try readAll(isTyped: true)
            case ("read-bytes", 0): try readAll(isTyped: false)
            case ("streams", 1): try readStreams(numbers[0])
            case ("commands", 3):
                try submit(numbers[0], threads: numbers[1], perCall: numbers[2])
            case ("bytes", 0): say("{\"bytes\":\(try journal.statistics().fileBytes)}")
            default: throw Workloads.Failure(what: "unknown command: \(line)")
            }
        }
    }

    private func say(_ text: String) {
        // Past the standard library's buffer: the driver waits for the line.
        let bytes = Array((text + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }

    private func answer(_ events: Int, _ seconds: Double) {
        say("{\"events\":\(events),\"seconds\":\(seconds)}")
    }

    // MARK: Appending

    private func append(_ range: Range<Int>, size: Int) throws {
        guard range.upperBound <= source.entries.count else {
            throw Workloads.Failure(what: "no such events")
        }
        var failure: (any Error)?
        let seconds = Measure.seconds {
            var start = range.lowerBound
            while start < range.upperBound {
                let end = min(start + size, range.upperBound)
                var batch = newBatch(source.entries[start])
                batch.expectedHead = Position(head)
                var lastCommand = -1
                do {
                    for index in start..<end {
                        try add(source.entries[index], &batch, &lastCommand, keepsCause: true)
                    }
                    batch.newSlots = newSlots()
                    batch.newSymbols = names.fresh
                    try keys.flush()
                    symbols.renew()
                    head = try journal.append(batch).number
                    keys.didCommit()
                } catch {
                    failure = error
                    return
                }
                names.didStore()
                start = end
            }
        }
        if let failure { throw failure }
        count(range)
        answer(range.count, seconds)
    }

    private func newBatch(_ first: SourceHistory.Entry) -> Batch {
        Batch(
            recordedAt: Instant(milliseconds: first.at),
            firstNewSymbol: (try? journal.head().symbolCount).map { $0 + 1 } ?? 1)
    }

    private func newSlots() -> [NamedSlot] {
        keys.freshSlots.map {
            NamedSlot(
                number: $0.number, product: names.intern($0.name.product),
                person: names.intern($0.name.person), digest: $0.digest)
        }
    }

    private func count(_ range: Range<Int>) {
        for entry in source.entries[range] {
            if lengths[entry.stream] == nil { streams.append(entry.stream) }
            lengths[entry.stream, default: 0] += 1
        }
    }

    private func symbol(_ number: UInt32) -> Symbol {
        number == 0 ? .none : names.intern(texts[Int(number)])
    }

    private func add(
        _ entry: SourceHistory.Entry, _ batch: inout Batch, _ lastCommand: inout Int,
        keepsCause: Bool
    ) throws {
        if typeNumbers[Int(entry.type)] == 0 {
            let number = (typeNumbers.max() ?? 0) + 1
            typeNumbers[Int(entry.type)] = number
            var record = source.types[Int(entry.type) - 1]
            record.number = number
            batch.newTypes.append(record)
        }
        var command: Int?
        if entry.command >= 0 {
            let original = source.commands[entry.command]
            if entry.command != lastCommand {
                lastCommand = entry.command
                // A command whose events two batches share is remembered with the first of them.
                if isFirst(entry) {
                    var accepted = AcceptedCommand(
                        id: original.id, digest: original.digest,
                        events: batch.events.count..<batch.events.count)
                    accepted.isAccepted = original.isAccepted
                    batch.commands.append(accepted)
                }
            }
            if let last = batch.commands.indices.last, batch.commands[last].id == original.id {
                command = last
                let first = batch.commands[last].events.lowerBound
                batch.commands[last].events = first..<batch.events.count + 1
            }
        }
        let payload = batch.payloads.count
        writePayload(entry, &batch)
        if !entry.personal.isEmpty { try seal(entry, &batch, from: payload) }
        batch.events.append(
            EventRecord(
                type: typeNumbers[Int(entry.type)], stream: symbol(entry.stream),
                at: Instant(milliseconds: entry.at), actor: symbol(entry.actor),
                device: symbol(entry.device), command: command,
                cause: Position(keepsCause ? entry.cause : 0), subject: symbol(entry.subject),
                flags: entry.personal.isEmpty ? 0 : PersonalPart.flag,
                tags: entry.tags.map { symbol(source.tags[$0]) },
                payload: payload..<batch.payloads.count))
    }

    /// As the engine does, with a place of its own: nothing here opens it.
    private func seal(
        _ entry: SourceHistory.Entry, _ batch: inout Batch, from start: Int
    ) throws {
        sealedParts += 1
        let sealed = try keys.seal(
            entry.personal, of: source.person(entry), source.payloadType(entry),
            at: SealingContext(
                position: Position(sealedParts), recordedAt: batch.recordedAt, salt: batch.salt))
        let stored = PersonalPart.join(Array(batch.payloads[start...]), sealed: sealed)
        batch.payloads.replaceSubrange(start..., with: stored)
    }

    private var sealedParts: UInt64 = 0
    private var usedCommands: Set<Int> = []

    private func isFirst(_ entry: SourceHistory.Entry) -> Bool {
        usedCommands.insert(entry.command).inserted
    }

    /// Writes the payload with the numbers that its ids have in this journal.
    private func writePayload(_ entry: SourceHistory.Entry, _ batch: inout Batch) {
        var done = entry.payload.lowerBound
        for index in entry.patches {
            let patch = source.patches[index]
            guard patch.kind == .symbol else { continue }
            let start = entry.payload.lowerBound + patch.offset
            batch.payloads += source.payloads[done..<start]
            done = start + patch.length
            scratch.bytes.removeAll(keepingCapacity: true)
            scratch.varint(UInt64(reference(Int(patch.value))))
            batch.payloads += scratch.bytes
        }
        batch.payloads += source.payloads[done..<entry.payload.upperBound]
    }

    private func reference(_ number: Int) -> UInt32 {
        if number == 0 || known[number] > 0 { return known[number] }
        let meaning = source.meanings[number]
        if meaning.patches.isEmpty {
            known[number] = names.intern(texts[number]).number
            return known[number]
        }
        var record = BinaryWriter()
        var done = 0
        for patch in meaning.patches where patch.kind == .symbol {
            record.bytes += meaning.bytes[done..<patch.offset]
            done = patch.offset + patch.length
            record.varint(UInt64(reference(Int(patch.value))))
        }
        record.bytes += meaning.bytes[done...]
        known[number] = names.intern(bytes: record.bytes).number
        return known[number]
    }

    /// One event a commit from many threads, each if its stream stands at its revision.
    private func appendIf(_ range: Range<Int>, threads: Int) throws {
        var work: [[Batch]] = Array(repeating: [], count: threads)
        var lengths = lengths
        var tables = newBatch(source.entries[range.lowerBound])
        for entry in source.entries[range] {
            var batch = newBatch(entry)
            var lastCommand = -1
            try add(entry, &batch, &lastCommand, keepsCause: false)
            batch.conditions = [
                .revision(
                    stream: batch.events[0].stream, count: UInt32(lengths[entry.stream] ?? 0))
            ]
            lengths[entry.stream, default: 0] += 1
            tables.newTypes += batch.newTypes
            batch.newTypes = []
            work[Int(entry.stream) % threads].append(batch)
        }
        // Threads cannot all be the first to use a name: those of this round are there before.
        tables.newSlots = newSlots()
        tables.newSymbols = names.fresh
        try keys.flush()
        if !tables.newSymbols.isEmpty || !tables.newTypes.isEmpty || !tables.newSlots.isEmpty {
            symbols.renew()
            _ = try journal.append(tables)
            keys.didCommit()
            names.didStore()
        }
        let failure = Mutex<String?>(nil)
        let shares = work
        let journal = journal
        let seconds = Measure.seconds {
            Measure.onThreads(threads) { number in
                for batch in shares[number] {
                    do {
                        _ = try journal.append(batch)
                    } catch {
                        failure.withLock { $0 = "\(error)" }
                    }
                }
            }
        }
        if let what = failure.withLock({ $0 }) { throw Workloads.Failure(what: what) }
        head = try journal.head().position.number
        count(range)
        answer(range.count, seconds)
    }

    // MARK: Whole commands

    private func submit(_ count: Int, threads: Int, perCall: Int) throws {
        if live == nil { live = try LiveTraffic(at: directory + "/live") }
        guard let live else { return }
        let (events, seconds) = try live.submit(count, threads: threads, perCall: perCall)
        say("{\"events\":\(events),\"commands\":\(count),\"seconds\":\(seconds)}")
    }

    // MARK: Reading

    private func readAll(isTyped: Bool) throws {
        let snapshot = try journal.snapshot()
        let decoders = try snapshot.types().map { try Decoder($0) }
        var events = 0
        var sum: UInt64 = 0
        let seconds = try Measure.seconds {
            try snapshot.forEachEvent { event, body in
                if isTyped {
                    let decoder = decoders[Int(event.type) - 1]
                    guard decoder.decode(event, body) else {
                        throw Workloads.Failure(what: "an event does not decode")
                    }
                } else {
                    for index in event.payload { sum &+= UInt64(body[index]) }
                }
                sum &+= UInt64(event.revision) &+ UInt64(event.stream.number)
                events += 1
                return true
            }
        }
        if sum == 0 { throw Workloads.Failure(what: "nothing was read") }
        answer(events, seconds)
    }

    private func readStreams(_ wanted: Int) throws {
        let long = streams.filter { (90...110).contains(lengths[$0] ?? 0) }
        let decoders = try journal.snapshot().types().map { try Decoder($0) }
        var times: [String] = []
        for turn in 0..<(long.isEmpty ? 0 : wanted) {
            let stream = long[turn &* 7919 % long.count]
            let name = Array(texts[Int(stream)].utf8)
            var found = 0
            let seconds = try Measure.seconds {
                let snapshot = try journal.snapshot()
                guard let symbol = try snapshot.number(of: name) else { return }
                let positions = try snapshot.positions(of: .stream, symbol.number)
                try snapshot.forEachEvent(at: positions, of: symbol) { event, body in
                    let decoder = decoders[Int(event.type) - 1]
                    if decoder.decode(event, body) { found += 1 }
                    return true
                }
            }
            guard found == lengths[stream] else {
                throw Workloads.Failure(what: "events of a stream are missing")
            }
            times.append("\(seconds)")
        }
        say("{\"times\":[\(times.joined(separator: ","))]}")
    }
}
