/// A moment, to the millisecond, counted in UTC without leap seconds (as POSIX time is).
///
/// Texts reach from 1970 to 2199; arithmetic may leave these years and stops at the ends of Int64.
public struct Instant: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// Milliseconds since 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// 1970-01-01T00:00:00Z.
    public static let epoch = Instant(milliseconds: 0)

    /// 2200-01-01T00:00:00Z, the first instant that no text can tell any more.
    public static let untellable = Instant(seconds: 84_006 * 86_400)

    /// Whether `left` is earlier than `right`.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Whole seconds since 1970, rounded down.
    @inlinable
    public var seconds: Int64 {
        let quotient = milliseconds / 1000
        return milliseconds % 1000 < 0 ? quotient - 1 : quotient
    }

    /// The instant at a whole second; the nearest possible one when Int64 milliseconds do not
    /// reach that far.
    @inlinable
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// The instant so much later (earlier, if negative); stops at the ends of Int64.
    @inlinable
    public func adding(milliseconds count: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(count)
        return Instant(milliseconds: overflow ? (count < 0 ? .min : .max) : sum)
    }

    /// The instant so much later (earlier, if negative); stops at the ends of Int64.
    @inlinable
    public func adding(seconds count: Int64) -> Instant {
        adding(milliseconds: Instant(seconds: count).milliseconds)
    }

    /// The instant `seconds` later.
    @inlinable
    public static func + (instant: Instant, seconds: Int64) -> Instant {
        instant.adding(seconds: seconds)
    }

    /// The instant `seconds` earlier.
    @inlinable
    public static func - (instant: Instant, seconds: Int64) -> Instant {
        instant.adding(seconds: seconds == .min ? .max : -seconds)
    }

    /// Moves the instant `seconds` later.
    @inlinable
    public static func += (instant: inout Instant, seconds: Int64) {
        instant = instant + seconds
    }

    /// Milliseconds from `earlier` to here, negative if it is later; stops at the ends of Int64.
    @inlinable
    public func milliseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return overflow ? (earlier.milliseconds > 0 ? .min : .max) : difference
    }

    /// The calendar date in UTC.
    public var utcDate: LocalDate { LocalDate(secondsSince1970: seconds) }
}
