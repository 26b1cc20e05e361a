import Core
import Cryptography
import Synchronization

/// A person's key on its way from one machine to another, unwrapped: never into a log, a file or a message that is kept.
package struct CarriedKey: Hashable, Sendable {
    /// The slot of `keys` that it belongs into.
    package let number: UInt32
    /// The first 16 bytes of SHA-256 over the journal's identity and `PRODUCT/ID`.
    package let person: [UInt8]
    package let key: [UInt8]

    package init(number: UInt32, person: [UInt8], key: [UInt8]) {
        self.number = number
        self.person = person
        self.key = key
    }

    /// As frames name it.
    fileprivate var digest: [UInt8] {
        NamedSlot.digest(of: key)
    }
}

extension NamedSlot {
    /// It was named for a key that was not there either.
    package var isKeyless: Bool { digest.allSatisfy { $0 == 0 } }
}

extension PersonKeys {
    /// The keys that were given out since ``prepareToWrite(slotCount:)``.
    package func fresh() throws(JournalError) -> [CarriedKey] {
        try carried(in: freshSlots.filter { $0.digest.contains { $0 != 0 } }.map(\.number)).keys
    }

    /// The keys of these slots, as far as they are here, and those of them that an erasure has written over.
    package func carried(
        in numbers: [UInt32]
    ) throws(JournalError) -> (keys: [CarriedKey], destroyed: [UInt32]) {
        try state.withLock { state throws(JournalError) in
            var keys: [CarriedKey] = []
            var destroyed: [UInt32] = []
            for number in numbers {
                switch try state.file.look(at: number) {
                case .key(let person, let key):
                    keys.append(CarriedKey(number: number, person: person, key: key))
                case .destroyed: destroyed.append(number)
                case .withheld, .lost: break
                }
            }
            return (keys, destroyed)
        }
    }

    /// Puts keys of slots that no frame of this journal names yet where they belong, whatever lies there: durable on
    /// return. What no frame ever names is written over by the next who comes. The caller holds the writer's lock.
    package func keep(
        _ keys: [CarriedKey], behind slotCount: UInt32
    ) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            try state.file.prepareToWrite(slotCount: slotCount)
            try state.file.fill(keys.filter { $0.number > slotCount })
        }
    }

    /// Of slots that frames name, those whose key is not here and was not destroyed.
    package func missing(of slots: [NamedSlot]) throws(JournalError) -> [NamedSlot] {
        try state.withLock { state throws(JournalError) in
            try Self.missing(of: slots, &state.file)
        }
    }

    private static func missing(
        of slots: [NamedSlot], _ file: inout KeyFile
    ) throws(JournalError) -> [NamedSlot] {
        var missing: [NamedSlot] = []
        for slot in slots where !slot.isKeyless {
            switch try file.look(at: slot.number) {
            case .key(let person, let key):
                let here = CarriedKey(number: slot.number, person: person, key: key)
                if here.digest != slot.digest { missing.append(slot) }
            case .destroyed: break
            case .withheld, .lost: missing.append(slot)
            }
        }
        return missing
    }

    /// Puts keys into slots where they are missing; how many there were. The caller holds the writer's lock.
    package func fill(
        _ slots: [NamedSlot], from keys: [CarriedKey], slotCount: UInt32
    ) throws(JournalError) -> Int {
        let known = Dictionary(keys.map { ($0.number, $0) }) { first, _ in first }
        let found = slots.filter { slot in known[slot.number]?.digest == slot.digest }
        if found.isEmpty { return 0 }
        return try state.withLock { state throws(JournalError) in
            try state.file.prepareToWrite(slotCount: slotCount)
            // An erasure may have written over some since somebody saw that they were missing.
            let missing = try Self.missing(of: found, &state.file)
            try state.file.fill(missing.compactMap { known[$0.number] })
            return missing.count
        }
    }

    /// Whether a person's keys, where there are any, have all been written over.
    package func isForgotten(
        _ persons: [Name], _ snapshot: JournalSnapshot
    ) throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return true }
            try state.file.learn(slotCount: snapshot.head.slotCount)
            for person in persons {
                for number in state.file.numbers(of: hash(person)) {
                    if case .key = try state.file.look(at: number) { return false }
                }
            }
            return true
        }
    }
}

extension Journal {
    /// What frames bring besides events: the slots of `keys` that they name first, and types.
    package static func news(
        in frames: [LoggedFrame]
    ) throws(JournalError) -> (slots: [NamedSlot], types: [TypeRecord]) {
        let reader = FrameReader()
        var slots: [NamedSlot] = []
        var types: [TypeRecord] = []
        for frame in frames {
            try reader.open(key: frame.key.span, stored: frame.bytes.span)
            slots += reader.slots
            types += reader.types
        }
        return (slots, types)
    }

    /// Frames behind a number, byte for byte as they were appended: as far back as they are not sealed into blocks.
    package func frames(
        after number: UInt64, atMost limit: Int
    ) throws(JournalError) -> [LoggedFrame] {
        let transaction = try ReadTransaction(environment)
        let sealed = try Sealed.read(transaction.access, databases)
        let reader = FrameReader()
        var cursor = try Cursor(transaction.access, databases.frames)
        var frames: [LoggedFrame] = []
        var count = sealed.frameCount
        var found = try cursor.seek(FrameKey(first: sealed.position + 1, ordinal: 0).bytes.span)
        while found, frames.count < limit {
            count += 1
            if count > number {
                try unsafe Span.over(cursor.key) { key throws(JournalError) in
                    try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                        try reader.openHeader(key: key, stored: stored)
                        frames.append(LoggedFrame(reader, number: count, stored))
                    }
                }
            }
            found = try cursor.next()
        }
        return frames
    }

    /// How many frames are sealed into blocks, so that their own bytes are here no more.
    package func sealedFrames() throws(JournalError) -> UInt64 {
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        return try Sealed.read(transaction.access, databases).frameCount
    }
}

extension LoggedFrame {
    init(_ reader: FrameReader, number: UInt64, _ stored: Span<UInt8>) {
        self.init(
            number: number, term: reader.header.term, position: Position(reader.end - 1),
            previous: reader.header.previous, chain: reader.checksum, key: reader.key.copied,
            bytes: stored.indices.map { stored[$0] })
    }
}
