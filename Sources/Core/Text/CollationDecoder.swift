/// Reads the text of `CollationTable`, which Scripts/collation.py writes, once.
///
/// White space means nothing; the rest are numbers as in `TimeZoneDecoder`. Five lists, each after its length:
/// - kinds: secondary and tertiary weight, and 1 if a primary one belongs to them, else 0;
/// - runs of code points: how many lie between the run and the one before, how many it has, the elements of
///   the first; each further one has the element of the one before with the next primary weight;
/// - longer texts: how many code points, these, their elements;
/// - decompositions, each one step: how far from the code point before, how many parts, these;
/// - runs of marks: how many code points lie between, how many it has, their combining class.
///
/// Elements: how many; of each its kind, and, if it has a primary weight, how far that is from the last one
/// written, folded: 0, -1, 1, -2, 2 …
struct CollationDecoder {
    /// The weights of one collation element.
    struct Element {
        var primary: UInt16
        let secondary: UInt16
        let tertiary: UInt16
    }

    /// Where the elements of a code point lie among all.
    private struct Place {
        let point: UInt32
        let start: UInt32
        let count: UInt32
    }

    private struct MarkRun {
        let first: UInt32
        let end: UInt32
        let order: UInt8
    }

    private var elements: [Element] = []
    /// Ascending.
    private var places: [Place] = []
    /// By their first code point; the longest text first.
    private var longer: [UInt32: [(rest: [UInt32], elements: [Element])]] = [:]
    private var decompositions: [UInt32: [UInt32]] = [:]
    private var marks: [MarkRun] = []

    static let table = CollationDecoder(CollationTable.text)

    /// What is no table gives an empty one.
    private init(_ text: String) {
        var numbers = Numbers(text: Array(text.utf8))
        let kinds = (0..<numbers.next()).map { _ in
            (
                UInt16(truncatingIfNeeded: numbers.next()),
                UInt16(truncatingIfNeeded: numbers.next()), numbers.next() == 1
            )
        }
        var last = 0
        func read() -> [Element] {
            (0..<numbers.next()).map { _ in
                let kind = numbers.next()
                guard kinds.indices.contains(kind) else {
                    return Element(primary: 0, secondary: 0, tertiary: 0)
                }
                let (secondary, tertiary, hasPrimary) = kinds[kind]
                if hasPrimary { last += numbers.nextSigned() }
                return Element(
                    primary: hasPrimary ? UInt16(truncatingIfNeeded: last) : 0,
                    secondary: secondary, tertiary: tertiary)
            }
        }
        var end = 0
        for _ in 0..<numbers.next() {
            let first = end + numbers.next()
            let count = numbers.next()
            let own = read()
            for index in 0..<count {
                places.append(
                    Place(
                        point: UInt32(truncatingIfNeeded: first + index),
                        start: UInt32(truncatingIfNeeded: elements.count),
                        count: UInt32(truncatingIfNeeded: own.count)))
                elements += own.map { element in
                    var element = element
                    element.primary &+= UInt16(truncatingIfNeeded: index)
                    return element
                }
            }
            if count > 1 { last += count - 1 }
            end = first + count
        }
        for _ in 0..<numbers.next() {
            let points = (0..<numbers.next()).map { _ in UInt32(truncatingIfNeeded: numbers.next())
            }
            let own = read()
            guard let first = points.first else { continue }
            longer[first, default: []].append((Array(points.dropFirst()), own))
        }
        for first in longer.keys { longer[first]?.sort { $0.rest.count > $1.rest.count } }
        end = 0
        for _ in 0..<numbers.next() {
            end += numbers.next()
            decompositions[UInt32(truncatingIfNeeded: end)] = (0..<numbers.next()).map { _ in
                UInt32(truncatingIfNeeded: numbers.next())
            }
        }
        end = 0
        for _ in 0..<numbers.next() {
            let first = end + numbers.next()
            end = first + numbers.next()
            marks.append(
                MarkRun(
                    first: UInt32(truncatingIfNeeded: first),
                    end: UInt32(truncatingIfNeeded: end),
                    order: UInt8(truncatingIfNeeded: numbers.next())))
        }
    }

    private struct Numbers {
        let text: [UInt8]
        var index = 0

        mutating func next() -> Int {
            var number = 0
            var shift = 0
            while index < text.count {
                let byte = text[index]
                index += 1
                guard byte >= 48, byte < 112 else { continue }
                number |= Int((byte - 48) & 31) << shift
                if byte < 80 { return number }
                shift += 5
                if shift > 40 { return 0 }
            }
            return 0
        }

        mutating func nextSigned() -> Int {
            let folded = next()
            return folded & 1 == 0 ? folded >> 1 : -(folded + 1) >> 1
        }
    }
}

extension CollationDecoder {
    /// The combining class; 0 for what is no mark.
    func order(of point: UInt32) -> UInt8 {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].end <= point { low = middle + 1 } else { high = middle }
        }
        return low < marks.count && marks[low].first <= point ? marks[low].order : 0
    }

    /// Appends the canonical decomposition of a code point, in full.
    func decompose(_ point: UInt32, into points: inout [UInt32]) {
        if point >= 0xAC00, point < 0xAC00 + 11_172 {
            // Hangul syllables are composed by rule (Unicode, section 3.12).
            let index = point - 0xAC00
            points.append(0x1100 + index / 588)
            points.append(0x1161 + index % 588 / 28)
            if index % 28 != 0 { points.append(0x11A7 + index % 28) }
            return
        }
        guard let parts = decompositions[point] else { return points.append(point) }
        for part in parts { decompose(part, into: &points) }
    }

    /// The elements of a code point alone; nil for one that the table lacks.
    func elements(of point: UInt32) -> ArraySlice<Element>? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].point < point { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].point == point else { return nil }
        let start = Int(places[low].start)
        return elements[start..<start + Int(places[low].count)]
    }

    /// Longer texts of the table that begin with a code point: what follows it, and their elements.
    func longer(from point: UInt32) -> [(rest: [UInt32], elements: [Element])] {
        longer[point] ?? []
    }
}
