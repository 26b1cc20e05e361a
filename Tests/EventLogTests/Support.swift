import Core
import Glibc
import Testing

@testable import EventLog

/// Random numbers that come again with the same seed.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A directory that is gone after the test; in memory where there is such a place, since tests of
/// contents need no disk.
struct Scratch: ~Copyable {
    let path: String

    init() throws {
        let place = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = "\(place)/sijill-log-\(UInt64.random(in: 0 ... .max))"
        #expect(try FileSystem.makeDirectory(path))
    }

    deinit { _ = try? removeTree(path) }

    var journal: String { path + "/journal" }
}

func removeTree(_ path: String) throws {
    if case .directory = try FileSystem.entry(at: path) {
        for name in try FileSystem.names(in: path) { try removeTree(path + "/" + name) }
        _ = unsafe rmdir(path)
    } else {
        try FileSystem.remove(path)
    }
}

func makeJournal(
    _ scratch: borrowing Scratch, _ sealing: Sealing = .standard,
    logging: WriteAheadLog.Options? = nil
) throws -> Journal {
    try Journal.create(at: scratch.journal)
    return try Journal(
        at: scratch.journal, access: .readWrite, sealing: sealing,
        mapBytes: LMDBEnvironment.leastMapBytes, logging: logging)
}

extension WriteAheadLog.Options {
    /// Used from the second commit on; so many frames wait in it, for as long as nobody else puts them into the file.
    static func waiting(_ most: Int) -> Self {
        var options = Self()
        options.commitsBefore = 1
        options.mostWaiting = most
        options.waitMilliseconds = 600_000
        options.idleMilliseconds = 600_000
        return options
    }
}

extension Sealing {
    /// Seals so often that a short history has blocks, segments and merged segments.
    static func often(_ events: Int, inBackground: Bool = false) -> Sealing {
        Sealing(
            segmentEvents: events, blockEvents: max(1, events / 2), isInBackground: inBackground)
    }
}

/// The kind of the error that `body` throws.
func kind(of body: () throws -> Void) -> JournalError.Kind? {
    do {
        try body()
        return nil
    } catch let error as JournalError {
        #expect(!error.description.contains("\n"))
        return error.kind
    } catch {
        return nil
    }
}

func instant(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// What an event is, its bytes copied out.
struct PlainEvent: Hashable {
    var position: UInt64
    var at: Int64
    var recordedAt: Int64
    var type: UInt16
    var stream: UInt32
    var revision: UInt32
    var actor: UInt32
    var device: UInt32
    var command: [UInt8]
    var cause: UInt64
    var subject: UInt32
    var tags: [UInt32]
    var payload: [UInt8]

    init(_ record: EventRecord, _ body: [UInt8]) {
        position = record.position.number
        at = record.at.milliseconds
        recordedAt = record.recordedAt.milliseconds
        type = record.type
        stream = record.stream.number
        revision = record.revision
        actor = record.actor.number
        device = record.device.number
        command = Array(body[record.commandID])
        cause = record.cause.number
        subject = record.subject.number
        tags = record.tags.map(\.number)
        payload = Array(body[record.payload])
    }

    init(_ event: EventRecord, in batch: Batch, position: UInt64, revision: UInt32) {
        self.position = position
        at = event.at.milliseconds
        recordedAt = batch.recordedAt.milliseconds
        type = event.type
        stream = event.stream.number
        self.revision = revision
        actor = event.actor.number
        device = event.device.number
        command = event.command.map { batch.commands[$0].id } ?? []
        cause = event.cause.number
        subject = event.subject.number
        tags = event.tags.map(\.number)
        payload = Array(batch.payloads[event.payload])
    }
}

/// A journal in plain Swift: what the real one should answer.
struct Model {
    var events: [PlainEvent] = []
    var symbols: [[UInt8]] = []
    var types: [TypeRecord] = []
    var commands: [[UInt8]: AcceptedEntry] = [:]
    var revisions: [UInt32: UInt32] = [:]
    var clock = JournalClock.beginning
    var frameCount: UInt64 = 0

    mutating func append(_ batch: Batch) {
        let first = UInt64(events.count + 1)
        symbols += batch.newSymbols
        types += batch.newTypes
        for command in batch.commands {
            commands[command.id] = AcceptedEntry(
                digest: command.digest, isKeyed: command.isKeyed, device: command.device,
                first: Position(first) + command.events.lowerBound,
                count: UInt32(command.events.count))
        }
        for (index, event) in batch.events.enumerated() {
            let revision = revisions[event.stream.number, default: 0]
            revisions[event.stream.number] = revision + 1
            events.append(
                PlainEvent(
                    event, in: batch, position: first + UInt64(index), revision: revision))
        }
        clock = batch.clock ?? clock
        frameCount += 1
    }

    func positions(of kind: PostingKind, _ key: UInt32) -> [Position] {
        events.filter { event in
            switch kind {
            case .stream: event.stream == key
            case .type: UInt32(event.type) == key
            case .tag: event.tags.contains(key)
            case .actor: event.actor == key && !event.tags.contains(key)
            }
        }.map { Position($0.position) }
    }

    /// A random batch that makes sense after what is there.
    func randomBatch(_ random: inout SplitMix64, atMost eventLimit: Int = 12) -> Batch {
        var batch = Batch(
            recordedAt: instant(Int64(random.below(1_000_000)) + 1_770_000_000_000),
            firstNewSymbol: UInt32(symbols.count + 1))
        for index in 0..<random.below(4) + (symbols.isEmpty ? 3 : 0) {
            var bytes = [UInt8]("name-\(symbols.count + index)-".utf8)
            switch random.below(6) {
            case 0: bytes += [UInt8](repeating: 0x41, count: 60 + random.below(10))
            case 1: bytes = [0xFF] + bytes
            case 2: bytes += (0..<random.below(300)).map { UInt8(truncatingIfNeeded: $0) }
            default: break
            }
            batch.newSymbols.append(bytes)
        }
        for index in 0..<(types.isEmpty ? 2 : random.below(8) / 7) {
            let number = UInt16(types.count + index + 1)
            batch.newTypes.append(
                TypeRecord(
                    number: number, name: "product.noun.verbed", version: UInt32(number),
                    schema: "field: text"))
        }
        if random.below(3) == 0 {
            let next = max(clock.instant.milliseconds, 0) + Int64(random.below(1000))
            batch.clock = JournalClock(instant: instant(next + 1), inclusive: random.below(2) == 0)
        }
        let symbolCount = symbols.count + batch.newSymbols.count
        func symbol(_ random: inout SplitMix64) -> Symbol {
            Symbol(number: UInt32(random.below(symbolCount) + 1))
        }
        let count = random.below(eventLimit + 1)
        for index in 0..<random.below(4) {
            let start = random.below(count + 1)
            batch.commands.append(
                AcceptedCommand(
                    id: [UInt8]("command-\(frameCount)-\(index)".utf8)
                        + [UInt8](repeating: 0x2D, count: random.below(3) * 40),
                    digest: (0..<Limits.digestBytes).map { _ in UInt8(random.below(256)) },
                    device: random.below(2) == 0 ? .none : symbol(&random),
                    events: start..<start + random.below(count - start + 1)))
        }
        for index in 0..<count {
            let isLater = random.below(2) == 0
            let cause = isLater ? 0 : random.below(events.count + index + 1)
            var event = EventRecord(
                type: UInt16(random.below(types.count + batch.newTypes.count) + 1),
                stream: symbol(&random),
                at: instant(Int64(bitPattern: random.next()) >> Int64(random.below(64))),
                actor: symbol(&random),
                device: random.below(2) == 0 ? .none : symbol(&random),
                command: batch.commands.isEmpty ? nil : random.below(batch.commands.count),
                cause: Position(UInt64(cause)),
                subject: random.below(2) == 0 ? .none : symbol(&random))
            for _ in 0..<random.below(4) {
                let tag = symbol(&random)
                if !event.tags.contains(tag) { event.tags.append(tag) }
            }
            let payload = (0..<random.below(50)).map { _ in UInt8(random.below(256)) }
            batch.add(event, payload: payload)
        }
        return batch
    }
}
