package import Core
import Cryptography
import Synchronization

/// The persons' keys, with which their personal fields are sealed (AES-256-GCM; ADR 0023, ADR 0033).
///
/// Each key stands wrapped in a slot of the file `keys`. Sealed bytes begin with the number of the slot,
/// so that opening them needs no look-up. To forget a person is to write over their slots.
package final class PersonKeys: Sendable {
    package typealias Name = FreshSlot.Name

    let journal: Journal
    private let identity: [UInt8]
    let state: Mutex<State>
    private let ciphers = CipherPool()

    struct State {
        var file: KeyFile
        /// Erased by an event that this process has seen.
        var hidden: Set<ExactBytes> = []
        var fault: JournalError?
        /// Of persons who were sealed for.
        var hashes: [Name: [UInt8]] = [:]
        /// Slots up to this one are named by frames, as far as this process knows.
        var slotCount: UInt32 = 0
        /// Slots that held another key than was named when something first did not open, and how many were named then.
        var foreign: (slots: Set<UInt32>, through: UInt32) = ([], 0)
        /// By type number, as far as the journal's types were looked up.
        var bindings: [[UInt8]] = [[]]
        /// What the part that is being opened is authenticated with: a buffer that is used again.
        var authenticated: [UInt8] = []
    }

    /// The keys of the journal in a directory; the file is opened when a key is first needed.
    package init(of journal: Journal) {
        self.journal = journal
        identity = Hex.bytes(journal.identity) ?? []
        state = Mutex(
            State(file: KeyFile(JournalDirectory(path: journal.path), identity: identity)))
    }

    deinit {
        state.withLock { $0.file.close() }
    }

    func hash(_ person: Name) -> [UInt8] { Self.hash(person, identity) }

    static func hash(_ person: Name, _ identity: [UInt8]) -> [UInt8] {
        Array(SHA256Digest.of(identity + Array(person.text.utf8)).prefix(16))
    }

    private func hash(_ person: Name, _ state: inout State) -> [UInt8] {
        if let known = state.hashes[person] { return known }
        if state.hashes.count >= Self.mostHashes { state.hashes.removeAll() }
        let hash = hash(person)
        state.hashes[person] = hash
        return hash
    }

    /// How many are cached.
    private static let mostHashes = 1 << 16

    // MARK: Sealing

    /// The holder of the writer lock calls this before the first `seal`: takes in what other programs added,
    /// and forgets what was given out and never committed.
    package func prepareToWrite(slotCount: UInt32) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            state.slotCount = slotCount
            try state.file.prepareToWrite(slotCount: slotCount)
        }
    }

    /// Slots up to this one are named by the frames that this process has seen.
    package func didLearn(slotCount: UInt32) {
        state.withLock { $0.slotCount = max($0.slotCount, slotCount) }
    }

    /// Seals bytes of an event of a type; a person without a key gets one. Durable after `flush`.
    package func seal(
        _ clear: [UInt8], of person: Name, _ type: PayloadType, at place: SealingContext
    ) throws(JournalError) -> [UInt8] {
        let (slot, keys) = try state.withLock { state throws(JournalError) in
            try sealingSlot(of: person, &state)
        }
        let nonce = place.nonce
        do {
            // The place tells the nonce: ciphertext and tag are kept.
            let box = try ciphers.with { cipher throws(CryptographyError) in
                try cipher.seal(
                    PersonalPart.padded(clear), with: keys.sealing(place), nonce: nonce.span,
                    authenticating: place.authenticated(type.binding))
            }
            return SealedPart.bytes(slot: slot, box: box)
        } catch {
            throw .unable("sealing", error)
        }
    }

    private func sealingSlot(
        of person: Name, _ state: inout State
    ) throws(JournalError) -> (number: UInt32, keys: SlotKeys) {
        let hash = hash(person, &state)
        if let number = state.file.number(of: hash), let keys = try state.file.slot(number).keys {
            return (number, keys)
        }
        guard !state.file.isDestroyed(hash) else {
            throw JournalError(
                .conflict(.numbers), "the key of \(person.text) is destroyed",
                advice: "nothing personal of an erased person can be recorded")
        }
        let key = RandomBytes.make(AESGCM.keyByteCount)
        let number = try state.file.add(key, of: hash, named: person)
        guard let keys = try state.file.slot(number).keys else {
            throw .invalid("a key that was just made is not there")
        }
        return (number, keys)
    }

    /// Slots that were given out since `prepareToWrite`: the frame that uses them first names them.
    package var freshSlots: [FreshSlot] { state.withLock { $0.file.freshSlots } }

    /// Makes the keys that were given out durable: before the events that they seal.
    package func flush() throws(JournalError) {
        try state.withLock { state throws(JournalError) in try state.file.flush() }
    }

    /// The frame that names what was given out is durable.
    package func didCommit() {
        state.withLock { $0.file.didCommit() }
    }

    // MARK: Commands

    /// What a command is remembered by: 8 bytes of a MAC over its digest under the journal's secret and the
    /// keys of the slots that seal its events, so that nobody who lacks them can try out what it said, and an erasure
    /// ends it. Nil where a key is not there any more. For a new one, call `prepareToWrite` first.
    package func mac(
        of digest: [UInt8], slots: [UInt32], isNew: Bool = false
    ) throws(JournalError) -> [UInt8]? {
        try state.withLock { state throws(JournalError) in
            var secret: [UInt8]
            guard try state.file.open() else { return nil }
            try state.file.learn(slotCount: state.slotCount)
            if isNew {
                secret = try sealingSlot(of: .journal, &state).keys.bytes
            } else {
                guard let number = state.file.number(of: hash(.journal, &state)),
                    let keys = try state.file.slot(number).keys
                else { return nil }
                secret = keys.bytes
            }
            for number in slots {
                guard let keys = try keys(in: number, &state) else { return nil }
                secret += keys.bytes
            }
            let code = HMAC.code(of: digest.span, with: SecretKey(secret))
            return Array(Array(code).prefix(Limits.digestBytes))
        }
    }

    /// Whether secrets of the journal are missing under which commands were remembered before.
    package func lacksFormerSecret() throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in
            guard try state.file.open() else { return true }
            try state.file.learn(slotCount: state.slotCount)
            let slots = state.file.numbers(of: hash(.journal, &state))
            return slots.count > 1 || !state.file.lost.isEmpty
        }
    }

    // MARK: Erasing

    /// How far erasures are carried out in the file; nil where that is not known of this journal.
    package func applied(_ snapshot: JournalSnapshot) throws -> Position? {
        let applied = try state.withLock { state throws(JournalError) -> KeySlot.Applied? in
            try state.file.open() ? state.file.header?.applied : nil
        }
        guard let applied, applied.position <= snapshot.head.position,
            try applied.mark == snapshot.mark(at: applied.position)
        else { return nil }
        return applied.position
    }

    /// Persons whom an event erased: nothing of theirs is opened from here on.
    package func hide(_ persons: [Name]) {
        state.withLock { $0.hidden.formUnion(persons.map { ExactBytes(hash($0)) }) }
        ciphers.forget()
    }

    /// Destroys keys: writes over their slots. Durable on return. The caller holds the writer lock and
    /// has prepared to write.
    package func destroy(
        _ persons: [(person: Name, erased: Position)], _ snapshot: JournalSnapshot
    ) throws {
        hide(persons.map(\.person))
        try nameLost(snapshot)
        try state.withLock { state throws(JournalError) in
            try state.file.destroy(persons.map { (hash($0.person), $0.erased) })
        }
        ciphers.forget()
    }

    /// A slot that is damaged may still hold most of a key: it is written over with its person's others.
    private func nameLost(_ snapshot: JournalSnapshot) throws {
        let lost = Set(state.withLock { $0.file.lost })
        if lost.isEmpty { return }
        var found: [(UInt32, Name)] = []
        try snapshot.forEachSlot { _, slot in
            if lost.contains(slot.number) {
                found.append((slot.number, try snapshot.name(of: slot)))
            }
            return true
        }
        state.withLock { state in
            for (number, name) in found { state.file.name(lost: number, hash(name)) }
        }
    }

    /// Says that all erasures up to the snapshot's head are carried out.
    package func setApplied(_ snapshot: JournalSnapshot) throws {
        let position = snapshot.head.position
        let mark = try snapshot.mark(at: position)
        try state.withLock { state throws(JournalError) in
            try state.file.setApplied(KeySlot.Applied(position: position, mark: mark))
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

    /// Nil once the person is erased, and where the key is lost or not here.
    private func opened(
        _ bytes: [UInt8], _ sealed: Range<Int>, _ place: SealingContext, _ state: inout State
    ) throws(JournalError) -> [UInt8]? {
        guard let part = SealedPart(bytes, sealed), part.box.count >= 16 else {
            throw .damaged("a sealed part is too short")
        }
        guard let keys = try keys(in: part.slot, &state) else { return nil }
        let binding = place.isFormer ? [] : try binding(of: place.type, &state)
        place.authenticated(binding, in: &state.authenticated)
        let nonce = place.nonce
        do {
            return try ciphers.with { cipher throws(CryptographyError) in
                try cipher.open(
                    part.box.span, with: keys.sealing(place), nonce: nonce.span,
                    authenticating: state.authenticated)
            }
        } catch {
            if case .failed = error { throw .unable("opening", error) }
            if try isForeign(part.slot, &state) { return nil }
            throw .damaged(
                "a sealed part does not open with its person's key", at: place.position)
        }
    }

    /// Whether the slot holds another key than the frame says that named it, as in a file `keys` of another time: then it is
    /// lost. Looked up for all slots at once, since that reads where all were named.
    private func isForeign(_ slot: UInt32, _ state: inout State) throws(JournalError) -> Bool {
        if slot <= state.foreign.through { return state.foreign.slots.contains(slot) }
        var foreign: Set<UInt32> = []
        do {
            let snapshot = try journal.snapshot()
            try snapshot.forEachSlot { _, named in
                if case .key(_, let key) = try state.file.look(at: named.number),
                    NamedSlot.digest(of: key) != named.digest
                {
                    foreign.insert(named.number)
                }
                return true
            }
            state.foreign = (foreign, max(slot, snapshot.head.slotCount))
        } catch let error as JournalError {
            throw error
        } catch {
            throw .invalid("\(error)")
        }
        return foreign.contains(slot)
    }

    private func keys(in slot: UInt32, _ state: inout State) throws(JournalError) -> SlotKeys? {
        guard !journal.hidesPersonal, try state.file.open() else { return nil }
        let slot = try state.file.slot(slot)
        guard let keys = slot.keys, let person = slot.person,
            !state.hidden.contains(ExactBytes(person))
        else { return nil }
        return keys
    }

    private func binding(
        of type: UInt16, _ state: inout State
    ) throws(JournalError) -> [UInt8] {
        if Int(type) < state.bindings.count { return state.bindings[Int(type)] }
        for record in try journal.snapshot().types().dropFirst(state.bindings.count - 1) {
            state.bindings.append(
                PersonalPart.binding(
                    type: record.name, version: Int(record.version),
                    fields: PersonalPart.fields(ofSchema: record.schema)))
        }
        guard Int(type) < state.bindings.count else {
            throw .damaged("an event of type \(type), which the journal does not have")
        }
        return state.bindings[Int(type)]
    }

    private func answer<R>(
        _ body: (inout State) throws(JournalError) -> R?
    ) -> R? {
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

    /// Seals what a row holds of a person; nil if the person has no key. The number of the slot, a nonce and the
    /// box.
    package func sealRow(_ clear: [UInt8], of person: Name) -> [UInt8]? {
        let found: (slot: UInt32, key: SecretKey)? = answer { state throws(JournalError) in
            guard try state.file.open() else { return nil }
            try state.file.learn(slotCount: state.slotCount)
            guard let slot = state.file.number(of: hash(person, &state)),
                let keys = try keys(in: slot, &state)
            else { return nil }
            return (slot, keys.row)
        }
        guard let found else { return nil }
        do throws(CryptographyError) {
            // Outside the lock, since a state is stored by several threads.
            let box = try ciphers.with { cipher throws(CryptographyError) in
                try cipher.sealWithNonce(clear, with: found.key)
            }
            return SealedPart.bytes(slot: found.slot, box: box)
        } catch {
            return answer { _ throws(JournalError) in throw .unable("sealing", error) }
        }
    }

    /// Whether no key was ever made for the person, so that none was destroyed or withheld either.
    package func isKeyless(_ person: Name) -> Bool {
        let keyless: [UInt8]? = answer { state throws(JournalError) in
            guard try state.file.open() else { return [] }
            try state.file.learn(slotCount: state.slotCount)
            let hash = hash(person, &state)
            let isKnown = state.file.number(of: hash) != nil || state.file.isDestroyed(hash)
            return isKnown || !state.file.numbers(of: hash).isEmpty ? nil : []
        }
        return keyless != nil
    }

    /// Opens what `sealRow` gave; nil once the key is destroyed.
    package func openRow(_ sealed: [UInt8]) -> [UInt8]? {
        answer { state throws(JournalError) in
            guard let part = SealedPart(sealed, 0..<sealed.count), part.box.count >= 28 else {
                throw .damaged("a sealed part is too short")
            }
            guard let keys = try keys(in: part.slot, &state) else { return nil }
            do throws(CryptographyError) {
                return try ciphers.with { cipher throws(CryptographyError) in
                    try cipher.openWithNonce(part.box.span, with: keys.row)
                }
            } catch {
                if case .failed = error { throw .unable("opening", error) }
                throw JournalError(
                    .viewsDamaged, "a sealed row does not open with its person's key",
                    advice: "run rebuild")
            }
        }
    }
}

extension PersonKeys: PersonalOpener {
    package func open(
        _ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingContext
    ) -> [UInt8]? {
        answer { state throws(JournalError) in
            try opened(bytes, sealed, place, &state)
        }
    }
}
