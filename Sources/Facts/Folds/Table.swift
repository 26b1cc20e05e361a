package import Events

/// Where the rows of a state are kept between sessions: a snapshot of the stored views.
package protocol RowSource: AnyObject {
    func row(table: UInt16, key: [UInt8]) throws -> [UInt8]?
    /// Every row of a table whose key is not before `first`, in key order; `body` returns false to stop.
    func scan(table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Bool)
        throws
}

/// What the tables of one state have in common: where rows come from, and whether changes can be undone.
package final class TableSpace {
    /// Nil: nothing is stored, every row that is not in memory does not exist.
    package var source: (any RowSource)?
    /// While true, tables keep what they change, so that `undo` can restore it.
    package var keepsChanges = false
    /// The first failure of the source; looked at before anything is answered.
    package var fault: (any Error)?
    package fileprivate(set) var tables: [any StoredTable] = []
    /// Those with something to undo: a command changes few of them.
    fileprivate var changed: [any StoredTable] = []

    package init(source: (any RowSource)? = nil) {
        self.source = source
    }

    /// Forgets how to undo what was changed so far.
    package func keepChanges() {
        for table in changed { table.keepChanges() }
        changed.removeAll(keepingCapacity: true)
    }

    /// Puts every row back as it was at the last `keepChanges`.
    package func undoChanges() {
        for table in changed { table.undoChanges() }
        changed.removeAll(keepingCapacity: true)
    }

    /// The tables hold their space, and it holds them: whoever is done with the state says so, or its
    /// rows and the snapshot that they come from stay for ever.
    package func dissolve() {
        tables.removeAll()
        changed.removeAll()
    }

    package func recordFault(_ error: any Error) {
        if fault == nil { fault = error }
    }
}

/// A table without its types, for saving and restoring.
package protocol StoredTable: AnyObject {
    var number: UInt16 { get }
    var name: String { get }
    /// The fields of a row: a stored state with another schema is another state.
    var schema: String { get }
    func keepChanges()
    func undoChanges()
    /// The rows that changed since they were stored, in key order; nil for a removed one.
    func changes(_ body: ([UInt8], [UInt8]?) throws -> Void) rethrows
    /// What `changes` gave is stored.
    func didStore()
    /// Forgets rows that the source holds as well, so that memory stays bounded.
    func forgetStored()
}

/// Rows by key: in memory once touched, in the source until then.
///
/// Rows are changed in place. The order of the rows in memory is the order in which they were first
/// touched; nothing that is shown may depend on it.
package final class Table<Key: TableKey, Row: Record>: StoredTable {
    package let number: UInt16
    package let name: String
    let space: TableSpace
    var slots = Key.Slots()
    var keys: [Key] = []
    var rows: [Row] = []
    var flags: [Flags] = []
    var changed: [Int] = []
    var undo: [(slot: Int, row: Row, flags: Flags)] = []
    private var isWholeInMemory = false

    struct Flags {
        var isPresent = false
        var isChanged = false

        init(isPresent: Bool) {
            self.isPresent = isPresent
        }
    }

    package init(_ name: String, in space: TableSpace) {
        self.name = name
        self.space = space
        number = UInt16(space.tables.count)
        space.tables.append(self)
    }

    package var schema: String { "\(Key.self)->\(Row.schema)" }

    // MARK: Reading

    package subscript(key: Key) -> Row? {
        get {
            let slot = slot(of: key)
            return flags[slot].isPresent ? rows[slot] : nil
        }
    }

    package func contains(_ key: Key) -> Bool {
        flags[slot(of: key)].isPresent
    }

    /// A part of the row without copying the whole; nil when there is no row.
    package func read<R>(_ key: Key, _ body: (borrowing Row) -> R) -> R? {
        let slot = slot(of: key)
        return flags[slot].isPresent ? body(rows[slot]) : nil
    }

    /// Every row, in no order that means anything.
    package func forEach(_ body: (Key, Row) -> Void) {
        loadWhole()
        for slot in keys.indices where flags[slot].isPresent { body(keys[slot], rows[slot]) }
    }

    package var allKeys: [Key] {
        loadWhole()
        return keys.indices.filter { flags[$0].isPresent }.map { keys[$0] }
    }

    // MARK: Changing

    /// Changes the row in place; one that does not exist begins empty.
    package func update<R>(_ key: Key, _ body: (inout Row) -> R) -> R {
        let slot = slot(of: key)
        willChange(slot)
        flags[slot].isPresent = true
        return body(&rows[slot])
    }

    /// Changes the row in place, if there is one.
    package func updateExisting(_ key: Key, _ body: (inout Row) -> Void) {
        let slot = slot(of: key)
        guard flags[slot].isPresent else { return }
        willChange(slot)
        body(&rows[slot])
    }

    package func insert(_ row: Row, at key: Key) {
        update(key) { $0 = row }
    }

    package func remove(_ key: Key) {
        let slot = slot(of: key)
        guard flags[slot].isPresent else { return }
        willChange(slot)
        flags[slot].isPresent = false
        rows[slot] = Row()
    }

    // MARK: Slots

    func slot(of key: Key) -> Int {
        if let slot = slots[key] { return slot }
        return load(key)
    }

    func willChange(_ slot: Int) {
        if space.keepsChanges {
            if undo.isEmpty { space.changed.append(self) }
            undo.append((slot, rows[slot], flags[slot]))
        }
        if !flags[slot].isChanged {
            flags[slot].isChanged = true
            changed.append(slot)
        }
    }

    func load(_ key: Key) -> Int {
        var found: Row?
        if let source = space.source, !isWholeInMemory {
            do {
                var bytes: [UInt8] = []
                key.write(to: &bytes)
                if let stored = try source.row(table: number, key: bytes) {
                    found = try decode(stored)
                }
            } catch {
                space.recordFault(error)
            }
        }
        return add(key, found)
    }

    private func add(_ key: Key, _ row: Row?) -> Int {
        let slot = keys.count
        keys.append(key)
        rows.append(row ?? Row())
        flags.append(Flags(isPresent: row != nil))
        slots[key] = slot
        return slot
    }

    private func decode(_ stored: [UInt8]) throws -> Row {
        var reader = BinaryReader(stored)
        let row = Row.read(from: &reader)
        guard reader.isComplete else { throw DamagedRow(table: name) }
        return row
    }

    private func loadWhole() {
        guard !isWholeInMemory else { return }
        isWholeInMemory = true
        guard let source = space.source else { return }
        do {
            var damage: (any Error)?
            try source.scan(table: number, from: []) { bytes, stored in
                guard let key = Key(bytes: bytes) else { return true }
                if slots[key] != nil { return true }
                do {
                    _ = add(key, try decode(stored))
                    return true
                } catch {
                    damage = error
                    return false
                }
            }
            if let damage { throw damage }
        } catch {
            space.recordFault(error)
        }
    }

    /// The stored keys from `first` on, whether or not they changed since; at most `limit`.
    func storedKeys(from first: [UInt8], limit: Int) -> [Key] {
        var found: [Key] = []
        do {
            try space.source?.scan(table: number, from: first) { bytes, _ in
                if let key = Key(bytes: bytes) { found.append(key) }
                return found.count < limit
            }
        } catch {
            space.recordFault(error)
        }
        return found
    }

    /// The keys from `first` on in the order of their bytes, until `body` returns false: the stored
    /// ones, with what changed since.
    package func forEachKey(from first: [UInt8], _ body: (Key) -> Bool) {
        let slots = space.source == nil ? Array(keys.indices) : changed
        var own: [(bytes: [UInt8], slot: Int)] = []
        for slot in slots {
            var bytes: [UInt8] = []
            keys[slot].write(to: &bytes)
            if !bytes.lexicographicallyPrecedes(first) { own.append((bytes, slot)) }
        }
        own.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var rest = own[...]
        var isGoingOn = true
        /// Ours that stand before the stored key (all, for none); whether the key is one of them.
        func tellOwn(before stored: ArraySlice<UInt8>?) -> Bool {
            while isGoingOn, let next = rest.first {
                if let stored, stored.lexicographicallyPrecedes(next.bytes) { return false }
                rest.removeFirst()
                if flags[next.slot].isPresent { isGoingOn = body(keys[next.slot]) }
                if let stored, stored.elementsEqual(next.bytes) { return true }
            }
            return false
        }
        do {
            try space.source?.scan(table: number, from: first) { bytes, _ in
                if !tellOwn(before: bytes), isGoingOn, let key = Key(bytes: bytes) {
                    isGoingOn = body(key)
                }
                return isGoingOn
            }
        } catch {
            space.recordFault(error)
        }
        _ = tellOwn(before: nil)
    }

    // MARK: Storing and undoing

    package func keepChanges() {
        undo.removeAll(keepingCapacity: true)
    }

    package func undoChanges() {
        while let last = undo.popLast() {
            rows[last.slot] = last.row
            // What was undone may be stored already; writing it once more is harmless.
            flags[last.slot].isPresent = last.flags.isPresent
        }
    }

    package func changes(_ body: ([UInt8], [UInt8]?) throws -> Void) rethrows {
        let ordered = changed.map { slot in
            var key: [UInt8] = []
            keys[slot].write(to: &key)
            return (key: key, slot: slot)
        }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (key, slot) in ordered {
            guard flags[slot].isPresent else {
                try body(key, nil)
                continue
            }
            var writer = BinaryWriter()
            rows[slot].write(to: &writer)
            try body(key, writer.bytes)
        }
    }

    package func didStore() {
        for slot in changed { flags[slot].isChanged = false }
        changed.removeAll(keepingCapacity: true)
    }

    package func forgetStored() {
        guard changed.isEmpty, undo.isEmpty, space.source != nil else { return }
        slots = Key.Slots()
        keys.removeAll()
        rows.removeAll()
        flags.removeAll()
        isWholeInMemory = false
    }
}

/// A stored row that cannot be read: the views are made again from the journal.
package struct DamagedRow: Error, CustomStringConvertible {
    package let table: String

    package var description: String { "a stored row of \(table) is damaged" }
}
