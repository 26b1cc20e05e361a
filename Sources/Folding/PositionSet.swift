public import Core

/// Which of 1,024 neighbouring positions belong to it: one bit each, without a heap of its own, so that
/// a fold changes it in place.
public struct PositionSet: FieldValue {
    /// How many positions one set covers.
    public static let size = 1024
    private var words = InlineArray<16, UInt64>(repeating: 0)

    public init() {}

    /// Adds a position below `size`.
    public mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }

    /// Takes a position below `size` out.
    public mutating func remove(_ place: Int) { words[place >> 6] &= ~(1 << UInt64(place & 63)) }

    /// Whether a position below `size` is in the set.
    public func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }

    /// How many of the places are in it.
    public func count(in places: Range<Int>) -> Int {
        guard !places.isEmpty else { return 0 }
        var count = 0
        for index in places.lowerBound >> 6...(places.upperBound - 1) >> 6 {
            var word = words[index]
            let start = index << 6
            if places.lowerBound > start { word &= .max << UInt64(places.lowerBound - start) }
            if places.upperBound < start + 64 {
                word &= ~(.max << UInt64(places.upperBound - start))
            }
            count += word.nonzeroBitCount
        }
        return count
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.words.indices.allSatisfy { left.words[$0] == right.words[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for index in words.indices { hasher.combine(words[index]) }
    }

    public static var empty: PositionSet { PositionSet() }
    public static var schema: String { "positions" }

    public func write(to writer: inout BinaryWriter) {
        for index in words.indices { writer.varint(words[index]) }
    }

    public static func read(from reader: inout BinaryReader) -> PositionSet {
        var set = PositionSet()
        for index in set.words.indices { set.words[index] = reader.varint() }
        return set
    }

    public func write(to output: inout JSONOutput) {
        output.json.beginArray()
        for place in 0..<Self.size where contains(place) { output.json.integer(Int64(place)) }
        output.json.endArray()
    }

    public static func read(_ json: JSON, from input: inout JSONInput) -> PositionSet? {
        guard let places = [Int].read(json, from: &input) else { return nil }
        var set = PositionSet()
        for place in places {
            guard place < size else {
                input.fail("expected places below \(size)")
                return nil
            }
            set.insert(place)
        }
        return set
    }
}
