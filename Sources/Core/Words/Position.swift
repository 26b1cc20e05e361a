/// An event's place in the whole journal, counted from 1 without gaps; 0 is "before the first".
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public var number: UInt64

    /// The place of the event with this number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Before the first event.
    public static let zero = Position(0)

    /// The number, as documents write it.
    public var description: String { "\(number)" }

    /// Whether `left` comes before `right` in the journal.
    public static func < (left: Position, right: Position) -> Bool { left.number < right.number }

    /// This many positions further on.
    public static func + (position: Position, count: Int) -> Position {
        Position(position.number + UInt64(count))
    }
}
