public import Core

/// A state with a policy.
public protocol HoldsPolicy: FoldedState {
    /// The product's policy.
    associatedtype Policy: PolicyBook
    /// The policy adopted so far.
    var policies: AdoptedPolicy<Policy> { get }
}

/// A product's policy as adopted so far: the fold of its `policy.adopted` events (shared page,
/// Policies).
public final class AdoptedPolicy<Book: PolicyBook> {
    private let rows: Table<Ordinal, PolicyRow>
    private let names: Names
    private var book = Book()
    /// Whether the book is made from the entries as they stand.
    private var isKnown = false

    public init(in space: TableSpace, names: Names) {
        rows = Table("policies", in: space)
        self.names = names
    }

    /// The numbers and switches in force. Yielded without a copy: a caller reads one or two of a hundred.
    public var inForce: Book {
        _read {
            if !isKnown {
                book = Book(adopted: entries)
                isKnown = true
            }
            yield book
        }
    }

    /// What was adopted, and where.
    public var entries: [PolicyRow.Entry] { rows[.only]?.entries ?? [] }

    /// Which write holds each value (ExamRoom R40).
    public var holders: Holders { rows[.only]?.holders ?? Holders() }

    /// Folds a `policy.adopted` event.
    public func adopt(_ changes: JSON, by metadata: EventMetadata) {
        rows.update(.only) { $0.adopt(changes, by: metadata, names) }
        isKnown = false
    }

    /// The rows were put back as they were.
    public func didUndo() {
        isKnown = false
    }
}
