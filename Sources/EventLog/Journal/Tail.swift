import Core
import Synchronization

/// The index of the events that are not sealed yet, in memory: of at most some ten thousand.
///
/// Made of the frames behind the last block when something is first looked up, and kept up to date
/// from there. It may know more than an older snapshot should, which asks with the head it has.
final class Tail: Sendable {
    private struct Command {
        let entry: AcceptedEntry
        /// The number of frames when it was accepted, its own included.
        let frame: UInt64
    }

    private struct State {
        var position: Position
        var frameCount: UInt64
        /// Where the frame that was read last stands.
        var last: FrameKey?
        /// Symbols up to this one are sealed.
        let sealedSymbols: UInt32
        /// It knows of events that never became durable.
        var isGivenUp = false
        var symbols: [[UInt8]] = []
        var names: [ExactBytes: UInt32] = [:]
        var commands: [ExactBytes: Command] = [:]
        /// Lists and positions, in the order of the positions.
        var lists: [UInt64] = []
        var places: [UInt32] = []
        var heads: [Symbol: StreamHead] = [:]
        /// Ends of streams that have no event here, as far as someone asked; nil for an empty one.
        var sealedHeads: [Symbol: StreamHead?] = [:]
        /// Ids of commands, and texts, that are not among the sealed ones.
        var absent: [SegmentKind: Set<ExactBytes>] = [:]
    }

    private static let memoLimit = 1 << 14

    /// What is sealed: everything up to this event, this many frames and symbols.
    let position: Position
    private let frameCount: UInt64
    private let symbolCount: UInt32
    private let state: Mutex<State>

    /// `former` stood at what was sealed before: how its streams end is still known.
    init(_ sealed: Sealed, after former: Tail?) {
        position = sealed.position
        frameCount = sealed.frameCount
        symbolCount = sealed.symbolCount
        var state = State(
            position: sealed.position, frameCount: sealed.frameCount,
            sealedSymbols: sealed.symbolCount)
        if let former {
            former.state.withLock { old in
                // What it never read may go on with its streams; what never became durable says nothing.
                guard old.position >= sealed.position, !old.isGivenUp else { return }
                for (stream, head) in old.heads where head.lastPosition <= sealed.position {
                    state.sealedHeads[stream] = head
                }
                for (stream, head) in old.sealedHeads where old.heads[stream] == nil {
                    if state.sealedHeads.count >= Self.memoLimit { break }
                    if head != nil { state.sealedHeads[stream] = head }
                }
            }
        }
        self.state = Mutex(state)
    }

    func fits(_ sealed: Sealed) -> Bool {
        position == sealed.position && frameCount == sealed.frameCount
            && !state.withLock(\.isGivenUp)
    }

    /// The last commit that was added failed. Look-ups with an older head stay right; the next head gets a tail of its
    /// own.
    func invalidate() {
        state.withLock { $0.isGivenUp = true }
    }

    private static func list(_ kind: SegmentKind, _ number: UInt32) -> UInt64 {
        UInt64(kind.rawValue) << 32 | UInt64(number)
    }

    // MARK: Coming up to date

    /// Reads the frames that it does not know yet, up to the head.
    func catchUp(_ frames: FramesSeen) throws(JournalError) {
        let head = frames.head
        try state.withLock { state throws(JournalError) in
            guard state.frameCount < head.frameCount else { return }
            let frame = FrameReader()
            var cursor = try frames.cursor()
            let edge =
                state.last.map { FrameKey(first: $0.first, ordinal: $0.ordinal + 1) }
                ?? FrameKey(first: state.position + 1, ordinal: 0)
            var isFound = try cursor.seek(edge)
            while state.frameCount < head.frameCount {
                guard isFound else { throw .damaged("frames are missing") }
                try cursor.visit { key, stored throws(JournalError) in
                    try frame.open(key: key, stored: stored)
                }
                try Self.add(frame, to: &state)
                isFound = try cursor.next()
            }
        }
    }

    private static func add(_ frame: FrameReader, to state: inout State) throws(JournalError) {
        guard frame.first == state.position + 1 else {
            throw .damaged("a frame is missing", at: state.position + 1)
        }
        let frames = state.frameCount + 1
        for range in frame.symbols { addSymbol(Array(frame.body[range]), to: &state) }
        for command in frame.commands where command.isAccepted {
            let entry = AcceptedEntry(
                digest: Array(frame.body[command.digest]), isKeyed: command.isKeyed,
                device: command.device, first: frame.first + command.firstEvent,
                count: UInt32(command.eventCount))
            state.commands[ExactBytes(Array(frame.body[command.id]))] = Command(
                entry: entry, frame: frames)
        }
        var record = EventRecord()
        do {
            _ = try frame.forEachEvent(
                in: 0..<frame.eventCount, reversed: false, record: &record
            ) { event, _ in
                add(
                    stream: event.stream, type: event.type, at: event.at, revision: event.revision,
                    event.position, to: &state)
                for tag in event.tags { add(.tag, tag.number, event.position, to: &state) }
                if let actor = event.listedActor {
                    add(.actor, actor.number, event.position, to: &state)
                }
                return true
            }
        } catch let error as JournalError {
            throw error
        } catch {
            throw .damaged("\(error)", at: frame.first)
        }
        state.position = Position(frame.end - 1)
        state.frameCount = frames
        state.last = frame.key
    }

    /// A batch was appended by this process; nothing happens if others appended in between.
    func add(_ batch: Batch, _ key: FrameKey, revisions: [UInt32], head: Head) {
        state.withLock { state in
            guard state.frameCount + 1 == head.frameCount, key.first == state.position + 1 else {
                return
            }
            for symbol in batch.newSymbols { Self.addSymbol(symbol, to: &state) }
            for command in batch.commands where command.isAccepted {
                let entry = AcceptedEntry(
                    digest: command.digest, isKeyed: command.isKeyed, device: command.device,
                    first: key.first + command.events.lowerBound,
                    count: UInt32(command.events.count))
                state.commands[ExactBytes(command.id)] = Command(
                    entry: entry, frame: head.frameCount)
            }
            // By index: a copy of an event counts references to all that it has.
            for index in batch.events.indices {
                let position = key.first + index
                Self.add(
                    stream: batch.events[index].stream, type: batch.events[index].type,
                    at: batch.events[index].at, revision: revisions[index], position, to: &state)
                for tag in batch.events[index].tags {
                    Self.add(.tag, tag.number, position, to: &state)
                }
                if let actor = batch.events[index].listedActor {
                    Self.add(.actor, actor.number, position, to: &state)
                }
            }
            state.position = head.position
            state.frameCount = head.frameCount
            state.last = key
        }
    }

    private static func addSymbol(_ bytes: [UInt8], to state: inout State) {
        state.symbols.append(bytes)
        state.names[ExactBytes(bytes)] = state.sealedSymbols + UInt32(state.symbols.count)
    }

    private static func add(
        stream: Symbol, type: UInt16, at: Instant, revision: UInt32, _ position: Position,
        to state: inout State
    ) {
        add(.stream, stream.number, position, to: &state)
        add(.type, UInt32(type), position, to: &state)
        state.heads[stream] = StreamHead(
            count: revision &+ 1, lastPosition: position, lastAt: at)
    }

    private static func add(
        _ kind: SegmentKind, _ number: UInt32, _ position: Position, to state: inout State
    ) {
        state.lists.append(list(kind, number))
        state.places.append(UInt32(truncatingIfNeeded: position.number))
    }

    // MARK: Looking up

    func symbol(_ number: UInt32) -> [UInt8]? {
        state.withLock { state in
            let index = Int(number) - Int(symbolCount) - 1
            return state.symbols.indices.contains(index) ? state.symbols[index] : nil
        }
    }

    /// The number of these bytes, if it is one of the head's symbols.
    func number(of bytes: [UInt8], _ head: Head) -> UInt32? {
        state.withLock { $0.names[ExactBytes(bytes)] }.flatMap { $0 <= head.symbolCount ? $0 : nil }
    }

    func command(_ id: [UInt8], _ head: Head) -> AcceptedEntry? {
        state.withLock { $0.commands[ExactBytes(id)] }.flatMap {
            $0.frame <= head.frameCount ? $0.entry : nil
        }
    }

    func isAbsentWhereSealed(_ kind: SegmentKind, _ bytes: [UInt8]) -> Bool {
        state.withLock { $0.absent[kind]?.contains(ExactBytes(bytes)) ?? false }
    }

    func noteAbsent(_ kind: SegmentKind, _ bytes: [UInt8]) {
        state.withLock { state in
            if state.absent[kind]?.count ?? 0 >= Self.memoLimit { state.absent[kind] = [] }
            state.absent[kind, default: []].insert(ExactBytes(bytes))
        }
    }

    enum Stream {
        case ends(StreamHead)
        /// It has no event here.
        case isElsewhere
        /// The tail knows more than the head that was asked with.
        case unknown
    }

    func stream(_ stream: Symbol, _ head: Head) -> Stream {
        state.withLock { state in
            guard state.position == head.position else { return .unknown }
            return state.heads[stream].map { .ends($0) } ?? .isElsewhere
        }
    }

    func sealedHead(_ stream: Symbol) -> StreamHead?? {
        state.withLock { $0.sealedHeads[stream] }
    }

    func noteSealedHead(_ stream: Symbol, _ head: StreamHead?) {
        state.withLock { state in
            if state.sealedHeads.count >= Self.memoLimit { state.sealedHeads.removeAll() }
            state.sealedHeads[stream] = .some(head)
        }
    }

    /// Appends the positions of a list that lie in `range`, ascending.
    func collect(
        _ kind: SegmentKind, _ number: UInt32, _ range: ClosedRange<UInt64>,
        into found: inout [UInt64]
    ) {
        guard range.upperBound > position.number else { return }
        let wanted = Self.list(kind, number)
        let base = position.number
        state.withLock { state in
            if kind == .stream, state.heads[Symbol(number: number)] == nil { return }
            // Positions are kept by their last 32 bits; the tail is never that long.
            func position(_ index: Int) -> UInt64 {
                base + UInt64(state.places[index] &- UInt32(truncatingIfNeeded: base))
            }
            // Most ask for the last few: what was appended since they looked.
            var (low, high) = (0, state.places.count)
            while low < high {
                let middle = (low + high) / 2
                if position(middle) < range.lowerBound { low = middle + 1 } else { high = middle }
            }
            for index in low..<state.lists.count where state.lists[index] == wanted {
                let place = position(index)
                if place > range.upperBound { return }
                if found.last != place { found.append(place) }
            }
        }
    }
}
