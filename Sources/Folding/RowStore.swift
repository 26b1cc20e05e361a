public import Core

/// The rows of a table that are in memory, by slot.
@usableFromInline
struct RowStore<Key: TableKey, Row: Record> {
    @usableFromInline var slots = Key.Slots()
    @usableFromInline var keys: [Key] = []
    @usableFromInline var rows: [Row] = []
    @usableFromInline var flags: [Flags] = []
    /// Those that differ from what is stored.
    @usableFromInline var changed: [Int] = []
    @usableFromInline var undo: [(slot: Int, row: Row, flags: Flags)] = []
    /// Every stored row is in memory.
    @usableFromInline var isWhole = false
    /// Who holds rows at this moment; the table must not move them then.
    @usableFromInline var readers = 0
    @usableFromInline var isChanging = false

    @usableFromInline
    struct Flags {
        @usableFromInline var isPresent = false
        @usableFromInline var isChanged = false
        /// It is to be undone to what is kept already.
        @usableFromInline var isKept = false

        @inlinable
        init(isPresent: Bool = false) {
            self.isPresent = isPresent
        }
    }

    @inlinable
    init() {}

    @inlinable @inline(__always)
    func slot(of key: Key) -> Int? { slots.slot(of: key, in: keys) }

    /// Lends a row where it lies. What an array's subscript gives is copied before it is passed on, with a count of each reference
    /// that it holds, since for all that the compiler knows the body changes the array; a row that is passed on as one's own is not.
    @inlinable @inline(__always)
    mutating func lend<R>(_ slot: Int, _ body: (borrowing Row) -> R) -> R {
        func pass(_ row: inout Row) -> R { body(row) }
        return pass(&rows[slot])
    }

    /// What changed so far is not undone any more.
    @inlinable
    mutating func keepChanges() {
        guard !undo.isEmpty else { return }
        for kept in undo { flags[kept.slot].isKept = false }
        undo.removeAll(keepingCapacity: true)
    }

    @inlinable
    mutating func add(_ key: Key, _ row: Row?) -> Int {
        let slot = keys.count
        keys.append(key)
        rows.append(row ?? Row())
        flags.append(Flags(isPresent: row != nil))
        slots.add(key, at: slot, in: keys)
        return slot
    }

    /// Those alone that differ from what is stored.
    @usableFromInline
    func onlyChanged() -> RowStore {
        var kept = RowStore()
        for slot in changed {
            let own = kept.add(keys[slot], flags[slot].isPresent ? rows[slot] : nil)
            kept.flags[own].isChanged = true
            kept.changed.append(own)
        }
        return kept
    }

    /// Whether the same keys have the same rows in both.
    @inlinable
    func hasRows(of other: RowStore) -> Bool {
        var count = 0
        for slot in keys.indices where flags[slot].isPresent {
            guard let theirs = other.slot(of: keys[slot]), other.flags[theirs].isPresent,
                rows[slot] == other.rows[theirs]
            else { return false }
            count += 1
        }
        return count == other.flags.count { $0.isPresent }
    }

    @usableFromInline
    typealias Encode = (
        inout RowStore, Bool, (any RowVault)?, (EncodedRows) throws -> Void
    ) throws -> Void

    @inlinable
    mutating func encodeChanges(
        removals: Bool, vault: (any RowVault)?, _ body: (EncodedRows) throws -> Void
    ) throws {
        var order = changed
        Key.sort(&order, by: keys)
        var encoded = EncodedRows(vault: vault)
        for slot in order {
            let key = keys[slot]
            if flags[slot].isPresent {
                encoded.add(key: { key.write(to: &$0) }, content: { rows[slot].fields(&$0) })
            } else if removals {
                encoded.remove { key.write(to: &$0) }
            }
            if encoded.isFull {
                try body(encoded)
                encoded = EncodedRows(vault: vault)
            }
        }
        if !encoded.isEmpty { try body(encoded) }
    }
}
