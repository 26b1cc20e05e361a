import Crypto
import Events
import Foundation
import Glibc

/// The file `keys`: one slot for each person's key, wrapped by the master key, and what of it this process
/// has read. Not for two threads at once.
struct KeyFile {
    struct Slot {
        let person: [UInt8]
        /// Nil once destroyed, or where it is not here.
        let key: SymmetricKey?
    }

    let path: String
    private let masterPath: String
    private let identity: [UInt8]
    private var descriptor: CInt = -1
    private var file = FileIdentity(device: 0, inode: 0)
    private var master: MasterKey?
    private(set) var header: KeySlot.Header?
    /// By number, as far as they were asked for.
    private var slots: [UInt32: Slot] = [:]
    /// The slot that a person's fields are sealed with; filled when a key is first looked for.
    private var numbers: [[UInt8]: UInt32] = [:]
    /// Slots of persons that nothing is sealed with any more: their keys are not here.
    private var withheld: [[UInt8]: [UInt32]] = [:]
    /// So many slots are in `numbers` and `withheld`, the header among them.
    private var known: UInt32 = 0
    /// Slots that are not in the file yet, in order of their numbers.
    private var fresh: [KeySlot.Entry] = []

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
        let header = KeySlot.Header(
            identity: identity, fingerprint: master.fingerprint, applied: .zero)
        try FileSystem.write(header.bytes, to: directory.keysPath)
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
            guard let header = KeySlot.Header(try Self.bytes(of: 0, descriptor, path)) else {
                throw damaged(0)
            }
            guard header.identity == identity else {
                throw JournalError(
                    .inputOutput, "\(path) holds the keys of another journal",
                    advice: "restore the file that belongs to this one")
            }
            file = try FileSystem.identity(of: descriptor, path)
            self.header = header
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        if known == 0 { known = 1 }
        return true
    }

    /// Opens the file that a rotation of the master key put in the place of the one that is open; its
    /// slots have the same numbers. Answers whether there was one.
    private mutating func reopen() throws(JournalError) -> Bool {
        guard try FileSystem.exists(path), try FileSystem.identity(of: path) != file else {
            return false
        }
        Glibc.close(descriptor)
        descriptor = -1
        header = nil
        master = nil
        return try open()
    }

    private mutating func masterKey() throws(JournalError) -> MasterKey {
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

    private func damaged(_ number: UInt32) -> JournalError {
        .damaged("\(path): slot \(number) of the persons' keys is not what was written")
    }

    private var missing: JournalError {
        JournalError(
            .inputOutput, "\(path): the persons' keys are missing",
            advice: "restore them from their backup before recording")
    }

    // MARK: Reading

    /// The slot with its key unwrapped. Throws beyond the end of the file.
    mutating func slot(_ number: UInt32) throws(JournalError) -> Slot {
        if let slot = slots[number] { return slot }
        var entry = try stored(number)
        if entry == nil, try reopen() { entry = try stored(number) }
        guard let entry else { throw damaged(number) }
        var key: SymmetricKey?
        if entry.state == .key {
            guard let bytes = entry.unwrapped(with: try masterKey()) else { throw damaged(number) }
            key = SymmetricKey(data: bytes)
        }
        let slot = Slot(person: entry.person, key: key)
        slots[number] = slot
        return slot
    }

    /// Nil for damaged bytes.
    private func stored(_ number: UInt32) throws(JournalError) -> KeySlot.Entry? {
        let bytes = try Self.bytes(of: number, descriptor, path)
        if number == 0 || bytes.isEmpty {
            throw JournalError(
                .inputOutput, "\(path): there is no key number \(number)",
                advice: "restore the file that belongs to this journal")
        }
        return KeySlot.Entry(bytes, number: number)
    }

    /// The slot that a person's fields are sealed with, or nil.
    mutating func number(of person: [UInt8]) throws(JournalError) -> UInt32? {
        // A key that is at hand is the same in whatever file others have put here since.
        if let number = numbers[person], slots[number] != nil { return number }
        guard try open() else { return nil }
        try readOthers()
        return numbers[person]
    }

    mutating func lacksSome() throws(JournalError) -> Bool {
        guard try open() else { return true }
        try readOthers()
        return !withheld.isEmpty
    }

    /// Takes in the slots that were added since, by whichever process.
    private mutating func readOthers() throws(JournalError) {
        guard fresh.isEmpty else { return }
        _ = try reopen()
        let size = try FileSystem.size(of: descriptor, path)
        while Int(known + 1) * KeySlot.byteCount <= size {
            let count = min(size / KeySlot.byteCount - Int(known), 4096)
            let bytes = try FileSystem.read(
                count * KeySlot.byteCount, from: descriptor, at: Int(known) * KeySlot.byteCount,
                path)
            for start in stride(from: 0, to: bytes.count, by: KeySlot.byteCount) {
                let person = Array(bytes[start + 16..<start + 32])
                if bytes[start] == KeySlot.State.withheld.rawValue {
                    withheld[person, default: []].append(known)
                } else {
                    numbers[person] = known
                }
                known += 1
            }
            if bytes.isEmpty { return }
        }
    }

    // MARK: Adding

    /// Gives a person the key that their fields are sealed with from here on; durable after `flush`.
    mutating func add(
        _ key: SymmetricKey, of person: [UInt8]
    ) throws(JournalError) -> UInt32 {
        guard try open() else { throw missing }
        try readOthers()
        let bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        guard let entry = KeySlot.Entry(of: person, wrapping: bytes, with: try masterKey()) else {
            throw .invalid("wrapping a key failed")
        }
        numbers[person] = known
        return append(entry, Slot(person: person, key: key))
    }

    /// A slot for what is sealed with a key that is not here; durable after `flush`.
    mutating func addWithheld(_ person: [UInt8]) throws(JournalError) -> UInt32 {
        guard try open() else { throw missing }
        try readOthers()
        withheld[person, default: []].append(known)
        return append(KeySlot.Entry(.withheld, person), Slot(person: person, key: nil))
    }

    private mutating func append(_ entry: KeySlot.Entry, _ slot: Slot) -> UInt32 {
        fresh.append(entry)
        slots[known] = slot
        defer { known += 1 }
        return known
    }

    mutating func flush() throws(JournalError) {
        guard !fresh.isEmpty else { return }
        let first = known - UInt32(fresh.count)
        var bytes: [UInt8] = []
        for (index, entry) in fresh.enumerated() {
            bytes += entry.bytes(number: first + UInt32(index))
        }
        try FileSystem.write(bytes, to: descriptor, at: Int(first) * KeySlot.byteCount, path)
        try sync()
        fresh.removeAll(keepingCapacity: true)
    }

    /// Gives up what was added and is not durable.
    mutating func discard() {
        while let entry = fresh.popLast() {
            known -= 1
            slots[known] = nil
            if entry.state == .withheld {
                withheld[entry.person]?.removeLast()
            } else {
                numbers[entry.person] = nil
            }
        }
    }

    // MARK: Destroying

    /// Writes over every slot of the persons; durable on return. `through` is the position up to which all
    /// erasures are carried out then.
    mutating func destroy(
        _ persons: [(person: [UInt8], erased: Position)], through: Position
    ) throws(JournalError) {
        guard try open() else { return }
        var changed = false
        for (person, erased) in persons {
            let current = try number(of: person)
            for number in (withheld[person] ?? []) + (current.map { [$0] } ?? []) {
                var entry = KeySlot.Entry(.destroyed, person)
                entry.erased = erased
                try FileSystem.write(
                    entry.bytes(number: number), to: descriptor,
                    at: Int(number) * KeySlot.byteCount, path)
                slots[number] = Slot(person: person, key: nil)
                changed = true
            }
        }
        if changed { try sync() }
        guard var header, header.applied < through, !persons.isEmpty else { return }
        header.applied = through
        try FileSystem.write(header.bytes, to: descriptor, at: 0, path)
        try sync()
        self.header = header
    }

    private func sync() throws(JournalError) {
        guard fdatasync(descriptor) == 0 else {
            throw .failed("flushing", at: path, errno: errno)
        }
    }

    // MARK: Copies

    mutating func copy() throws(JournalError) -> [UInt8]? {
        guard try open() else { return nil }
        _ = try reopen()
        let size = try FileSystem.size(of: descriptor, path)
        return try FileSystem.read(size, from: descriptor, at: 0, path)
    }

    static func restore(
        _ copy: [UInt8], _ directory: JournalDirectory
    ) throws(JournalError) {
        guard KeySlot.Header(Array(copy.prefix(KeySlot.byteCount))) != nil else {
            throw .damaged("the copy of the persons' keys is not what was written")
        }
        try PlainFiles.replace(directory.keysPath, copy)
    }

    static func holds(_ persons: Set<[UInt8]>, _ copy: [UInt8]) -> Bool {
        stride(from: KeySlot.byteCount, to: copy.count, by: KeySlot.byteCount).contains { start in
            copy[start] == KeySlot.State.key.rawValue && start + 32 <= copy.count
                && persons.contains(Array(copy[(start + 16)..<(start + 32)]))
        }
    }

    // MARK: Rotating the master key

    /// Wraps every key with a new master key. Whoever calls holds the writer lock.
    ///
    /// The new master key is durable beside the old one before a new file of keys takes the old one's
    /// place, and takes its own place after: whatever happens, the file of keys says which of the two
    /// it needs, and finds it.
    mutating func rotate() throws(JournalError) -> Int {
        guard try open() else { throw missing }
        try readOthers()
        let old = try masterKey()
        let new = try MasterKey.makeNext(masterPath, inUse: old)
        var bytes: [UInt8] = []
        var count = 0
        for number in 1..<max(known, 1) {
            guard let entry = try stored(number) else { throw damaged(number) }
            var next = entry
            if entry.state == .key {
                guard let key = entry.unwrapped(with: old),
                    let wrapped = KeySlot.Entry(of: entry.person, wrapping: key, with: new)
                else { throw damaged(number) }
                next = wrapped
                count += 1
            }
            bytes += next.bytes(number: number)
        }
        guard var header else { throw missing }
        header.fingerprint = new.fingerprint
        let newPath = path + ".new"
        try FileSystem.write(header.bytes + bytes, to: newPath)
        try FileSystem.rename(newPath, to: path)
        try FileSystem.flush(FileSystem.parent(of: path))
        // The old file has no name any more; nobody shall find its keys among the free blocks.
        let size = try FileSystem.size(of: descriptor, path)
        try FileSystem.write([UInt8](repeating: 0, count: size), to: descriptor, at: 0, path)
        try sync()
        try MasterKey.promoteNext(masterPath)
        _ = try reopen()
        return count
    }
}
