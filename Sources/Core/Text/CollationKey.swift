/// What a text is sorted by where people read the list: the order of the Unicode Collation Algorithm (UTS #10) with
/// its default table, no language's own rules, punctuation not ignored. É stands beside E, and after it; case
/// matters where nothing else does, and small letters come first.
///
/// The table is in the program: the order is the same on every machine (ADR 0045).
public struct CollationKey: Hashable, Comparable, Sendable {
    /// Primary weights, 0, secondary ones, 0, tertiary ones.
    private let weights: [UInt16]

    public init(_ text: String) {
        let elements = Self.elements(of: text)
        var weights: [UInt16] = []
        weights.reserveCapacity(elements.count * 3 + 2)
        for element in elements where element.primary != 0 { weights.append(element.primary) }
        weights.append(0)
        for element in elements where element.secondary != 0 { weights.append(element.secondary) }
        weights.append(0)
        for element in elements where element.tertiary != 0 { weights.append(element.tertiary) }
        self.weights = weights
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.weights.lexicographicallyPrecedes(right.weights)
    }

    /// Step 1 and 2 of the algorithm: the normal form D, and the elements of the longest texts of the table in it.
    private static func elements(of text: String) -> [CollationDecoder.Element] {
        let table = CollationDecoder.table
        var points = normalized(text, table)
        var elements: [CollationDecoder.Element] = []
        var index = 0
        while index < points.count {
            let point = points[index]
            if let match = table.longer(from: point).first(where: {
                points[(index + 1)...].starts(with: $0.rest)
            }) {
                // A longer match may go on over marks that stand between (S2.1.1).
                let end = index + 1 + match.rest.count
                let found = extended(point, match.rest, end, &points, table)
                elements += found ?? match.elements
                index = end
                continue
            }
            if let found = extended(point, [], index + 1, &points, table) {
                elements += found
            } else if let own = table.elements(of: point) {
                elements += own
            } else {
                elements += implicit(point)
            }
            index += 1
        }
        return elements
    }

    /// The elements of a match that takes in marks behind others that do not block them; what it takes is removed.
    private static func extended(
        _ first: UInt32, _ rest: [UInt32], _ end: Int, _ points: inout [UInt32],
        _ table: CollationDecoder
    ) -> [CollationDecoder.Element]? {
        let candidates = table.longer(from: first)
        guard !candidates.isEmpty else { return nil }
        var rest = rest
        var found: [CollationDecoder.Element]?
        var index = end
        var last: UInt8 = 0
        while index < points.count {
            let order = table.order(of: points[index])
            if order == 0 { break }
            if order != last,
                let match = candidates.first(where: { $0.rest == rest + [points[index]] })
            {
                rest = match.rest
                found = match.elements
                points.remove(at: index)
                continue
            }
            last = order
            index += 1
        }
        return found
    }

    /// Decomposed, marks in the order of their classes (Unicode, section 3.11).
    private static func normalized(_ text: String, _ table: CollationDecoder) -> [UInt32] {
        var points: [UInt32] = []
        points.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { table.decompose(scalar.value, into: &points) }
        var start = 0
        while start < points.count {
            guard table.order(of: points[start]) != 0 else {
                start += 1
                continue
            }
            var end = start
            while end < points.count, table.order(of: points[end]) != 0 { end += 1 }
            if end - start > 1 {
                let marks = points[start..<end].enumerated().map {
                    (order: table.order(of: $0.element), offset: $0.offset, point: $0.element)
                }
                points.replaceSubrange(
                    start..<end,
                    with: marks.sorted { ($0.order, $0.offset) < ($1.order, $1.offset) }.map(
                        \.point))
            }
            start = end
        }
        return points
    }

    /// What the table lacks comes after all of it: Chinese characters by radical and stroke, as they are numbered,
    /// the rarer ones after the common ones, then the rest (UTS #10, section 10.1.3).
    private static func implicit(_ point: UInt32) -> [CollationDecoder.Element] {
        let high: UInt16
        let low: UInt32
        switch point {
        case 0x17000...0x18AFF, 0x18D00...0x18D8F: (high, low) = (0xFB00, point - 0x17000)
        case 0x1B170...0x1B2FF: (high, low) = (0xFB01, point - 0x1B170)
        case 0x18B00...0x18CFF: (high, low) = (0xFB02, point - 0x18B00)
        case 0x4E00...0x9FFF, 0xFA0E...0xFA29:
            (high, low) = (0xFB40 + UInt16(point >> 15), point & 0x7FFF)
        case 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2EBEF, 0x30000...0x3134F:
            (high, low) = (0xFB80 + UInt16(point >> 15), point & 0x7FFF)
        default: (high, low) = (0xFBC0 + UInt16(point >> 15), point & 0x7FFF)
        }
        return [
            .init(primary: high, secondary: 0x20, tertiary: 2),
            .init(primary: UInt16(truncatingIfNeeded: low | 0x8000), secondary: 0, tertiary: 0),
        ]
    }
}
