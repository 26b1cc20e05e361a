import Folding

/// The rows of a product's state, of all tables together.
extension ProductRuntime {
    /// Brings up to date what follows from rows, before they are stored or compared.
    func settle() {
        folded.settle()
        space.withoutUndo { timers.settle() }
    }

    /// How many rows differ from what is stored.
    var changeCount: Int { space.tables.reduce(0) { $0 + $1.changeCount } }

    /// How many rows are in memory.
    var rowCount: Int { space.tables.reduce(0) { $0 + $1.rowCount } }

    /// Whether every row could be fetched again.
    var isStored: Bool { space.source != nil && changeCount == 0 }

    /// The rows that differed are stored now.
    func didStore() {
        for table in space.tables { table.didStore() }
    }

    /// Lets go of rows that are stored as well.
    func forgetStored() {
        for table in space.tables { table.forgetStored() }
        timers.forgetStored()
    }
}
