import EventLog
import Events

/// Events of a journal, ready to be appended again elsewhere: to another journal, or to raw LMDB.
struct SourceEvents {
    struct Source {
        let record: EventRecord
        let payload: [UInt8]
        let command: [UInt8]
        let digest: [UInt8]
    }

    private(set) var events: [Source] = []
    private let snapshot: JournalSnapshot

    /// The first events of the journal; their positions will be the same again.
    init(_ journal: Journal, count: Int) throws {
        snapshot = try journal.snapshot()
        var found: [Source] = []
        try snapshot.forEachFrameContent { content, body in
            for event in content.events where found.count < count {
                let command = event.command.map { content.commands[$0] }
                found.append(
                    Source(
                        record: event, payload: Array(body[event.payload]),
                        command: command?.id ?? [], digest: command?.digest ?? []))
            }
            return found.count < count
        }
        events = found
    }

    /// As the raw program keeps them.
    static func raw(_ record: EventRecord, payload: some Collection<UInt8>) -> RawEvent {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + payload.count)
        func put(_ number: some FixedWidthInteger) {
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        put(record.type)
        put(record.stream.number)
        put(record.revision)
        put(record.at.milliseconds)
        put(record.recordedAt.milliseconds)
        put(record.actor.number)
        put(record.device.number)
        put(record.cause.number)
        put(record.subject.number)
        bytes.append(UInt8(record.tags.count))
        for tag in record.tags { put(tag.number) }
        bytes.append(contentsOf: payload)
        return RawEvent(
            position: record.position.number, stream: record.stream.number,
            revision: record.revision, record: bytes)
    }

    func rawEvents() -> [RawEvent] { events.map { Self.raw($0.record, payload: $0.payload) } }

    /// The events cut into batches of these sizes, with the symbols, types and commands that each
    /// one brings, as the engine would have appended them.
    func batches(_ sizes: [Int]) throws -> [Batch] {
        var symbols: [UInt32: UInt32] = [:]
        var symbolCount: UInt32 = 0
        var types: [UInt16: UInt16] = [:]
        var usedCommands: Set<[UInt8]> = []
        var result: [Batch] = []
        var start = 0
        for size in sizes {
            var batch = Batch(
                recordedAt: events[start].record.recordedAt, firstNewSymbol: symbolCount + 1)
            func translated(_ symbol: Symbol) throws -> Symbol {
                if symbol.isNone { return symbol }
                if let number = symbols[symbol.number] { return Symbol(number: number) }
                symbolCount += 1
                symbols[symbol.number] = symbolCount
                batch.newSymbols.append(try snapshot.symbol(symbol) ?? [])
                return Symbol(number: symbolCount)
            }
            var lastCommand: [UInt8] = []
            for source in events[start..<start + size] {
                let record = source.record
                if types[record.type] == nil, var type = try snapshot.type(record.type) {
                    type.number = UInt16(types.count + 1)
                    types[record.type] = type.number
                    batch.newTypes.append(type)
                }
                let place = batch.events.count
                var command: Int?
                if !source.command.isEmpty {
                    if source.command == lastCommand {
                        command = batch.commands.count - 1
                    } else if usedCommands.insert(source.command).inserted {
                        batch.commands.append(
                            AcceptedCommand(
                                id: source.command, digest: source.digest, events: place..<place))
                        command = batch.commands.count - 1
                        lastCommand = source.command
                    }
                    if let command {
                        let first = batch.commands[command].events.lowerBound
                        batch.commands[command].events = first..<place + 1
                    }
                }
                batch.add(
                    NewEvent(
                        type: types[record.type] ?? 0, stream: try translated(record.stream),
                        at: record.at, actor: try translated(record.actor),
                        device: try translated(record.device), command: command,
                        cause: record.cause, subject: try translated(record.subject)),
                    tags: try record.tags.map(translated), payload: source.payload)
            }
            result.append(batch)
            start += size
        }
        return result
    }
}
