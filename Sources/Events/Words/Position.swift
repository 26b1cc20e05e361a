/// An event's place in the whole journal, counted from 1 without gaps; 0 is "before the first".
package struct Position: Hashable, Comparable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static let zero = Position(0)

    package static func < (left: Position, right: Position) -> Bool { left.number < right.number }

    package static func + (position: Position, count: Int) -> Position {
        Position(position.number + UInt64(count))
    }
}
