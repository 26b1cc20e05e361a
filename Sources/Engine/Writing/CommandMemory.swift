import Commands
import Cryptography
import EventLog
import Core

/// Tells whether an accepted command said the same as one that comes with its id.
struct CommandMemory {
    private let session: Session
    private let snapshot: JournalSnapshot

    init(_ session: Session, _ snapshot: JournalSnapshot) {
        self.session = session
        self.snapshot = snapshot
    }

    /// What is known of a command that comes with the id of an accepted one.
    enum Comparison {
        case same
        case other
        /// Somebody is erased for whom something of it was sealed: whatever comes, nobody is told whether it said that.
        case untold
    }

    /// Where a key is lost that it was remembered with, nobody can tell: its id is taken, and it counts as the
    /// same, so that nothing is recorded twice.
    func says(_ entry: AcceptedEntry, _ digest: [UInt8]) throws -> Comparison {
        var slots: [UInt32] = []
        var isOfErased = false
        try snapshot.forEachEvent(at: entry.positions) { event, body in
            slots.append(SealedPart.slot(of: event, body))
            guard !isOfErased, event.flags & PersonalPart.flag != 0,
                let type = session.types[event.type]
            else { return true }
            // An erasure in this batch destroys no key before it is durable.
            isOfErased = session.hides(EventEnvelope(event, body, type, opener: nil))
            return true
        }
        if isOfErased { return .untold }
        guard entry.isKeyed else {
            let isSame = digest.prefix(CommandDigest.storedBytes).elementsEqual(entry.digest)
            return isSame ? .same : .other
        }
        let keys = session.persons.keys
        guard let mac = try keys.mac(of: digest, slots: PendingBatch.distinct(slots)) else {
            return .same
        }
        let isSame = try ConstantTime.areEqual(mac, entry.digest) || keys.lacksFormerSecret()
        return isSame ? .same : .other
    }
}

extension AcceptedEntry {
    /// Of its events.
    var positions: [Position] { (0..<Int(count)).map { first + $0 } }
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
            return try CommandMemory(session, snapshot).says(entry, digest) == .other
                ? .other : .same
        } catch {
            fault = fault ?? error
            return .unknown
        }
    }
}
