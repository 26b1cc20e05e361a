import Crypto
package import Events
import Foundation
import Synchronization

/// The persons' keys, with which their personal fields are sealed (AES-256-GCM; ADR 0023).
///
/// Each key stands wrapped in a slot of the file `keys`. Sealed bytes begin with the number of the slot,
/// so that whoever opens them looks nothing up. To forget a person is to write over one slot.
package final class PersonKeys: Sendable {
    private let identity: [UInt8]
    private let state: Mutex<State>

    private struct State {
        var file: KeyFile
        /// Erased by an event that this process has seen.
        var hidden: Set<[UInt8]> = []
        var fault: JournalError?
        /// Of persons who were sealed for.
        var hashes: [String: [UInt8]] = [:]
    }

    /// The keys of the journal in a directory; the file is opened when a key is first needed.
    package init(of journal: Journal) {
        identity = Hexadecimal.bytes(journal.identity[...].utf8) ?? []
        state = Mutex(
            State(file: KeyFile(JournalDirectory(path: journal.path), identity: identity)))
    }

    deinit {
        state.withLock { $0.file.close() }
    }

    private func hash(_ person: String) -> [UInt8] {
        Array(SHA256Digest.of(identity + Array(person.utf8)).prefix(16))
    }

    private func hash(_ person: String, _ state: inout State) -> [UInt8] {
        if let known = state.hashes[person] { return known }
        if state.hashes.count >= Self.mostHashes { state.hashes.removeAll() }
        let hash = hash(person)
        state.hashes[person] = hash
        return hash
    }

    /// So many are kept at hand.
    private static let mostHashes = 1 << 16

    // MARK: Sealing

    /// Seals bytes of an event; a person without a key gets one. Durable after `flush`.
    package func seal(
        _ clear: [UInt8], of person: String, at place: SealingPlace
    ) throws(JournalError) -> [UInt8] {
        let (slot, key) = try state.withLock { state throws(JournalError) in
            let hash = hash(person, &state)
            var known = try state.file.number(of: hash)
            if known == nil {
                known = try state.file.add(SymmetricKey(size: .bits256), of: hash)
            }
            guard let number = known, let key = try state.file.slot(number).key
            else {
                throw JournalError(
                    .conflict(.numbers), "the key of \(person) is destroyed",
                    advice: "nothing personal of an erased person can be recorded")
            }
            return (number, key)
        }
        do {
            let nonce = try AES.GCM.Nonce(data: Self.nonce(place))
            guard let box = try AES.GCM.seal(clear, using: key, nonce: nonce).combined else {
                throw JournalError.invalid("sealing failed")
            }
            // The place tells the nonce: ciphertext and tag are kept.
            return SealedPart.bytes(slot: slot, box: Array(box)[Self.nonceBytes...])
        } catch {
            throw .invalid("sealing failed: \(error)")
        }
    }

    /// Unique for a key: a position is given once, and what a crash kept from being committed is
    /// recorded at another instant.
    private static func nonce(_ place: SealingPlace, for box: Int = 0) -> [UInt8] {
        let instant = UInt32(truncatingIfNeeded: place.recordedAt.milliseconds)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nonceBytes + box)
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: instant >> shift))
        }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: place.position.number >> shift))
        }
        return bytes
    }

    private static let nonceBytes = 12

    /// Makes the keys that were given out durable: before the events that they seal.
    package func flush() throws(JournalError) {
        try state.withLock { state throws(JournalError) in try state.file.flush() }
    }

    /// Forgets keys that were given out and are not durable: what they sealed never happened.
    package func discard() {
        state.withLock { $0.file.discard() }
    }

    // MARK: Erasing

    /// How far erasures are carried out in the file; zero where there is none.
    package func applied() throws(JournalError) -> Position {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return .zero }
            return state.file.header?.applied ?? .zero
        }
    }

    /// Persons whom an event erased: nothing of theirs is opened from here on.
    package func hide(_ persons: [String]) {
        state.withLock { $0.hidden.formUnion(persons.map(hash)) }
    }

    /// Destroys keys: writes over their slots. Durable on return; `through` is the position up to which
    /// all erasures are carried out then. Whoever calls holds the writer lock.
    package func destroy(
        _ persons: [(person: String, erased: Position)], through: Position
    ) throws(JournalError) {
        hide(persons.map(\.person))
        try state.withLock { state throws(JournalError) in
            try state.file.destroy(
                persons.map { (hash($0.person), $0.erased) }, through: through)
        }
    }

    // MARK: Opening

    /// The first failure of opening since the last call, which then read as null.
    package func takeFault() -> JournalError? {
        state.withLock { state in
            defer { state.fault = nil }
            return state.fault
        }
    }

    /// Nil once the person is erased, and where the key is not here. What has no place, as a row, begins with
    /// its nonce.
    private func opened(
        _ bytes: [UInt8], _ sealed: Range<Int>, _ place: SealingPlace?, _ state: inout State
    ) throws(JournalError) -> [UInt8]? {
        guard try state.file.open() else { return nil }
        guard let part = SealedPart(bytes, sealed), part.box.count >= 16 else {
            throw .damaged("a sealed part is too short")
        }
        let slot = try state.file.slot(part.slot)
        guard let key = slot.key, !state.hidden.contains(slot.person) else { return nil }
        do {
            var combined = place.map { Self.nonce($0, for: part.box.count) } ?? []
            combined += part.box
            return Array(try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key))
        } catch {
            throw .damaged("a sealed part does not open with its person's key")
        }
    }

    private func answer(
        _ body: (inout State) throws(JournalError) -> [UInt8]?
    ) -> [UInt8]? {
        state.withLock { state in
            do throws(JournalError) {
                return try body(&state)
            } catch {
                state.fault = state.fault ?? error
                return nil
            }
        }
    }

    // MARK: Rows

    /// Seals what a row holds of a person; nil if the person has no key.
    package func sealRow(_ clear: [UInt8], of person: String) -> [UInt8]? {
        answer { state throws(JournalError) in
            let hash = hash(person, &state)
            guard !state.hidden.contains(hash), let number = try state.file.number(of: hash),
                let key = try state.file.slot(number).key
            else { return nil }
            guard let box = try? AES.GCM.seal(clear, using: key), let combined = box.combined
            else { throw .invalid("sealing failed") }
            return SealedPart.bytes(slot: number, box: combined)
        }
    }

    /// Opens what `sealRow` gave; nil once the key is destroyed.
    package func openRow(_ sealed: [UInt8]) -> [UInt8]? {
        answer { state throws(JournalError) in
            try opened(sealed, 0..<sealed.count, nil, &state)
        }
    }

    // MARK: Carrying keys to another journal

    /// The key in a slot, for an export that loses nothing; nil once it is destroyed, or where it is not
    /// here.
    package func key(in slot: UInt32) throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return nil }
            let slot = try state.file.slot(slot)
            guard !state.hidden.contains(slot.person) else { return nil }
            return slot.key.map { key in unsafe key.withUnsafeBytes { unsafe Array($0) } }
        }
    }

    /// Takes in a person's key, 32 bytes, or that it is withheld; answers the slot for what is sealed with
    /// it. Durable after `flush`.
    package func adopt(_ key: [UInt8]?, of person: String) throws(JournalError) -> UInt32 {
        try state.withLock { state throws(JournalError) in
            guard let key else { return try state.file.addWithheld(hash(person)) }
            return try state.file.add(SymmetricKey(data: key), of: hash(person))
        }
    }

    /// The slot with a person's key, or with what is left of it; nil if there never was one.
    package func slot(of person: String) throws(JournalError) -> UInt32? {
        try state.withLock { state throws(JournalError) in
            try state.file.number(of: hash(person))
        }
    }

    /// Whether keys are missing that are not destroyed: the journal was restored, or imported, without.
    package func lackSome() throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in try state.file.lacksSome() }
    }

    /// The file as it is, to be kept apart. Whoever calls holds the writer lock.
    package func copy() throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in try state.file.copy() }
    }

    /// Puts a copy in the place of the file of a journal that is being restored.
    package static func restore(_ copy: [UInt8], to journal: Journal) throws(JournalError) {
        try KeyFile.restore(copy, JournalDirectory(path: journal.path))
    }

    /// Whether a copy of a journal's keys still holds one of these.
    package static func holds(
        _ persons: [String], _ copy: [UInt8], of identity: String
    ) -> Bool {
        let identity = Hexadecimal.bytes(identity[...].utf8) ?? []
        return KeyFile.holds(
            Set(persons.map { Array(SHA256Digest.of(identity + Array($0.utf8)).prefix(16)) }), copy)
    }

    /// Wraps all keys with a new master key; answers how many. Whoever calls holds the writer lock.
    package func rotate() throws(JournalError) -> Int {
        try state.withLock { state throws(JournalError) in try state.file.rotate() }
    }
}

extension PersonKeys: PersonalOpener {
    package func open(
        _ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingPlace
    ) -> [UInt8]? {
        answer { state throws(JournalError) in
            try opened(bytes, sealed, place, &state)
        }
    }
}
