import Core
import Glibc

/// The file `keys`: one slot for each person's key, wrapped by the master key, and what of it this process
/// has read. Not for two threads at once.
///
/// Which slots count, and whose they are, is said by the journal's frames: what lies beyond the head's slot
/// count was never committed, and the next writer writes over it. So no event is ever sealed with a key that was
/// not flushed before it (ADR 0033).
struct KeyFile {
    struct Slot {
        /// Nil where the slot cannot be read: its key is lost.
        let person: [UInt8]?
        /// Nil once destroyed, where it is not here, and where it is lost.
        let keys: SlotKeys?
    }

    let path: String
    let masterPath: String
    private let identity: [UInt8]
    var descriptor: CInt = -1
    var file = FileIdentity(device: 0, inode: 0)
    var master: MasterKey?
    private(set) var header: KeySlot.Header?
    private(set) var isHeaderLost = false
    /// By number, as far as they were asked for.
    private var slots: [UInt32: Slot] = [:]
    /// All slots of a person, the newest last; filled for writing.
    private var numbers: [ExactBytes: [UInt32]] = [:]
    /// The slot that a person's fields are sealed with.
    private var current: [ExactBytes: UInt32] = [:]
    private var destroyed: Set<ExactBytes> = []
    /// Slots that cannot be read: whose they are, only the frames say.
    private(set) var lost: [UInt32] = []
    /// The number of slots in `numbers`, the header included.
    var known: UInt32 = 1
    /// Slots that no frame names yet, in order of their numbers, the first being `known`.
    private var fresh: [(entry: KeySlot.Entry, name: FreshSlot)] = []
    /// How many of `fresh` are in the file.
    private var flushed = 0
    /// After a failed flush nobody knows what the disk holds: no more is written by this process.
    private var isBroken = false
    /// Nothing is left of a rotation, as far as this process knows.
    var isClearedUp = false

    init(_ directory: JournalDirectory, identity: [UInt8]) {
        path = directory.keysPath
        masterPath = MasterKey.path(in: directory.path)
        self.identity = identity
    }

    /// To be called once, last.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Makes the file of a new journal, and its master key unless there is one.
    static func create(_ directory: JournalDirectory, identity: [UInt8]) throws(JournalError) {
        let master = try MasterKey.readOrMake(MasterKey.path(in: directory.path))
        let header = KeySlot.Header(identity: identity, fingerprint: master.fingerprint)
        try PlainFiles.replace(directory.keysPath, header.bytes)
    }

    // MARK: Opening

    /// False when there is no file: nothing personal can be read then.
    mutating func open() throws(JournalError) -> Bool {
        if header != nil { return true }
        guard try FileSystem.exists(path) else { return false }
        var descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == EACCES || errno == EROFS {
            descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        }
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        do throws(JournalError) {
            let found = KeySlot.Header(try Self.bytes(of: 0, descriptor, path))
            isHeaderLost = found == nil
            // What it says follows from other files: the next writer makes it again.
            let header: KeySlot.Header
            if let found {
                header = found
            } else {
                header = KeySlot.Header(
                    identity: identity,
                    fingerprint: try MasterKey.read(masterPath)?.fingerprint ?? [])
            }
            guard header.identity == identity else {
                throw JournalError(
                    .inputOutput, "\(path) holds the keys of another journal",
                    advice: "put back the file that belongs to this one")
            }
            file = try FileSystem.identity(of: descriptor, path)
            self.header = header
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        return true
    }

    /// Opens the file that a rotation of the master key put in the place of the one that is open; its
    /// slots have the same numbers. Answers whether there was one.
    mutating func reopen() throws(JournalError) -> Bool {
        guard try FileSystem.exists(path), try FileSystem.identity(of: path) != file else {
            return false
        }
        Glibc.close(descriptor)
        descriptor = -1
        header = nil
        master = nil
        return try open()
    }

    mutating func masterKey() throws(JournalError) -> MasterKey {
        if let master { return master }
        guard let header else { throw missing }
        let found = try MasterKey.read(masterPath, fingerprint: header.fingerprint)
        master = found
        return found
    }

    private static func bytes(
        of number: UInt32, _ descriptor: CInt, _ path: String
    ) throws(JournalError) -> [UInt8] {
        try FileSystem.read(
            KeySlot.byteCount, from: descriptor, at: Int(number) * KeySlot.byteCount, path)
    }

    var missing: JournalError {
        JournalError(
            .inputOutput, "\(path): the persons' keys are missing",
            advice: "put back the file that belongs to this journal")
    }

    // MARK: Reading

    /// The slot with its key unwrapped. One that cannot be read, or is not in the file, is lost: that costs
    /// what it sealed, and nothing else.
    mutating func slot(_ number: UInt32) throws(JournalError) -> Slot {
        if let slot = slots[number] { return slot }
        var entry = try stored(number)
        if entry == nil, try reopen() { entry = try stored(number) }
        var slot = Slot(person: entry?.person, keys: nil)
        if let entry, entry.state == .key,
            let bytes = try entry.unwrapped(with: try masterKey())
        {
            slot = Slot(person: entry.person, keys: SlotKeys(bytes))
        }
        slots[number] = slot
        return slot
    }

    /// Nil for bytes that are damaged, or not there.
    func stored(_ number: UInt32) throws(JournalError) -> KeySlot.Entry? {
        guard number > 0 else { return nil }
        return KeySlot.Entry(try Self.bytes(of: number, descriptor, path), number: number)
    }

    /// What the file holds in a slot, whatever was read before; for checks.
    mutating func look(at number: UInt32) throws(JournalError) -> KeySlot.Finding {
        guard try open() else { return .lost }
        _ = try reopen()
        guard let entry = try stored(number) else { return .lost }
        switch entry.state {
        case .key:
            guard let key = try entry.unwrapped(with: try masterKey()) else { return .lost }
            return .key(person: entry.person, key)
        case .destroyed: return .destroyed(person: entry.person)
        case .withheld: return .withheld(person: entry.person)
        }
    }

    // MARK: Writing

    /// The holder of the writer lock calls this before anything is sealed: `slotCount` is the head's. Takes in
    /// what others added, makes a file that is missing, and clears up after a rotation that was interrupted.
    mutating func prepareToWrite(slotCount: UInt32) throws(JournalError) {
        guard !isBroken else {
            throw JournalError(
                .inputOutput, "\(path): an earlier flush failed with an input/output error",
                advice: "check the disk, then start the program again")
        }
        let isCurrent = try isCurrentFile()
        if header == nil || !isCurrent {
            discard()
            forget()
            // One that is gone, or in whose place is another, is not written to any more.
            let isThere = header == nil ? try open() : try reopen()
            if !isThere { try makeAgain() }
            isClearedUp = false
        }
        if !isClearedUp { try clearUpAfterRotation() }
        discard()
        if isHeaderLost, var header {
            header.fingerprint = try masterKey().fingerprint
            try write([(0, header.bytes)])
            self.header = header
            isHeaderLost = false
        }
        try learn(slotCount: slotCount)
    }

    /// Takes in the slots that frames name up to this one, by whichever process they were added. The file is
    /// open.
    mutating func learn(slotCount: UInt32) throws(JournalError) {
        guard fresh.isEmpty else { return }
        while known <= slotCount {
            let count = Int(min(slotCount - known + 1, 4096))
            let bytes = try FileSystem.read(
                count * KeySlot.byteCount, from: descriptor, at: Int(known) * KeySlot.byteCount,
                path)
            for place in 0..<count {
                let start = min(place * KeySlot.byteCount, bytes.count)
                let end = min(start + KeySlot.byteCount, bytes.count)
                take(Array(bytes[start..<end]))
            }
        }
    }

    /// The next slot, as it lies in the file.
    private mutating func take(_ bytes: [UInt8]) {
        defer { known += 1 }
        guard let entry = KeySlot.Entry(bytes, number: known) else {
            lost.append(known)
            return
        }
        numbers[ExactBytes(entry.person), default: []].append(known)
        switch entry.state {
        case .key: current[ExactBytes(entry.person)] = known
        case .destroyed: destroyed.insert(ExactBytes(entry.person))
        case .withheld: break
        }
    }

    /// Whose a lost slot is, so that an erasure writes over it, too.
    mutating func name(lost number: UInt32, _ person: [UInt8]) {
        lost.removeAll { $0 == number }
        numbers[ExactBytes(person), default: []].append(number)
    }

    private func isCurrentFile() throws(JournalError) -> Bool {
        guard try FileSystem.exists(path) else { return false }
        return try FileSystem.identity(of: path) == file
    }

    /// What was read of another file.
    private mutating func forget() {
        slots = [:]
        numbers = [:]
        current = [:]
        destroyed = []
        lost = []
        known = 1
    }

    /// Makes the file again where it is gone: what its keys sealed is lost, the journal is not.
    mutating func makeAgain() throws(JournalError) {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        header = nil
        master = nil
        forget()
        let master = try MasterKey.readOrMake(masterPath)
        try PlainFiles.replace(
            path, KeySlot.Header(identity: identity, fingerprint: master.fingerprint).bytes)
        guard try open() else { throw missing }
    }

    /// The slot that a person's fields are sealed with, or nil.
    func number(of person: [UInt8]) -> UInt32? { current[ExactBytes(person)] }

    /// All slots of a person, withheld and destroyed ones included.
    func numbers(of person: [UInt8]) -> [UInt32] { numbers[ExactBytes(person)] ?? [] }

    func isDestroyed(_ person: [UInt8]) -> Bool {
        destroyed.contains(ExactBytes(person)) && current[ExactBytes(person)] == nil
    }

    /// Gives a person the key that their fields are sealed with from here on; durable after `flush`.
    mutating func add(
        _ key: [UInt8], of person: [UInt8], named name: FreshSlot.Name
    ) throws(JournalError) -> UInt32 {
        let entry = try KeySlot.Entry(of: person, wrapping: key, with: try masterKey())
        current[ExactBytes(person)] = append(
            entry, Slot(person: person, keys: SlotKeys(key)), name,
            digest: NamedSlot.digest(of: key))
        return known + UInt32(fresh.count) - 1
    }

    /// A slot for what is sealed with a key that is not here, or was destroyed; durable after `flush`.
    mutating func addEmpty(
        _ state: KeySlot.State, _ person: [UInt8], named name: FreshSlot.Name
    ) -> UInt32 {
        append(
            KeySlot.Entry(state, person), Slot(person: person, keys: nil), name,
            digest: Array(repeating: 0, count: NamedSlot.digestBytes))
    }

    private mutating func append(
        _ entry: KeySlot.Entry, _ slot: Slot, _ name: FreshSlot.Name, digest: [UInt8]
    ) -> UInt32 {
        let number = known + UInt32(fresh.count)
        fresh.append((entry, FreshSlot(number: number, name: name, digest: digest)))
        slots[number] = slot
        numbers[ExactBytes(entry.person), default: []].append(number)
        return number
    }

    /// Slots that were given out since `prepareToWrite`, for the frame that names them.
    var freshSlots: [FreshSlot] { fresh.map(\.name) }

    /// Writes what was added, whatever lies in its place: durable on return.
    mutating func flush() throws(JournalError) {
        guard flushed < fresh.count else { return }
        var bytes: [UInt8] = []
        for (entry, name) in fresh[flushed...] { bytes += entry.bytes(number: name.number) }
        try write([(fresh[flushed].name.number, bytes)])
        flushed = fresh.count
    }

    /// What was added is named by a frame now.
    mutating func didCommit() {
        known += UInt32(fresh.count)
        fresh.removeAll(keepingCapacity: true)
        flushed = 0
    }

    /// Gives up what was added and never committed.
    private mutating func discard() {
        while let (entry, name) = fresh.popLast() {
            slots[name.number] = nil
            let person = ExactBytes(entry.person)
            numbers[person]?.removeLast()
            // Only who had none is given one.
            if current[person] == name.number { current[person] = nil }
        }
        flushed = 0
    }

    /// Writes slots, each from a number on, and flushes; after a flush that failed this process writes no
    /// more.
    private mutating func write(
        _ changes: [(number: UInt32, bytes: [UInt8])]
    ) throws(JournalError) {
        for (number, bytes) in changes {
            try FileSystem.write(
                bytes, to: descriptor, at: Int(number) * KeySlot.byteCount, path)
        }
        guard fdatasync(descriptor) == 0 else {
            isBroken = true
            throw .failed("flushing", at: path, errno: errno)
        }
    }

    /// Puts keys that were elsewhere into their slots; durable on return.
    mutating func fill(_ records: [CarriedKey]) throws(JournalError) {
        guard !records.isEmpty else { return }
        var changes: [(number: UInt32, bytes: [UInt8])] = []
        for record in records {
            let entry = try KeySlot.Entry(
                of: record.person, wrapping: record.key, with: try masterKey())
            changes.append((record.number, entry.bytes(number: record.number)))
            slots[record.number] = nil
        }
        try write(changes)
    }

    // MARK: Destroying

    /// Writes over every slot of the persons; durable on return. Call `prepareToWrite` first.
    mutating func destroy(
        _ persons: [(person: [UInt8], erased: Position)]
    ) throws(JournalError) {
        guard header != nil else { return }
        var changes: [(number: UInt32, bytes: [UInt8])] = []
        for (person, erased) in persons {
            let key = ExactBytes(person)
            current[key] = nil
            destroyed.insert(key)
            for number in numbers[key] ?? [] {
                var entry = KeySlot.Entry(.destroyed, person)
                entry.erased = erased
                changes.append((number, entry.bytes(number: number)))
                slots[number] = Slot(person: person, keys: nil)
            }
        }
        if !changes.isEmpty { try write(changes) }
    }

    /// Says up to where all erasures are carried out. Durable on return.
    mutating func setApplied(_ applied: KeySlot.Applied) throws(JournalError) {
        guard var header, header.applied != applied else { return }
        header.applied = applied
        try write([(0, header.bytes)])
        self.header = header
    }
}
