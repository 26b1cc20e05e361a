package import Core
import Cryptography
import Glibc
import Synchronization

/// Keys on their way to other journals, and checks of what is here.
extension PersonKeys {
    /// The key in a slot, for an export that loses nothing; nil once it is destroyed, or where it is not
    /// here.
    package func key(in slot: UInt32) throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return nil }
            let slot = try state.file.slot(slot)
            guard let keys = slot.keys, let person = slot.person,
                !state.hidden.contains(ExactBytes(person))
            else { return nil }
            return keys.bytes
        }
    }

    /// The secret under which commands are remembered; nil if there is none yet, or it is not here.
    package func journalSecret() throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return nil }
            try state.file.learn(slotCount: state.slotCount)
            guard let number = state.file.number(of: hash(.journal)) else { return nil }
            return try state.file.slot(number).keys?.bytes
        }
    }

    /// Takes in a person's key, 32 bytes; answers the slot for what is sealed with it. Durable after `flush`.
    package func adopt(_ key: [UInt8], of person: Name) throws(JournalError) -> UInt32 {
        try state.withLock { state throws(JournalError) in
            try state.file.add(key, of: hash(person), named: person)
        }
    }

    /// What a box says, opened with a key that is at hand; nil if it is another's.
    package static func opened(
        _ box: [UInt8], with key: [UInt8], _ type: PayloadType, at place: SealingContext
    ) -> [UInt8]? {
        let nonce = place.nonce
        return try? AESGCM.open(
            box.span, with: SlotKeys(key).sealing(place), nonce: nonce.span,
            authenticating: place.authenticated(type.binding))
    }

    /// A slot for what is sealed with a key that is not here, or that an erasure has destroyed.
    package func addEmpty(of person: Name, isDestroyed: Bool) throws(JournalError) -> UInt32 {
        state.withLock { state in
            state.file.addEmpty(isDestroyed ? .destroyed : .withheld, hash(person), named: person)
        }
    }

    /// The file as it is, to be kept apart. The caller holds the writer lock.
    package func copy() throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in try state.file.copy() }
    }

    /// Throws where a directory holds a copy of another journal's keys, which may be the only one.
    package static func refuseOther(
        in directory: String, than identity: String
    ) throws(JournalError) {
        let path = directory + "/keys"
        guard case .file = try FileSystem.entry(at: path),
            let first = try FileSystem.read(path, atMost: KeySlot.byteCount),
            let header = KeySlot.Header(Array(first.prefix(KeySlot.byteCount))),
            header.identity != Hex.bytes(identity)
        else { return }
        throw JournalError(
            .invalid, "\(path) holds the keys of another journal", advice: "name another directory")
    }

    /// Wraps all keys with a new master key; answers how many. The caller holds the writer lock and has
    /// prepared to write.
    package func rotate() throws(JournalError) -> Int {
        try state.withLock { state throws(JournalError) in try state.file.rotate() }
    }

    /// Throws where a file is that may be the master key.
    package func refuseRenewal() throws(JournalError) {
        let path = MasterKey.path(in: journal.path)
        guard try !FileSystem.exists(path), try !FileSystem.exists(path + ".next") else {
            throw JournalError(
                .alreadyThere, "\(path) is there: nothing was changed",
                advice:
                    "to exchange the master key run key rotate; one that is not this journal's, move away"
            )
        }
    }

    /// Makes a new master key, and a file without the keys that the lost one wrapped. The caller holds the
    /// writer lock.
    package func renew() throws(JournalError) {
        try refuseRenewal()
        try state.withLock { state throws(JournalError) in try state.file.renew() }
    }

    // MARK: Checks

    /// Whether the file's own head is damaged, or the file is not there: the next writer makes it again.
    package func lacksHead() throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in
            try !state.file.open() || state.file.isHeaderLost
        }
    }

    /// What a slot should hold and does not.
    package struct Lack: Sendable {
        package enum Kind: Sendable {
            /// Damaged, not there, another key than the frame says, or wrapped with another master key.
            case lost
            /// The journal was restored, or imported, without it.
            case withheld
            /// An erasure destroyed it.
            case destroyed
        }

        package let slot: UInt32
        package let name: Name
        package let position: Position
        package let kind: Kind
    }

    /// Compares every slot that the frames name with what the file holds: what cannot be opened, and
    /// `living`, whose key is there.
    package func check(
        _ snapshot: JournalSnapshot
    ) throws -> (lacks: [Lack], living: [(slot: UInt32, name: Name)]) {
        var lacks: [Lack] = []
        var living: [(slot: UInt32, name: Name)] = []
        try snapshot.forEachSlot { position, slot in
            let name = try snapshot.name(of: slot)
            let hash = hash(name)
            let finding = try state.withLock { state throws(JournalError) in
                try state.file.look(at: slot.number)
            }
            let kind: Lack.Kind?
            switch finding {
            case .key(let person, let key):
                let digest = NamedSlot.digest(of: key)
                kind = person == hash && digest == slot.digest ? nil : .lost
            case .destroyed(let person): kind = person == hash ? .destroyed : .lost
            case .withheld(let person): kind = person == hash ? .withheld : .lost
            case .lost: kind = .lost
            }
            if let kind {
                lacks.append(Lack(slot: slot.number, name: name, position: position, kind: kind))
            } else {
                living.append((slot.number, name))
            }
            return true
        }
        return (lacks, living)
    }

    /// Whether keys are missing that no erasure destroyed.
    package func lackSome(_ snapshot: JournalSnapshot) throws -> Bool {
        try check(snapshot).lacks.contains { $0.kind != .destroyed }
    }
}

/// The keys of a copy of the file `keys`, by person: what a restore takes them from.
package struct KeyCopy: Sendable {
    private let identity: [UInt8]
    private let keys: [[UInt8]: [[UInt8]]]
    /// How many are read at a time.
    private static let partSlots = 1 << 13

    /// Opens a copy with the master key that wraps it: `SIJILL_MASTER_KEY_FILE`, else `master.key` beside it, or
    /// in the directory that is restored to.
    package init(
        in directory: String, of identity: String, restoringTo path: String
    ) throws(JournalError) {
        let target = path
        let path = directory + "/keys"
        self.identity = Hex.bytes(identity) ?? []
        guard case .file(let size) = try FileSystem.entry(at: path) else {
            throw JournalError(
                .noKeys(path: path), "\(path): there are no keys",
                advice: "restore without them, or name another")
        }
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let first = try FileSystem.read(KeySlot.byteCount, from: descriptor, at: 0, path)
        guard let header = KeySlot.Header(first) else {
            throw JournalError(
                .invalid, "\(path) is not a copy of a journal's keys", advice: "name another")
        }
        guard header.identity == self.identity else {
            throw JournalError(
                .invalid, "\(path) holds the keys of another journal", advice: "name another")
        }
        let master: MasterKey
        if let there = try MasterKey.read(target + "/master.key"),
            there.fingerprint == header.fingerprint
        {
            master = there
        } else {
            master = try MasterKey.read(
                MasterKey.path(in: directory), fingerprint: header.fingerprint)
        }
        var keys: [[UInt8]: [[UInt8]]] = [:]
        var number: UInt32 = 1
        while Int(number) * KeySlot.byteCount < size, number <= Limits.keySlots {
            let part = try FileSystem.read(
                Self.partSlots * KeySlot.byteCount, from: descriptor,
                at: Int(number) * KeySlot.byteCount, path)
            for start in stride(from: 0, to: part.count, by: KeySlot.byteCount) {
                defer { number += 1 }
                guard part[start] == KeySlot.State.key.rawValue else { continue }
                let bytes = Array(part[start..<min(start + KeySlot.byteCount, part.count)])
                // A damaged slot costs its person's fields.
                guard let entry = KeySlot.Entry(bytes, number: number),
                    let key = try entry.unwrapped(with: master)
                else { continue }
                keys[entry.person, default: []].append(key)
            }
            if part.isEmpty { break }
        }
        self.keys = keys
    }

    /// The keys of a person, the newest last.
    package func keys(of person: PersonKeys.Name) -> [[UInt8]] {
        keys[PersonKeys.hash(person, identity)] ?? []
    }
}
