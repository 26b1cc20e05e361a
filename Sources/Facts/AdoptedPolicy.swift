package import Events

/// A product's policy as far as it was adopted: the fold of its `policy.adopted` events (shared page,
/// Policies).
package final class AdoptedPolicy<Book: PolicyBook> {
    private let rows: Table<Ordinal, PolicyRow>
    private let names: Names
    private var known: Book?

    package init(in space: TableSpace, names: Names) {
        rows = Table("policies", in: space)
        self.names = names
    }

    /// The numbers and switches in force.
    package var inForce: Book {
        if let known { return known }
        let book = Book(adopted: entries)
        known = book
        return book
    }

    /// What was adopted, and where.
    package var entries: [PolicyRow.Entry] { rows[.only]?.entries ?? [] }

    package var holders: Holders { rows[.only]?.holders ?? Holders() }

    func adopt(_ changes: JSON, by event: Circumstances) {
        rows.update(.only) { $0.adopt(changes, by: event, names) }
        known = nil
    }

    /// The rows were put back as they were.
    func didUndo() {
        known = nil
    }
}
