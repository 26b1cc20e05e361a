package import Core

/// How far time has come: every timer due before the instant has fired, and those due at the
/// instant itself if it is inclusive.
package struct JournalClock: Hashable, Comparable, Sendable {
    package var instant: Instant
    package var inclusive: Bool

    @inlinable
    package init(instant: Instant, inclusive: Bool) {
        self.instant = instant
        self.inclusive = inclusive
    }

    /// Before all time: the clock of an empty journal.
    package static let beginning = JournalClock(
        instant: Instant(milliseconds: .min), inclusive: false)

    @inlinable
    package static func < (left: JournalClock, right: JournalClock) -> Bool {
        if left.instant != right.instant { return left.instant < right.instant }
        return !left.inclusive && right.inclusive
    }
}
