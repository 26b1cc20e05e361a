/// An event's place in the whole journal, counted from 1 without gaps; 0 is "before the first".
public struct Position: Hashable, Comparable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }

    public static let zero = Position(0)

    public static func < (left: Position, right: Position) -> Bool { left.number < right.number }

    public static func + (position: Position, count: Int) -> Position {
        Position(position.number + UInt64(count))
    }
}
