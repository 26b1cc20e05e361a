package import Core
package import EventLog
import Projections
import Synchronization

/// What an engine keeps while its journal takes in what another machine decides. Whoever holds its lock has exclusive use.
final class Following: @unchecked Sendable {
    let keys: PersonKeys
    let persons: Persons
    private var types: JournalTypes?

    init(_ journal: Journal) {
        keys = PersonKeys(of: journal)
        persons = Persons(journal)
    }

    func types(_ snapshot: JournalSnapshot, _ registry: Registry) throws -> JournalTypes {
        if let types, types.count == Int(snapshot.head.typeCount) { return types }
        let read = try JournalTypes(snapshot.types(), registry)
        types = read
        return read
    }
}

/// For journals whose frames come from a log that another machine appends to (docs/cluster.md). One caller at a time.
extension EventEngine {
    /// Takes in frames of the log, byte for byte; carries out the erasures among them. A frame that does not continue the
    /// journal, and a type that this program does not know, are refused, and nothing is taken.
    ///
    /// Throws with the frames taken where an erasure cannot be carried out: the next call tries it
    /// again, be it without frames.
    package func follow(_ frames: [LoggedFrame]) throws(EngineError) {
        try whileFollowing { following in
            if let last = frames.last {
                for type in try Journal.news(in: frames).types {
                    try checkKnown(type, at: last.position)
                }
                try journal.follow(frames, following.keys)
            }
            let snapshot = try journal.snapshot()
            // Whoever waits for the events is told of them, whatever becomes of an erasure.
            defer {
                tree.follow(snapshot.head.position)
                tail.reached(snapshot.head.position)
            }
            try carryOutErasures(following, snapshot)
        }
    }

    private func checkKnown(_ type: TypeRecord, at position: Position) throws(EngineError) {
        guard registry.payload(type.name)?.version(Int(type.version)) != nil else {
            throw EngineError(
                .badInput,
                "the log has events of type \(type.name) version \(type.version), up to position "
                    + "\(position.number), which this program does not know; use a newer version of it"
            )
        }
    }

    private func carryOutErasures(_ following: Following, _ snapshot: JournalSnapshot) throws {
        let names = Names(source: JournalSymbols(journal), stored: snapshot.head.symbolCount)
        following.persons.carryOut(snapshot, try following.types(snapshot, registry), names)
        if let trouble = following.persons.trouble { throw trouble }
    }

    private func whileFollowing<R: Sendable>(_ body: (Following) throws -> R) throws(EngineError)
        -> R
    {
        try whileOpen {
            try following.withLock { following in
                let open = following ?? Following(journal)
                following = open
                return try journal.withWriterLock { try body(open) }
            }
        }
    }

    // MARK: Keys

    /// Puts keys that another machine has given out where they belong, before the frame that names them: durable on return.
    package func keep(_ keys: [CarriedKey]) throws(EngineError) {
        try whileFollowing { following in
            try following.keys.keep(keys, behind: try journal.head().slotCount)
        }
    }

    /// The keys of these slots, as far as they are here, and those of them that an erasure has written over.
    package func keys(
        in numbers: [UInt32]
    ) throws(EngineError) -> (keys: [CarriedKey], destroyed: [UInt32]) {
        try whileOpen { try PersonKeys(of: journal).carried(in: numbers) }
    }

    /// Of the slots that these frames name, those whose keys are not here.
    package func missingKeys(of frames: [LoggedFrame]) throws(EngineError) -> [NamedSlot] {
        try whileOpen {
            let slots = try Journal.news(in: frames).slots
            return slots.isEmpty ? [] : try PersonKeys(of: journal).missing(of: slots)
        }
    }

    /// Of all slots of the journal, those whose keys are not here and were not destroyed.
    package func missingKeys() throws(EngineError) -> [NamedSlot] {
        try whileOpen {
            var slots: [NamedSlot] = []
            try journal.snapshot().forEachSlot { _, slot in
                slots.append(slot)
                return true
            }
            return try PersonKeys(of: journal).missing(of: slots)
        }
    }

    /// Of these slots, those whose keys are still not here.
    package func missingKeys(of slots: [NamedSlot]) throws(EngineError) -> [NamedSlot] {
        try whileOpen { try PersonKeys(of: journal).missing(of: slots) }
    }

    /// Puts keys into slots that frames named before they were here. What was folded without them is folded anew.
    package func fill(
        _ slots: [NamedSlot], from keys: [CarriedKey]
    ) throws(EngineError) -> Int {
        let count = try whileFollowing { following in
            try following.keys.fill(slots, from: keys, slotCount: try journal.head().slotCount)
        }
        guard count > 0 else { return 0 }
        following.withLock { $0 = nil }
        try whileOpen {
            let snapshot = try journal.snapshot()
            // Whoever stands on what was stored before begins anew, with keys read anew.
            try maker.make(registry.products, snapshot)
            pasts.forget()
        }
        return count
    }

    // MARK: Erasures

    /// Up to where the erasures that the journal records are carried out here.
    package func erased(
        _ known: Position
    ) throws(EngineError) -> Position {
        try whileOpen {
            let snapshot = try journal.snapshot()
            let head = snapshot.head.position
            guard head > known else { return known }
            let names = Names(source: JournalSymbols(journal), stored: snapshot.head.symbolCount)
            let types = try JournalTypes(snapshot.types(), registry)
            let ends = try KeyEnd.all(snapshot, from: known + 1, types, names)
            if ends.isEmpty { return head }
            let keys = PersonKeys(of: journal)
            for end in ends where try !keys.isForgotten(end.keys, snapshot) {
                return max(known, Position(end.position.number - 1))
            }
            return head
        }
    }

    // MARK: Types

    /// Every event type and version that this program can read: `examroom.exam.created 1`.
    package var capabilities: [String] {
        registry.payloads.flatMap { type in
            (1...max(1, Int(type.version))).filter { type.version($0) != nil }.map {
                "\(type.name) \($0)"
            }
        }.sorted { $0.precedes($1) }
    }
}
