package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The seconds of a day: none has more or fewer (R1).
    package static let day: Int64 = 86_400
}

extension Instant {
    /// The difference in whole seconds, rounded down (R1).
    package func wholeSeconds(since earlier: Instant) -> Int {
        let difference = milliseconds(since: earlier)
        let quotient = difference / 1000
        return Int(difference % 1000 < 0 ? quotient - 1 : quotient)
    }
}
