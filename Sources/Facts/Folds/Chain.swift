package import Events

/// Growing lists of ids, one for each owner: an exam's attempts, in the order in which they came.
///
/// Kept in chunks, so that adding to a list of a million writes one small row. The owner's row keeps
/// the count.
package struct Chain<Owner: TableKey, Element: FieldValue> {
    private let table: Table<Pair<Owner, Ordinal>, Chunk>

    package struct Chunk: Record {
        var elements: [Element] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("elements", &elements)
        }
    }

    private static var chunkSize: Int { 128 }

    package init(_ name: String, in space: TableSpace) {
        table = Table(name, in: space)
    }

    /// Adds the element that is number `count`, counted from 0, to the owner's list.
    package func append(_ element: Element, to owner: Owner, at count: Int) {
        table.update(Pair(owner, Ordinal(count / Self.chunkSize))) { $0.elements.append(element) }
    }

    /// The first `count` elements, oldest first.
    package func elements(of owner: Owner, count: Int) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for chunk in 0..<(count + Self.chunkSize - 1) / Self.chunkSize {
            elements += table[Pair(owner, Ordinal(chunk))]?.elements ?? []
        }
        return elements
    }
}
