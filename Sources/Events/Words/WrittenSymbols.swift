/// The JSON of what symbols stand for, each written once: of an event's bytes as JSON most are such, and a
/// symbol comes again and again. For symbols that the journal holds: their meaning never changes.
struct WrittenSymbols {
    /// Where the JSON of a symbol ends and how long it is, by number; zero where it is not written yet.
    private var places: [(end: UInt32, length: UInt32)] = []
    private var arena: [UInt8] = []

    /// Beyond so many bytes it starts anew, so that memory stays bounded.
    private static let most = 32 << 20
    /// Numbers beyond are written each time.
    private static let numbers: UInt32 = 4 << 20

    /// Appends the JSON of a symbol; false if it is not written yet.
    @inline(__always)
    func append(_ symbol: Symbol, to json: inout JSONWriter) -> Bool {
        let index = Int(symbol.number)
        guard index < places.count, places[index].length > 0 else { return false }
        let (end, length) = places[index]
        json.canonical(arena.span.extracting(Int(end - length)..<Int(end)))
        return true
    }

    /// Whether one text stands before another by code points; nil where that does not show in their JSON.
    func precedes(_ left: Symbol, _ right: Symbol) -> Bool? {
        guard let left = inner(left), let right = inner(right) else { return nil }
        let bytes = arena.span
        let count = min(left.count, right.count)
        for index in 0..<count {
            let (one, other) = (bytes[left.lowerBound + index], bytes[right.lowerBound + index])
            if one == other { continue }
            // An escape hides which code point it stands for.
            let isPlain = one != UInt8(ascii: "\\") && other != UInt8(ascii: "\\")
            return isPlain ? one < other : nil
        }
        return left.count < right.count
    }

    /// Where a text stands between its quotes.
    private func inner(_ symbol: Symbol) -> Range<Int>? {
        let index = Int(symbol.number)
        guard index < places.count, places[index].length > 1 else { return nil }
        let (end, length) = places[index]
        return Int(end - length) + 1..<Int(end) - 1
    }

    /// Keeps the JSON of a symbol.
    mutating func keep(_ symbol: Symbol, _ written: Span<UInt8>) {
        guard symbol.number < Self.numbers, written.count < Self.most / 16 else { return }
        if arena.count + written.count > Self.most {
            arena.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        let index = Int(symbol.number)
        if index >= places.count {
            let count = max(index + 1, min(places.count * 2, Int(Self.numbers)))
            places.append(
                contentsOf: repeatElement(
                    (end: UInt32(0), length: UInt32(0)), count: count - places.count))
        }
        arena.append(written)
        places[index] = (UInt32(arena.count), UInt32(written.count))
    }
}
