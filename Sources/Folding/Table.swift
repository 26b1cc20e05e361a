public import Core

/// Rows by key: in memory once touched, in the source until then.
///
/// Rows are changed in place. The order of the rows in memory is the order in which they were first
/// touched; nothing that is shown may depend on it.
///
/// What an event passes through is inlinable: the products' modules then run it knowing the types of their rows. Without
/// that a rebuild took a quarter more time (ADR 0037).
public final class Table<Key: TableKey, Row: Record>: StoredTable {
    public let number: UInt16
    public let name: String
    @usableFromInline let space: TableSpace
    @usableFromInline let store = Unchecked(RowStore<Key, Row>())
    /// Made where the table's types are known, in the module of its product: what is asked through `StoredTable` runs
    /// without knowing them, and takes twice as long then.
    @usableFromInline let encode: RowStore<Key, Row>.Encode
    @usableFromInline let keep: (inout RowStore<Key, Row>) -> Void
    @usableFromInline let compare: (Table, Table) -> Bool
    @usableFromInline let load: (Table) -> Void

    @inlinable
    public init(_ name: String, in space: TableSpace) {
        self.name = name
        self.space = space
        number = UInt16(space.tables.count)
        encode = { try $0.encodeChanges(removals: $1, vault: $2, $3) }
        keep = { $0.keepChanges() }
        compare = { $0.hasSameRows(as: $1) }
        load = { $0.loadRows() }
        space.add(self)
    }

    public var schema: String { "\(Key.self)->\(Row.schema)" }

    // MARK: Reading

    /// A copy of the row; nil if there is none.
    @inlinable
    public subscript(key: Key) -> Row? {
        get {
            slot(ofRowAt: key).map { store.value.rows[$0] }
        }
    }

    /// Whether there is a row.
    @inlinable
    public func contains(_ key: Key) -> Bool { slot(ofRowAt: key) != nil }

    /// A part of the row without copying the whole; nil when there is no row. The body leaves the
    /// table alone.
    @inlinable
    public func read<R>(_ key: Key, _ body: (borrowing Row) -> R) -> R? {
        guard let slot = slot(ofRowAt: key) else { return nil }
        store.value.readers += 1
        defer { store.value.readers -= 1 }
        return store.value.lend(slot, body)
    }

    /// Every row, in no order that means anything.
    @inlinable
    public func forEach(_ body: (Key, Row) -> Void) {
        loadRows()
        for slot in store.value.keys.indices where store.value.flags[slot].isPresent {
            body(store.value.keys[slot], store.value.rows[slot])
        }
    }

    /// The keys of all rows, in no order that means anything. No row is fetched for it: for who does not look into them.
    public var keys: [Key] {
        if space.source == nil || store.value.isWhole || space.loadsWholeTables { return allKeys }
        var keys: [Key] = []
        forEachKey(from: []) { key in
            keys.append(key)
            return true
        }
        return keys
    }

    /// The same for who looks into the rows next: they are fetched in one go.
    @inlinable
    public var allKeys: [Key] {
        loadRows()
        return store.value.keys.indices.filter { store.value.flags[$0].isPresent }.map {
            store.value.keys[$0]
        }
    }

    public func hasRows(of other: any StoredTable) -> Bool {
        guard let other = other as? Self else { return false }
        return compare(self, other)
    }

    // MARK: Changing

    /// Changes the row in place; one that does not exist begins empty. The body leaves the table
    /// alone.
    @inlinable
    public func update<R>(_ key: Key, _ body: (inout Row) -> R) -> R {
        let slot = slot(of: key)
        willChange(slot)
        if !store.value.flags[slot].isPresent { store.value.flags[slot].isPresent = true }
        return change(slot, body)
    }

    /// Changes the row in place, if there is one.
    @inlinable
    public func updateExisting(_ key: Key, _ body: (inout Row) -> Void) {
        guard let slot = slot(ofRowAt: key) else { return }
        willChange(slot)
        change(slot, body)
    }

    @inlinable @inline(__always)
    func change<R>(_ slot: Int, _ body: (inout Row) -> R) -> R {
        store.value.isChanging = true
        defer { store.value.isChanging = false }
        return body(&store.value.rows[slot])
    }

    /// Puts a row there, in place of any other.
    @inlinable
    public func insert(_ row: Row, at key: Key) {
        update(key) { $0 = row }
    }

    /// Removes the row, if there is one.
    @inlinable
    public func remove(_ key: Key) {
        guard let slot = slot(ofRowAt: key) else { return }
        willChange(slot)
        store.value.flags[slot].isPresent = false
        store.value.rows[slot] = Row()
    }

    // MARK: Slots

    /// Where the row is kept, or will be.
    @inlinable @inline(__always)
    func slot(of key: Key) -> Int {
        // What the run time's check of exclusive access would find: a body that comes back to its
        // table while it holds one of the table's rows.
        precondition(!store.value.isChanging, "a row is being changed")
        return store.value.slot(of: key) ?? load(key) ?? add(key, nil)
    }

    /// Where the row is; nil when there is none.
    @inlinable @inline(__always)
    func slot(ofRowAt key: Key) -> Int? {
        precondition(!store.value.isChanging, "a row is being changed")
        guard let slot = store.value.slot(of: key) ?? load(key),
            store.value.flags[slot].isPresent
        else { return nil }
        return slot
    }

    @inlinable @inline(__always)
    func willChange(_ slot: Int) {
        precondition(store.value.readers == 0, "a row is being read")
        if space.keepsChanges { keep(slot) }
        if !store.value.flags[slot].isChanged {
            store.value.flags[slot].isChanged = true
            store.value.changed.append(slot)
        }
    }

    /// Once a command: its later changes go on in place, however long the row is.
    @inlinable
    func keep(_ slot: Int) {
        guard !store.value.flags[slot].isKept else { return }
        if store.value.undo.isEmpty { space.note(self) }
        store.value.undo.append((slot, store.value.rows[slot], store.value.flags[slot]))
        store.value.flags[slot].isKept = true
    }

    /// Fetches what is stored, also that nothing is; nil where every stored row is in memory.
    @inlinable @inline(__always)
    func load(_ key: Key) -> Int? {
        guard space.hasSource, !store.value.isWhole else { return nil }
        return fetch(key)
    }

    @inlinable
    func fetch(_ key: Key) -> Int? {
        guard let source = space.source else { return nil }
        if space.loadsWholeTables {
            loadWhole()
            return store.value.slot(of: key)
        }
        if key.newestSymbol > space.newestStoredSymbol { return add(key, nil) }
        var found: Row?
        do {
            var bytes: [UInt8] = []
            key.write(to: &bytes)
            if let stored = try source.row(table: number, key: bytes) {
                found = try decode(stored)
            }
        } catch {
            space.recordFault(error)
        }
        return add(key, found)
    }

    @inlinable
    func add(_ key: Key, _ row: Row?) -> Int {
        precondition(store.value.readers == 0, "a row is being read")
        return store.value.add(key, row)
    }

    @inlinable
    func decode(_ stored: [UInt8]) throws -> Row {
        var reader = BinaryReader(stored, vault: space.vault)
        let row = Row.read(from: &reader)
        guard reader.isComplete else { throw DamagedRow(table: name) }
        return row
    }

    public func loadWhole() { load(self) }

    @inlinable
    func loadRows() {
        guard !store.value.isWhole else { return }
        store.value.isWhole = true
        forEachFetched { key, row in
            _ = add(key, row)
            return true
        }
    }

    /// The stored rows of keys that are not in memory, until `body` returns false.
    @inlinable
    func forEachFetched(_ body: (Key, Row) -> Bool) {
        guard let source = space.source else { return }
        do {
            var damage: (any Error)?
            try source.scan(table: number, from: []) { bytes, stored in
                guard let key = Key(bytes: bytes), store.value.slot(of: key) == nil else {
                    return true
                }
                do {
                    return body(key, try decode(stored))
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

    @inlinable
    func hasSameRows(as other: Table) -> Bool {
        // What does not fit in memory is stored, and looked at one row after the other.
        if space.source != nil, !store.value.isWhole { return hasStoredRows(of: other) }
        loadRows()
        other.loadRows()
        return store.value.hasRows(of: other.store.value)
    }

    @inlinable
    func hasStoredRows(of other: Table) -> Bool {
        var count = 0
        var isSame = true
        forEachRow { key, row in
            count += 1
            isSame = other.peek(key).map { $0 == row } ?? false
            return isSame
        }
        guard isSame else { return false }
        other.forEachKey(from: []) { _ in
            count -= 1
            return count >= 0
        }
        return count == 0
    }

    /// A row as it is now, without keeping it in memory.
    @inlinable
    func peek(_ key: Key) -> Row? {
        if let slot = store.value.slot(of: key) {
            return store.value.flags[slot].isPresent ? store.value.rows[slot] : nil
        }
        guard !store.value.isWhole, let source = space.source else { return nil }
        do {
            var bytes: [UInt8] = []
            key.write(to: &bytes)
            return try source.row(table: number, key: bytes).map { try decode($0) }
        } catch {
            space.recordFault(error)
            return nil
        }
    }

    /// Every row as it is now, until `body` returns false, without keeping any in memory.
    @inlinable
    func forEachRow(_ body: (Key, Row) -> Bool) {
        var isGoingOn = true
        forEachFetched { key, row in
            isGoingOn = body(key, row)
            return isGoingOn
        }
        for slot in store.value.keys.indices where isGoingOn {
            guard store.value.flags[slot].isPresent else { continue }
            isGoingOn = body(store.value.keys[slot], store.value.rows[slot])
        }
    }

    /// The stored keys from `first` on, whether or not they changed since; at most `limit`.
    func storedKeys(from first: [UInt8], limit: Int) -> [Key] {
        var found: [Key] = []
        do {
            try space.source?.scanKeys(table: number, from: first) { bytes in
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
    public func forEachKey(from first: [UInt8], _ body: (Key) -> Bool) {
        var slots = space.source == nil ? Array(store.value.keys.indices) : store.value.changed
        Key.sort(&slots, by: store.value.keys)
        let own = slots.map { slot in
            var bytes: [UInt8] = []
            store.value.keys[slot].write(to: &bytes)
            return (bytes: bytes, slot: slot)
        }
        var rest = own.drop { $0.bytes.lexicographicallyPrecedes(first) }
        var isGoingOn = true
        /// Ours that stand before the stored key (all, for none); whether the key is one of them.
        func tellOwn(before stored: ArraySlice<UInt8>?) -> Bool {
            while isGoingOn, let next = rest.first {
                if let stored, stored.lexicographicallyPrecedes(next.bytes) { return false }
                rest.removeFirst()
                if store.value.flags[next.slot].isPresent {
                    isGoingOn = body(store.value.keys[next.slot])
                }
                if let stored, stored.elementsEqual(next.bytes) { return true }
            }
            return false
        }
        do {
            try space.source?.scanKeys(table: number, from: first) { bytes in
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

    public func keepChanges() { keep(&store.value) }

    public func undoChanges() {
        while let last = store.value.undo.popLast() {
            store.value.rows[last.slot] = last.row
            // What was undone may be stored already; writing it once more is harmless.
            store.value.flags[last.slot].isPresent = last.flags.isPresent
            store.value.flags[last.slot].isKept = false
        }
    }

    public func encodeChanges(removals: Bool, _ body: (EncodedRows) throws -> Void) throws {
        try encode(&store.value, removals, space.vault, body)
    }

    /// Whose rows differ from what is stored.
    var changedKeys: [Key] { store.value.changed.map { store.value.keys[$0] } }

    public var changeCount: Int { store.value.changed.count }

    public var rowCount: Int { store.value.keys.count }

    public func didStore() {
        for slot in store.value.changed { store.value.flags[slot].isChanged = false }
        store.value.changed.removeAll(keepingCapacity: true)
    }

    public func forgetStored() {
        guard store.value.undo.isEmpty, space.source != nil else { return }
        store.value = store.value.onlyChanged()
    }

    public func takeRows() -> Any {
        defer { store.value = RowStore() }
        return store.value
    }
}
