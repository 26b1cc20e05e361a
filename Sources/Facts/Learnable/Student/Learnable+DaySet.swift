package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A set of days, kept in ascending order.
    package struct DaySet: Record {
        package private(set) var days: [LocalDate] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("days", &days)
        }

        package mutating func insert(_ day: LocalDate) {
            let index = days.insertionIndex { $0 < day }
            if index == days.count || days[index] != day { days.insert(day, at: index) }
        }

        package func contains(_ day: LocalDate) -> Bool {
            let index = days.insertionIndex { $0 < day }
            return index < days.count && days[index] == day
        }

        package func hasAny(in range: ClosedRange<LocalDate>) -> Bool {
            let index = days.insertionIndex { $0 < range.lowerBound }
            return index < days.count && days[index] <= range.upperBound
        }
    }
}

extension Array {
    /// Where to insert into an ascending array: the index of the first element that `isBefore` does not
    /// hold for.
    package func insertionIndex(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
