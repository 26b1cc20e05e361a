import Commands
import Cryptography
import EventLog
import Core

/// Tells whether an accepted command said the same as one that comes with its id.
struct CommandMemory {
    private let keys: PersonKeys
    private let snapshot: JournalSnapshot

    init(_ keys: PersonKeys, _ snapshot: JournalSnapshot) {
        self.keys = keys
        self.snapshot = snapshot
    }

    /// Where a key is gone that it was remembered with, nobody can tell: its id is taken, and it counts as the
    /// same, so that nothing is recorded twice.
    func says(_ entry: AcceptedEntry, _ digest: [UInt8]) throws -> Bool {
        guard entry.isKeyed else {
            return digest.prefix(CommandDigest.storedBytes).elementsEqual(entry.digest)
        }
        var slots: [UInt32] = []
        let positions = (0..<Int(entry.count)).map { entry.first + $0 }
        try snapshot.forEachEvent(at: positions) { event, body in
            slots.append(SealedPart.slot(of: event, body))
            return true
        }
        guard let mac = try keys.mac(of: digest, slots: PendingBatch.distinct(slots)) else {
            return true
        }
        return try ConstantTime.areEqual(mac, entry.digest) || keys.lacksFormerSecret()
    }
}

extension SealedPart {
    /// The slot with the key that sealed an event, or 0.
    static func slot(of event: EventRecord, _ body: [UInt8]) -> UInt32 {
        guard event.flags & PersonalPart.flag != 0 else { return 0 }
        var reader = BinaryReader(body, range: event.payload)
        let length = reader.count()
        guard !reader.failed else { return 0 }
        let end = event.payload.upperBound
        return SealedPart(body, end - length..<end)?.slot ?? 0
    }
}

/// The commands that were accepted before: durable ones and those of this batch.
final class AcceptedCommands: IdempotencyIndex {
    private let session: Session
    private let snapshot: JournalSnapshot
    private let pending: PendingBatch
    private(set) var fault: (any Error)?

    init(_ session: Session, _ snapshot: JournalSnapshot, _ pending: PendingBatch) {
        self.session = session
        self.snapshot = snapshot
        self.pending = pending
    }

    func known(command id: String, _ digest: [UInt8]) -> KnownCommand {
        if let known = pending.accepted[ExactText(id)] {
            return known.digest == digest || pending.isOfErased(known, session) ? .same : .other
        }
        do {
            guard let entry = try snapshot.command(Array(id.utf8)) else { return .unknown }
            let memory = CommandMemory(session.persons.keys, snapshot)
            return try memory.says(entry, digest) ? .same : .other
        } catch {
            fault = fault ?? error
            return .unknown
        }
    }
}
