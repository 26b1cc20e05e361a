public import Core

/// Where the rows of a state are kept between sessions: a snapshot of the stored views.
@usableFromInline
package protocol RowSource: AnyObject {
    func row(table: UInt16, key: [UInt8]) throws -> [UInt8]?
    /// Every row of a table whose key is not before `first`, in key order; `body` returns false to stop.
    func scan(table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Bool)
        throws
    /// The same without the rows.
    func scanKeys(table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) throws
}

/// What the tables of one state have in common: where rows come from, and whether changes can be undone.
public final class TableSpace {
    /// Nil: nothing is stored, every row that is not in memory does not exist.
    @usableFromInline
    package var source: (any RowSource)? {
        get { sourceInUse.value }
        set {
            sourceInUse.value = newValue
            hasSource = newValue != nil
            newestStoredSymbol = .max
        }
    }
    /// Whether rows may come from somewhere else: asked with each row that is not in memory.
    @usableFromInline var hasSource: Bool
    /// No key of the source has a greater symbol: rows of what the journal met later are not looked for there. Any, until who
    /// sets the source says so.
    @usableFromInline package var newestStoredSymbol = UInt32.max
    /// While true, tables keep what they change, so that `undo` can restore it.
    public var keepsChanges: Bool {
        get { keeping.value }
        set { keeping.value = newValue }
    }
    /// Whether `undo` restores what follows from other rows, too: for a state that goes on for one question, and comes back.
    public var undoesAll = false
    /// The first access to a row loads its whole table: for passes over every document.
    public var loadsWholeTables = false
    /// Seals what rows hold of persons where they are stored; nil for a state that never is.
    public var vault: (any RowVault)?
    /// The first failure of the source; looked at before anything is answered.
    public var fault: (any Error)?
    /// The tables in the order in which they were made.
    public fileprivate(set) var tables: [any StoredTable] = []
    /// Those with something to undo: a command changes few of them.
    private var changed: [any Undoable] = []
    private let sourceInUse: Unchecked<(any RowSource)?>
    private let keeping = Unchecked(false)

    package init(source: (any RowSource)? = nil) {
        sourceInUse = Unchecked(source)
        hasSource = source != nil
    }

    /// Gives a table its number, in the order in which they are made.
    @usableFromInline
    func add(_ table: any StoredTable) { tables.append(table) }

    /// Somebody has something to undo.
    @usableFromInline
    func note(_ changing: any Undoable) { changed.append(changing) }

    /// Forgets how to undo what was changed so far.
    public func keepChanges() {
        for each in changed { each.keepChanges() }
        changed.removeAll(keepingCapacity: true)
    }

    /// Restores every row to its state at the last `keepChanges`.
    public func undoChanges() {
        for each in changed { each.undoChanges() }
        changed.removeAll(keepingCapacity: true)
    }

    /// Changes rows that follow from others: nothing here can be refused.
    public func withoutUndo(_ body: () -> Void) {
        if undoesAll {
            body()
            return
        }
        let former = keepsChanges
        keepsChanges = false
        body()
        keepsChanges = former
    }

    /// Takes the rows out of all tables, for another thread to free; nothing is asked of the state any more.
    public func takeRows() -> [Any] { tables.map { $0.takeRows() } }

    /// The tables hold their space, and it holds them: the owner releases the state when done, or its
    /// rows and the snapshot that they come from stay for ever.
    public func dissolve() {
        tables.removeAll()
        changed.removeAll()
    }

    /// Keeps a failure, unless there is one already.
    public func recordFault(_ error: any Error) {
        if fault == nil { fault = error }
    }
}

/// What a refused command leaves as it was.
public protocol Undoable: AnyObject {
    /// Forgets how to undo what was changed so far.
    func keepChanges()
    /// Restores what was so at the last `keepChanges`.
    func undoChanges()
}

/// A table without its types, for saving and restoring.
public protocol StoredTable: Undoable {
    /// Its place among the tables of its state, from 0.
    var number: UInt16 { get }
    /// What it is called where a failure is reported.
    var name: String { get }
    /// The fields of a row: a stored state with another schema is another state.
    var schema: String { get }
    /// The rows that changed since they were stored, in key order, some hundred KB at a time; those
    /// that are gone only if wanted.
    func encodeChanges(removals: Bool, _ body: (EncodedRows) throws -> Void) throws
    /// How many rows that may be.
    var changeCount: Int { get }
    /// How many keys are in memory, those included that have no row.
    var rowCount: Int { get }
    /// Has every stored row in memory; a failure is left in the space.
    func loadWhole()
    /// Whether another table of the same types has the same rows; reads all of both.
    func hasRows(of other: any StoredTable) -> Bool
    /// What `encodeChanges` gave is stored.
    func didStore()
    /// Forgets rows that the source holds as well, so that memory stays bounded.
    func forgetStored()
    /// Everything that it holds in memory, which it forgets.
    func takeRows() -> Any
}

/// A stored row that cannot be read: the views are made again from the journal.
@usableFromInline
package struct DamagedRow: Error, CustomStringConvertible {
    package let table: String

    @usableFromInline
    init(table: String) { self.table = table }

    @usableFromInline package var description: String { "a stored row of \(table) is damaged" }
}
