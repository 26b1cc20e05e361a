import EventLog
import Core
import Synchronization

/// The persons' keys beside the journal: what opens and seals personal fields, and forgets them.
final class Persons {
    let keys: PersonKeys
    private let list: ErasureList
    /// Erasures up to here are known to the keys; nil before the first look.
    private var position: Position?
    /// How many ends of keys were learnt here.
    private(set) var endedKeys = 0
    /// Ends of keys that are known and not carried out, as far as this session knows.
    private var pending: [KeyEnd] = []
    /// Those that are carried out and do not stand in the list yet.
    private var unlisted: [Erasure] = []
    /// The list was not looked at by this session yet.
    private var isNew = true
    /// What kept an erasure from being carried out, or would keep one: it is tried again with the next
    /// commit.
    private(set) var trouble: (any Error)?
    /// An erasure is recorded that is not carried out, as far as this session knows.
    var owesErasure: Bool { !pending.isEmpty || !unlisted.isEmpty }

    init(_ journal: Journal) {
        keys = PersonKeys(of: journal)
        list = ErasureList(journal.path)
    }

    /// Whose erasure was recorded since: nothing of theirs is opened from here on, whether or not the
    /// process that recorded it came to destroying their keys.
    func catchUp(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        keys.didLearn(slotCount: snapshot.head.slotCount)
        let from = try (position ?? keys.applied(snapshot) ?? .zero) + 1
        guard from <= snapshot.head.position else { return }
        let ends = try KeyEnd.all(snapshot, from: from, types, names)
        // A name that could not be read would be taken for another person's.
        if let fault = names.fault { throw fault }
        position = snapshot.head.position
        keys.hide(ends.flatMap(\.keys))
        endedKeys += ends.count
        pending += ends
    }

    /// Carries out in the files what was recorded; the caller holds the writer lock.
    ///
    /// What fails is left in `trouble`: the events are durable, and nothing that can be made again stands in
    /// the way of those to come. Keys come first, since they cannot be made again; `verify` finds what was not done.
    func carryOut(_ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names) {
        do {
            trouble = nil
            try catchUp(snapshot, types, names)
            guard isNew || owesErasure else { return }
            try keys.prepareToWrite(slotCount: snapshot.head.slotCount)
            if !pending.isEmpty {
                try keys.destroy(
                    pending.flatMap { end in end.keys.map { ($0, end.position) } }, snapshot)
                unlisted += pending.map(\.erasure)
                pending = []
            }
            if isNew { try repairList(snapshot, types, names) }
            if !unlisted.isEmpty {
                try list.append(unlisted)
                unlisted = []
                try keys.setApplied(snapshot)
            }
        } catch {
            trouble = error
        }
    }

    /// Carries out every erasure of the journal once more, as if none had been: mends keys and list, whatever
    /// they say.
    func carryOutAll(_ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names) {
        position = .zero
        carryOut(snapshot, types, names)
    }

    /// The list follows from the journal: one that is damaged, or gone, is made again.
    private func repairList(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        let contents = try list.contents()
        let isGone = try !contents.isThere && (keys.applied(snapshot) ?? .zero) > .zero
        if contents.damagedLines > 0 || isGone {
            let ends = try KeyEnd.all(snapshot, from: Position(1), types, names)
            try list.replace(contents.erasures + ends.map(\.erasure))
        }
        isNew = false
    }

    func checkFault() throws {
        if let fault = keys.takeFault() { throw fault }
    }
}

extension EventEngine {
    /// Carries out, in this journal's files, the erasures that its events tell of and that are not carried out yet: for a journal
    /// whose events another program decided.
    package func carryOutErasures() throws(EngineError) {
        try whileOpen { try carryOutRecorded(again: false) }
    }

    /// Carries out what was recorded and is pending, as a writer does, so that readers need not look for it again.
    /// - Parameter again: Also what was carried out before.
    func carryOutRecorded(again: Bool) throws {
        try journal.withWriterLock {
            let snapshot = try journal.snapshot()
            let names = Names(source: JournalSymbols(journal), stored: snapshot.head.symbolCount)
            let types = try JournalTypes(snapshot.types(), registry)
            let persons = Persons(journal)
            if again {
                persons.carryOutAll(snapshot, types, names)
            } else {
                persons.carryOut(snapshot, types, names)
            }
            if let trouble = persons.trouble { throw trouble }
        }
    }
}

/// Where a key ends: a person was erased, or began anew under another key.
struct KeyEnd {
    let keys: [PersonKeys.Name]
    let erasure: Erasure

    /// Whom a list has erased and the journal has not, and whose keys are here: restored from a backup it would destroy them. Of
    /// people who are not known here a restore leaves lines, for backups that know them.
    static func unrecorded(
        _ listed: [Erasure], _ ends: [KeyEnd], living: Set<PersonKeys.Name>
    ) -> [Erasure] {
        let recorded = Set(ends.map(\.erasure.matter))
        return listed.filter { erasure in
            !recorded.contains(erasure.matter) && erasure.keys.contains { living.contains($0) }
        }
    }

    var position: Position { erasure.position }

    /// All that were recorded from a position on.
    static func all(
        _ snapshot: JournalSnapshot, from: Position, _ types: JournalTypes, _ names: Names
    ) throws -> [KeyEnd] {
        var ends: [KeyEnd] = []
        for number in types.registry.keyDestroying.flatMap({ types.numbers(matching: $0) }) {
            let isErasure = types[number]?.payload.name == AccountErased.type
            let positions = try snapshot.positions(of: .type, UInt32(number), from: from)
            try snapshot.forEachEvent(at: positions) { event, body in
                let product = product(of: names.text(event.stream))
                let key = PersonKeys.Name(product, event.subject, names)
                var person = key.holder
                if isErasure {
                    var reader = BinaryReader(
                        body, stored: event.payload, flags: event.flags, at: event.place,
                        opener: nil)
                    person =
                        AccountErased.decode(version: 1, from: &reader).map {
                            names.text($0.subject)
                        } ?? person
                }
                ends.append(
                    KeyEnd(
                        keys: isErasure ? [key, PersonKeys.Name(text: person)] : [key],
                        erasure: Erasure(
                            person: person, position: event.position, at: event.at,
                            ended: isErasure ? nil : key.text)))
                return true
            }
        }
        return ends.sorted { $0.position < $1.position }
    }

    /// Of `account/PRODUCT/ID`, or of a stream of the product's own.
    private static func product(of stream: String) -> String {
        let parts = stream.split(separator: "/")
        return String(parts.first == "account" && parts.count > 1 ? parts[1] : parts.first ?? "")
    }
}

extension PersonKeys.Name {
    init(_ product: String, _ subject: Symbol, _ names: Names) {
        self.init(product: product, person: names.text(subject))
    }

    /// Whose key it is, `PRODUCT/ID`: later keys of theirs are named `PRODUCT/ID/…`.
    var holder: String { text.split(separator: "/").prefix(2).joined(separator: "/") }
}

/// Seals rows of one product's state under the keys of the journal.
///
/// Rows go to other threads to be encoded while the one that owns the state waits for them.
final class ProductVault: RowVault, @unchecked Sendable {
    /// Held by whoever looks names up: the products of a session share theirs, and are encoded side by side.
    final class Lock: Sendable {
        fileprivate let mutex = Mutex(())
    }

    let opener: PartOpener
    private let keys: PersonKeys
    private let product: String
    private let names: Names
    private let lock: Lock
    private var persons: [Symbol: PersonKeys.Name] = [:]

    init(_ keys: PersonKeys, _ product: String, _ names: Names, _ lock: Lock) {
        opener = PartOpener(keys: keys, names: names)
        self.keys = keys
        self.product = product
        self.names = names
        self.lock = lock
    }

    func seal(_ clear: [UInt8], of person: Symbol) -> [UInt8]? {
        keys.sealRow(clear, of: name(of: person))
    }

    func isKeyless(_ person: Symbol) -> Bool { keys.isKeyless(name(of: person)) }

    private func name(of person: Symbol) -> PersonKeys.Name {
        lock.mutex.withLock { _ in
            let name = persons[person] ?? PersonKeys.Name(product, person, names)
            persons[person] = name
            return name
        }
    }

    func open(_ sealed: [UInt8]) -> [UInt8]? { keys.openRow(sealed) }
}
