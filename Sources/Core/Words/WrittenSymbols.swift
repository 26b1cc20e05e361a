/// The JSON of what symbols stand for, each written once: of an event's bytes as JSON most are such, and a
/// symbol comes again and again. For symbols that the journal holds: their meaning never changes.
///
/// Looked at many times with every event that is written: accesses are not checked for overlaps. Nothing
/// that is lent leaves a call, and no call calls back.
@safe
final class WrittenSymbols {
    private struct Content {
        /// Where the JSON of a symbol ends and how long it is, by number; zero where it is not written yet.
        var places: [(end: UInt32, length: UInt32)] = []
        var arena: [UInt8] = []
    }

    @exclusivity(unchecked) private var stored = Content()

    private var content: Content {
        @inline(__always) _read { yield unsafe stored }
        @inline(__always) _modify { yield unsafe &stored }
    }

    /// Cleared beyond this many bytes, so that memory stays bounded.
    private static let most = 32 << 20
    /// Numbers beyond are written each time.
    private static let numbers: UInt32 = 4 << 20

    func holds(_ symbol: Symbol) -> Bool { place(symbol) != nil }

    /// Appends the JSON of a symbol; false if it is not written yet.
    @inline(__always)
    func append(_ symbol: Symbol, to json: inout JSONWriter) -> Bool {
        guard let place = place(symbol) else { return false }
        json.canonical(content.arena.span.extracting(place))
        return true
    }

    /// Appends a text with its product before it; false if it is not written yet.
    func append(_ symbol: Symbol, of product: String, to json: inout JSONWriter) -> Bool {
        guard let place = inner(symbol) else { return false }
        json.string(product, slash: content.arena.span.extracting(place))
        return true
    }

    /// Whether one text stands before another by code points; nil where that does not show in their JSON.
    func precedes(_ left: Symbol, _ right: Symbol) -> Bool? {
        guard let left = inner(left), let right = inner(right) else { return nil }
        let bytes = content.arena.span
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

    @inline(__always)
    private func place(_ symbol: Symbol) -> Range<Int>? {
        let index = Int(symbol.number)
        guard index < content.places.count, content.places[index].length > 0 else { return nil }
        let (end, length) = content.places[index]
        return Int(end - length)..<Int(end)
    }

    /// Where a text stands between its quotes.
    private func inner(_ symbol: Symbol) -> Range<Int>? {
        guard let place = place(symbol), place.count > 1 else { return nil }
        return place.lowerBound + 1..<place.upperBound - 1
    }

    /// Keeps the JSON of a symbol.
    func keep(_ symbol: Symbol, _ written: Span<UInt8>) {
        guard symbol.number < Self.numbers, written.count < Self.most / 16 else { return }
        if content.arena.count + written.count > Self.most {
            content.arena.removeAll(keepingCapacity: true)
            content.places.removeAll(keepingCapacity: true)
        }
        let index = Int(symbol.number)
        let known = content.places.count
        if index >= known {
            let count = max(index + 1, min(known * 2, Int(Self.numbers)))
            content.places.append(
                contentsOf: repeatElement(
                    (end: UInt32(0), length: UInt32(0)), count: count - known))
        }
        content.arena.append(written)
        content.places[index] = (UInt32(content.arena.count), UInt32(written.count))
    }
}
