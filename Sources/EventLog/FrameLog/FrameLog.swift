package import Core
import Synchronization

/// A frame as a log keeps it: the record of `frames` byte for byte, and where it stands.
package struct LoggedFrame: Hashable, Sendable {
    /// Its place among all frames, from 1.
    package let number: UInt64
    package let term: UInt32
    /// The journal's last event behind it.
    package let position: Position
    /// The checksum of the frame before.
    package let previous: Checksum
    /// Its own checksum.
    package let chain: Checksum
    /// Its key in `frames`: 12 bytes.
    package let key: [UInt8]
    /// Its value in `frames`.
    package let bytes: [UInt8]

    package init(
        number: UInt64, term: UInt32, position: Position, previous: Checksum, chain: Checksum,
        key: [UInt8], bytes: [UInt8]
    ) {
        self.number = number
        self.term = term
        self.position = position
        self.previous = previous
        self.chain = chain
        self.key = key
        self.bytes = bytes
    }
}

/// Where commits are durable before they are in the journal (ADR 0064).
///
/// A commit is one frame. The journal hands it to the log within its write transaction, and commits that when the log has it: a
/// frame that the log refused was never there, one that it took is found in it, whatever became of the process. Called under the
/// writer's lock.
package protocol FrameLog: Sendable {
    /// Frames that are appended bear it: who appends, where several take turns.
    var term: UInt32 { get }
    /// Whether the log may hold frames that the journal has not: ask ``frames(after:)`` before anything is decided.
    var isAhead: Bool { get }
    /// Called before frames are appended, and before anything is written: with the batch, and the keys that nothing was sealed
    /// with before it. Those are durable on this machine.
    func prepare(_ batch: Batch, _ keys: [CarriedKey]) throws(JournalError)
    /// Returns when the frames are durable there, behind the frame that the first one names as the one before.
    func append(_ frames: [LoggedFrame]) throws(JournalError)
    /// The journal has committed what was appended, or taken in what was there.
    func didCommit(_ head: Head)
    /// What was appended is not in the journal, whose commit failed: the log is ahead from here on.
    func didNotCommit()
    /// What it holds behind a frame, in order; some of it, and nothing only if there is nothing.
    func frames(after number: UInt64) throws(JournalError) -> [LoggedFrame]
    /// The journal has everything.
    func didSettle()
    /// Throws where another program has taken over, whose journal may know more.
    func checkHold() throws(JournalError)
}

extension FrameLog {
    package func prepare(_ batch: Batch, _ keys: [CarriedKey]) throws(JournalError) {}
}

/// The journal alone: its own commit is what makes a frame durable.
package struct LocalLog: FrameLog {
    package var term: UInt32 { 0 }
    package var isAhead: Bool { false }

    package init() {}

    package func append(_ frames: [LoggedFrame]) {}
    package func didCommit(_ head: Head) {}
    package func didNotCommit() {}
    package func frames(after number: UInt64) -> [LoggedFrame] { [] }
    package func didSettle() {}
    package func checkHold() {}
}

extension Checksum {
    package init?(description: String) {
        guard description.utf8.count == 32,
            let high = UInt64(description.prefix(16), radix: 16),
            let low = UInt64(description.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension Journal {
    /// The name of the file in a journal's directory that says which log its frames go to.
    package static let logFileName = "log"

    /// Nothing may be appended past the log.
    static func checkLog(
        _ path: String, _ log: any FrameLog, _ access: Access
    ) throws(JournalError) {
        guard access == .readWrite, log is LocalLog, try FileSystem.exists(path + "/" + logFileName)
        else { return }
        throw JournalError(
            .readOnly, "\(path): its frames go to a log, which this program does not speak to",
            advice: "open it for reading only, or submit through a program that does")
    }

    /// Takes in what the log has and the journal has not: before anything is decided. The caller holds the writer's lock.
    package func settle() throws(JournalError) {
        guard log.isAhead else { return }
        while true {
            let frames = try log.frames(after: head().frameCount)
            if frames.isEmpty { break }
            try follow(frames)
        }
        // What a program before said of it may have been lost, and perhaps nothing more is appended.
        log.didCommit(try head())
        log.didSettle()
    }

    /// Appends frames that another program appended to the log, byte for byte. Durable on return; the caller holds the
    /// writer's lock. A frame that does not continue the journal is damage, and nothing of them is taken.
    ///
    /// - Parameter keys: the persons' keys, where the caller keeps them from one call to the next.
    package func follow(
        _ frames: [LoggedFrame], _ keys: PersonKeys? = nil
    ) throws(JournalError) {
        guard !frames.isEmpty else { return }
        let snapshot = try snapshot()
        let reader = FrameReader()
        let keys = keys ?? PersonKeys(of: self)
        var head = snapshot.head
        var symbols: [UInt32: [UInt8]] = [:]
        var types: [TypeRecord] = []
        for frame in frames {
            try reader.open(key: frame.key.span, stored: frame.bytes.span)
            try Self.check(frame, reader, head)
            for (index, range) in reader.symbols.enumerated() {
                symbols[head.symbolCount + 1 + UInt32(index)] = Array(reader.body[range])
            }
            types += reader.types
            for slot in reader.slots {
                func text(_ symbol: Symbol) throws(JournalError) -> String {
                    var bytes = symbols[symbol.number]
                    if bytes == nil { bytes = try snapshot.symbol(symbol) }
                    return String(decoding: bytes ?? [], as: UTF8.self)
                }
                try keys.follow(
                    slot,
                    of: FreshSlot.Name(product: text(slot.product), person: text(slot.person)))
            }
            head = reader.head(behind: head)
        }
        try put(frames, types, head)
    }

    private static func check(
        _ frame: LoggedFrame, _ reader: FrameReader, _ head: Head
    ) throws(JournalError) {
        let isNext =
            frame.number == head.frameCount + 1 && reader.header.previous == head.chain
            && reader.checksum == frame.chain && reader.header.term >= head.term
            && reader.key == FrameKey(first: head.position + 1, ordinal: head.ordinal)
            && (reader.symbols.isEmpty || reader.firstSymbol == head.symbolCount + 1)
        guard isNext else {
            throw JournalError(
                .damaged(frame.position),
                "frame \(frame.number) of the log does not continue the journal",
                advice: "nothing was taken; compare the log with the other journals")
        }
    }
}

extension FrameReader {
    /// Where a journal stands behind this frame.
    fileprivate func head(behind former: Head) -> Head {
        var head = former
        head.position = former.position + eventCount
        head.symbolCount += UInt32(symbols.count)
        head.typeCount += UInt16(types.count)
        head.slotCount += UInt32(slots.count)
        head.clock = header.clock
        head.term = header.term
        head.frameCount += 1
        head.chain = checksum
        head.ordinal = eventCount == 0 ? former.ordinal + 1 : 0
        return head
    }
}

extension PersonKeys {
    /// A slot that a frame of the log names. Its key is here if this program made it; else the slot stays empty until the
    /// key is brought (``fill(from:_:)``).
    func follow(_ slot: NamedSlot, of name: Name) throws(JournalError) {
        let hash = hash(name)
        try state.withLock { state throws(JournalError) in
            if try state.file.open(),
                case .key(let person, let key) = try state.file.look(at: slot.number),
                person == hash,
                NamedSlot.digest(of: key) == slot.digest
            {
                return
            }
            try state.file.prepareToWrite(slotCount: slot.number - 1)
            _ = state.file.addEmpty(.withheld, hash, named: name)
            try state.file.flush()
            state.file.didCommit()
        }
    }

    /// Brings keys that are not here from a copy of the file `keys` of another program of this journal; how many are
    /// still missing that no erasure destroyed. The caller holds the writer's lock.
    package func fill(from copy: KeyCopy?, _ snapshot: JournalSnapshot) throws -> Int {
        try prepareToWrite(slotCount: snapshot.head.slotCount)
        var missing = 0
        try snapshot.forEachSlot { _, slot in
            let name = try snapshot.name(of: slot)
            let finding = try state.withLock { state throws(JournalError) in
                try state.file.look(at: slot.number)
            }
            switch finding {
            case .key, .destroyed: return true
            case .withheld, .lost: break
            }
            let key = copy?.keys(of: name).first {
                NamedSlot.digest(of: $0) == slot.digest
            }
            guard let key else {
                missing += slot.digest.allSatisfy { $0 == 0 } ? 0 : 1
                return true
            }
            let carried = CarriedKey(number: slot.number, person: hash(name), key: key)
            try state.withLock { state throws(JournalError) in try state.file.fill([carried]) }
            return true
        }
        return missing
    }
}
