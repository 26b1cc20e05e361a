import Crypto
package import Events
import Foundation
import Glibc
import Synchronization

/// The persons' keys, with which their personal fields are sealed (AES-256-GCM; ADR 0023).
///
/// Each key stands wrapped in a slot of the file `keys`. Sealed bytes begin with the number of the slot,
/// so that whoever opens them looks nothing up. To forget a person is to write over one slot.
package final class PersonKeys: Sendable {
    private let path: String
    private let masterPath: String
    private let identity: [UInt8]
    private let state: Mutex<State>

    private struct State {
        var descriptor: CInt = -1
        var inode = FileIdentity(device: 0, inode: 0)
        var master: MasterKey?
        var header: KeySlot.Header?
        /// By number, as far as they were asked for.
        var slots: [UInt32: Slot] = [:]
        /// All slots by person; filled when a key is first looked for.
        var numbers: [[UInt8]: UInt32] = [:]
        /// So many slots are in `numbers`, the header among them.
        var known: UInt32 = 0
        /// Keys that are not in the file yet, in order of their numbers.
        var fresh: [KeySlot.Entry] = []
        /// Erased by an event that this process has seen.
        var hidden: Set<[UInt8]> = []
        var fault: JournalError?
    }

    private struct Slot {
        var person: [UInt8]
        /// Nil once destroyed.
        var key: SymmetricKey?
    }

    /// The keys of the journal in a directory; the file is opened when a key is first needed.
    package init(of journal: Journal) {
        path = JournalDirectory(path: journal.path).keysPath
        masterPath = MasterKey.path(in: journal.path)
        identity = Hexadecimal.bytes(journal.identity[...].utf8) ?? []
        state = Mutex(State())
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the file of a new journal, and its master key unless there is one.
    static func create(_ directory: JournalDirectory, identity: [UInt8]) throws(JournalError) {
        let master = try MasterKey.readOrMake(MasterKey.path(in: directory.path))
        let header = KeySlot.Header(
            identity: identity, fingerprint: master.fingerprint, applied: .zero)
        try FileSystem.write(header.bytes, to: directory.keysPath)
    }

    // MARK: Sealing

    /// Seals bytes of an event; a person without a key gets one. Durable after `flush`.
    package func seal(
        _ clear: [UInt8], of person: String, at place: SealingPlace
    ) throws(JournalError) -> [UInt8] {
        try state.withLock { state throws(JournalError) in
            let number = try self.number(of: self.hash(person), &state, makes: true)
            guard let number, let key = try slot(number, &state)?.key else {
                throw JournalError(
                    .conflict(.numbers), "the key of \(person) is destroyed",
                    advice: "nothing personal of an erased person can be recorded")
            }
            do {
                let box = try AES.GCM.seal(
                    clear, using: key, nonce: AES.GCM.Nonce(data: Self.nonce(place)))
                var bytes: [UInt8] = []
                bytes.appendVarint(UInt64(number))
                bytes += box.ciphertext
                bytes += box.tag
                return bytes
            } catch {
                throw .invalid("sealing failed: \(error)")
            }
        }
    }

    /// Unique for a key: a position is given once, and what a crash kept from being committed is
    /// recorded at another instant.
    private static func nonce(_ place: SealingPlace) -> [UInt8] {
        let instant = UInt32(truncatingIfNeeded: place.recordedAt.milliseconds)
        var bytes = (0..<4).map { UInt8(truncatingIfNeeded: instant >> (24 - 8 * UInt32($0))) }
        bytes += (0..<8).map {
            UInt8(truncatingIfNeeded: place.position.number >> (56 - 8 * UInt64($0)))
        }
        return bytes
    }

    /// Makes the keys that were given out durable: before the events that they seal.
    package func flush() throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            guard !state.fresh.isEmpty else { return }
            let first = state.known - UInt32(state.fresh.count)
            var bytes: [UInt8] = []
            for (index, entry) in state.fresh.enumerated() {
                bytes += entry.bytes(number: first + UInt32(index))
            }
            try FileSystem.write(
                bytes, to: state.descriptor, at: Int(first) * KeySlot.byteCount, path)
            try sync(state)
            state.fresh.removeAll(keepingCapacity: true)
        }
    }

    /// Forgets keys that were given out and are not durable: what they sealed never happened.
    package func discard() {
        state.withLock { state in
            let first = state.known - UInt32(state.fresh.count)
            for (index, entry) in state.fresh.enumerated() {
                state.numbers[entry.person] = nil
                state.slots[first + UInt32(index)] = nil
            }
            state.fresh.removeAll()
            state.known = first
        }
    }

    // MARK: Erasing

    /// How far erasures are carried out in the file; zero where there is none.
    package func applied() throws(JournalError) -> Position {
        try state.withLock { state throws(JournalError) in
            guard try openFile(&state) else { return .zero }
            return state.header?.applied ?? .zero
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
            guard try openFile(&state), var header = state.header else { return }
            var changed = false
            for (person, erased) in persons {
                let hash = hash(person)
                guard let number = try self.number(of: hash, &state, makes: false) else { continue }
                var entry = KeySlot.Entry(
                    state: .destroyed, person: hash, wrapped: Array(repeating: 0, count: 60))
                entry.erased = erased
                try FileSystem.write(
                    entry.bytes(number: number), to: state.descriptor,
                    at: Int(number) * KeySlot.byteCount, path)
                state.slots[number] = Slot(person: hash, key: nil)
                changed = true
            }
            if changed { try sync(state) }
            guard header.applied < through, !persons.isEmpty else { return }
            header.applied = through
            try FileSystem.write(header.bytes, to: state.descriptor, at: 0, path)
            try sync(state)
            state.header = header
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

    private func opened(
        _ bytes: [UInt8], _ sealed: Range<Int>, _ nonce: [UInt8]?, _ state: inout State
    ) throws(JournalError) -> [UInt8]? {
        var offset = sealed.lowerBound
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while offset < sealed.upperBound, shift < 35 {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        guard try openFile(&state) else { return nil }
        guard let short = UInt32(exactly: number), short > 0,
            let slot = try slot(short, &state)
        else {
            throw JournalError(
                .inputOutput, "\(path): there is no key number \(number)",
                advice: "restore the file that belongs to this journal")
        }
        guard let key = slot.key, !state.hidden.contains(slot.person) else { return nil }
        let tag = sealed.upperBound - 16
        guard offset <= tag else { throw .damaged("a sealed part is too short") }
        do {
            let box: AES.GCM.SealedBox
            if let nonce {
                box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: nonce), ciphertext: bytes[offset..<tag],
                    tag: bytes[tag..<sealed.upperBound])
            } else {
                box = try AES.GCM.SealedBox(combined: bytes[offset..<sealed.upperBound])
            }
            return Array(try AES.GCM.open(box, using: key))
        } catch {
            throw .damaged("a sealed part does not open with its person's key")
        }
    }

    // MARK: Rows

    /// Seals what a row holds of a person; nil if the person has no key.
    package func sealRow(_ clear: [UInt8], of person: String) -> [UInt8]? {
        answer { state throws(JournalError) in
            let hash = self.hash(person)
            guard !state.hidden.contains(hash), try openFile(&state),
                let number = try self.number(of: hash, &state, makes: false),
                let key = try slot(number, &state)?.key
            else { return nil }
            guard let box = try? AES.GCM.seal(clear, using: key), let combined = box.combined
            else { throw .invalid("sealing failed") }
            var bytes: [UInt8] = []
            bytes.appendVarint(UInt64(number))
            return bytes + combined
        }
    }

    /// Opens what `sealRow` gave; nil once the key is destroyed.
    package func openRow(_ sealed: [UInt8]) -> [UInt8]? {
        answer { state throws(JournalError) in
            try opened(sealed, 0..<sealed.count, nil, &state)
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

    // MARK: The file

    private func hash(_ person: String) -> [UInt8] {
        Array(SHA256Digest.of(identity + Array(person.utf8)).prefix(16))
    }

    /// False when there is no file: nothing personal can be read then.
    private func openFile(_ state: inout State) throws(JournalError) -> Bool {
        if state.header != nil { return true }
        guard try FileSystem.exists(path) else { return false }
        var descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == EACCES || errno == EROFS {
            descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        }
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        guard let header = KeySlot.Header(try bytes(of: 0, descriptor)) else {
            close(descriptor)
            throw damaged(0)
        }
        guard header.identity == identity else {
            close(descriptor)
            throw JournalError(
                .inputOutput, "\(path) holds the keys of another journal",
                advice: "restore the file that belongs to this one")
        }
        state.descriptor = descriptor
        state.header = header
        state.known = 1
        return true
    }

    private func master(_ state: inout State) throws(JournalError) -> MasterKey {
        if let master = state.master { return master }
        guard let master = try MasterKey.read(masterPath) else {
            throw JournalError(
                .permission, "\(masterPath): there is no master key",
                advice: "name the journal's master key file in \(MasterKey.variable)")
        }
        guard master.fingerprint == state.header?.fingerprint else {
            throw JournalError(
                .permission, "\(masterPath) is not the master key of this journal",
                advice: "name the right file in \(MasterKey.variable)")
        }
        state.master = master
        return master
    }

    private func bytes(of number: UInt32, _ descriptor: CInt) throws(JournalError) -> [UInt8] {
        try FileSystem.read(
            KeySlot.byteCount, from: descriptor, at: Int(number) * KeySlot.byteCount, path)
    }

    private func damaged(_ number: UInt32) -> JournalError {
        .damaged("\(path): slot \(number) of the persons' keys is not what was written")
    }

    /// The slot with its key unwrapped; nil beyond the end of the file.
    private func slot(_ number: UInt32, _ state: inout State) throws(JournalError) -> Slot? {
        if let slot = state.slots[number] { return slot }
        let bytes = try bytes(of: number, state.descriptor)
        if bytes.isEmpty { return nil }
        guard let entry = KeySlot.Entry(bytes, number: number) else { throw damaged(number) }
        var slot = Slot(person: entry.person, key: nil)
        if entry.state == .key {
            let master = try master(&state)
            guard let box = try? AES.GCM.SealedBox(combined: entry.wrapped),
                let key = try? AES.GCM.open(box, using: master.key, authenticating: entry.person)
            else { throw damaged(number) }
            slot.key = SymmetricKey(data: key)
        }
        state.slots[number] = slot
        return slot
    }

    /// The number of a person's slot; nil if there is none and none is to be made.
    private func number(
        of person: [UInt8], _ state: inout State, makes: Bool
    ) throws(JournalError) -> UInt32? {
        guard try openFile(&state) else {
            guard makes else { return nil }
            throw JournalError(
                .inputOutput, "\(path): the persons' keys are missing",
                advice: "restore them from their backup before recording")
        }
        try readOthers(&state)
        if let number = state.numbers[person] { return number }
        guard makes else { return nil }
        let number = state.known
        let key = SymmetricKey(size: .bits256)
        let master = try master(&state)
        guard
            let wrapped = try? AES.GCM.seal(
                unsafe key.withUnsafeBytes { unsafe Data($0) }, using: master.key,
                authenticating: person
            ).combined
        else { throw .invalid("wrapping a key failed") }
        state.fresh.append(KeySlot.Entry(state: .key, person: person, wrapped: Array(wrapped)))
        state.numbers[person] = number
        state.slots[number] = Slot(person: person, key: key)
        state.known += 1
        return number
    }

    /// Takes in the slots that were added since, by whichever process.
    private func readOthers(_ state: inout State) throws(JournalError) {
        guard state.fresh.isEmpty else { return }
        let size = try FileSystem.size(of: state.descriptor, path)
        while Int(state.known + 1) * KeySlot.byteCount <= size {
            let count = min(size / KeySlot.byteCount - Int(state.known), 4096)
            let bytes = try FileSystem.read(
                count * KeySlot.byteCount, from: state.descriptor,
                at: Int(state.known) * KeySlot.byteCount, path)
            for start in stride(from: 0, to: bytes.count, by: KeySlot.byteCount) {
                state.numbers[Array(bytes[start + 16..<start + 32])] = state.known
                state.known += 1
            }
            if bytes.isEmpty { return }
        }
    }

    private func sync(_ state: State) throws(JournalError) {
        guard fdatasync(state.descriptor) == 0 else {
            throw .failed("flushing", at: path, errno: errno)
        }
    }
}

extension PersonKeys: PersonalOpener {
    package func open(
        _ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingPlace
    ) -> [UInt8]? {
        answer { state throws(JournalError) in
            try opened(bytes, sealed, Self.nonce(place), &state)
        }
    }
}
