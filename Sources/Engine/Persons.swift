import EventLog
import Events

/// The persons' keys beside the journal: what opens and seals personal fields, and forgets them.
final class Persons {
    let keys: PersonKeys
    private let directory: String
    /// Erasures up to here are known to the keys.
    private var position: Position
    /// Those that are known and not carried out, as far as this session knows.
    private var pending: [KeyEnd] = []
    /// Nothing was carried out by this session yet: what it finds may stand in the list of erasures already.
    private var isNew = true

    init(_ journal: Journal) throws {
        keys = PersonKeys(of: journal)
        directory = journal.path
        position = try keys.applied()
    }

    /// Whose erasure was recorded since: nothing of theirs is opened from here on, whether or not the
    /// process that recorded it came to destroying their keys.
    func catchUp(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        let from = position + 1
        guard from <= snapshot.head.position else { return }
        position = snapshot.head.position
        let ends = try KeyEnd.all(snapshot, from: from, types, names)
        keys.hide(ends.flatMap(\.keys))
        pending += ends
    }

    /// Carries out in the file what was recorded; whoever calls holds the writer lock.
    func carryOut(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        try catchUp(snapshot, types, names)
        guard !pending.isEmpty else { return }
        let list = ErasureList(directory)
        let erasures = pending.map(\.erasure)
        if isNew { try list.add(erasures) } else { try list.append(erasures) }
        isNew = false
        try keys.destroy(
            pending.flatMap { end in end.keys.map { ($0, end.position) } }, through: position)
        pending = []
    }

    /// Seals what a batch has to keep of a person.
    func seal(
        _ clear: [UInt8], of person: String, at place: SealingPlace
    ) throws -> [UInt8] {
        try keys.seal(clear, of: person, at: place)
    }

    func checkFault() throws {
        if let fault = keys.takeFault() { throw fault }
    }
}

/// Where a key ends: a person was erased, or began anew under another key.
struct KeyEnd {
    /// Their names, as `PersonName` has them.
    let keys: [String]
    let erasure: Erasure

    var position: Position { erasure.position }

    /// All that were recorded from a position on.
    static func all(
        _ snapshot: JournalSnapshot, from: Position, _ types: JournalTypes, _ names: Names
    ) throws -> [KeyEnd] {
        var ends: [KeyEnd] = []
        for number in Vocabulary.keyDestroying.flatMap({ types.numbers(matching: $0) }) {
            let isErasure = types[number]?.payload.name == AccountErased.type
            let positions = try snapshot.positions(of: .type, UInt32(number), from: from)
            try snapshot.forEachEvent(at: positions) { event, body in
                let product = product(of: names.text(event.stream))
                let key = PersonName.of(product, event.subject, names)
                var person = PersonName.ofKey(key)
                if isErasure {
                    var reader = BinaryReader(
                        body, stored: event.payload, flags: event.flags, at: event.place,
                        opener: nil, names: names)
                    person =
                        AccountErased.decode(version: 1, from: &reader).map {
                            names.text($0.subject)
                        } ?? person
                }
                ends.append(
                    KeyEnd(
                        keys: isErasure ? [key, person] : [key],
                        erasure: Erasure(
                            person: person, position: event.position, at: event.at,
                            ended: isErasure ? nil : key)))
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

/// `PRODUCT/ID`: how a person is named across products (contract, account.erase).
enum PersonName {
    static func of(_ product: String, _ subject: Symbol, _ names: Names) -> String {
        "\(product)/\(names.text(subject))"
    }

    /// Whose key it is: later ones are named `PRODUCT/ID/…`.
    static func ofKey(_ key: String) -> String {
        key.split(separator: "/").prefix(2).joined(separator: "/")
    }
}

/// Seals rows of one product's state under the keys of the journal.
///
/// A row goes to another thread to be encoded while the one that owns the state waits for it.
final class ProductVault: RowVault, @unchecked Sendable {
    private let keys: PersonKeys
    private let product: String
    private let names: Names
    private var persons: [Symbol: String] = [:]

    init(_ keys: PersonKeys, _ product: String, _ names: Names) {
        self.keys = keys
        self.product = product
        self.names = names
    }

    func seal(_ clear: [UInt8], of person: Symbol) -> [UInt8]? {
        let name = persons[person] ?? PersonName.of(product, person, names)
        persons[person] = name
        return keys.sealRow(clear, of: name)
    }

    func open(_ sealed: [UInt8]) -> [UInt8]? { keys.openRow(sealed) }
}
