public import Core

/// Growing lists of ids, one for each owner: an exam's attempts, in the order in which they came.
///
/// Kept in chunks, so that adding to a list of a million writes one small row. The owner's row keeps
/// the count.
public struct ChunkedList<Owner: DenseKey, Element: FieldValue> {
    @usableFromInline let table: Table<Pair<Owner, Ordinal>, Chunk>

    /// One row: some neighbouring elements of a list.
    public struct Chunk: Record {
        @usableFromInline var elements: [Element] = []

        @inlinable
        public init() {}

        @inlinable
        public mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("elements", &elements)
        }
    }

    @usableFromInline let chunkSize: Int

    /// - Parameter chunk: how many elements a row holds; it is written whole.
    @inlinable
    public init(_ name: String, in space: TableSpace, chunk: Int = 128) {
        table = Table(name, in: space)
        chunkSize = chunk
    }

    /// Adds the element that is number `count`, counted from 0, to the owner's list.
    @inlinable
    public func append(_ element: Element, to owner: Owner, at count: Int) {
        table.update(Pair(owner, Ordinal(count / chunkSize))) { $0.elements.append(element) }
    }

    /// The first `count` elements, oldest first.
    public func elements(of owner: Owner, count: Int) -> [Element] {
        elements(of: owner, in: 0..<count)
    }

    /// The elements that stand at these places, counted from 0; all of them must have been added.
    @inlinable
    public func elements(of owner: Owner, in places: Range<Int>) -> [Element] {
        guard !places.isEmpty else { return [] }
        var elements: [Element] = []
        elements.reserveCapacity(places.count)
        for chunk in places.lowerBound / chunkSize...(places.upperBound - 1) / chunkSize {
            let start = chunk * chunkSize
            let part = table[Pair(owner, Ordinal(chunk))]?.elements ?? []
            let low = max(places.lowerBound - start, 0)
            elements += part[min(low, part.count)..<min(places.upperBound - start, part.count)]
        }
        return elements
    }
}
