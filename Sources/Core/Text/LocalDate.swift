/// A date on somebody's wall calendar, without a time or a zone.
public struct LocalDate: Hashable, Comparable, Sendable {
    /// Since 1970-01-01.
    public var days: Int32

    @inlinable
    public init(days: Int32) {
        self.days = days
    }

    /// 1970-01-01.
    public static let epoch = LocalDate(days: 0)

    @inlinable
    public static func < (left: LocalDate, right: LocalDate) -> Bool { left.days < right.days }

    /// The date of a moment given in seconds of local time; stops at the ends of Int32 days.
    init(secondsSince1970 seconds: Int64) {
        let quotient = seconds / 86_400
        days = Int32(clamping: seconds % 86_400 < 0 ? quotient - 1 : quotient)
    }

    /// The date this many days later (earlier, if negative); stops at the ends of Int32.
    @inlinable
    public func adding(days count: Int) -> LocalDate {
        let (sum, overflow) = Int(days).addingReportingOverflow(count)
        return LocalDate(days: overflow ? (count < 0 ? .min : .max) : Int32(clamping: sum))
    }

    /// Days from `earlier` to here; negative if it is later.
    @inlinable
    public func days(since earlier: LocalDate) -> Int { Int(days) - Int(earlier.days) }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let sinceMonday = (Int(days) + 3) % 7
        return Weekday.allCases[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday]
    }

    /// The year of the Gregorian calendar.
    public var year: Int { CivilDate(days: Int(days)).year }
    /// From 1, January.
    public var month: Int { CivilDate(days: Int(days)).month }
    /// Of the month, from 1.
    public var day: Int { CivilDate(days: Int(days)).day }

    /// Nil when the calendar has no such date, or the year is not from 1970 to 2199.
    public init?(year: Int, month: Int, day: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        guard Self.readableYears.contains(year), date.isValid else { return nil }
        days = Int32(clamping: date.days)
    }

    private static let readableYears = 1970...2199
}

/// How dates are read and written: `full-date` of RFC 3339 §5.6.
extension LocalDate: CustomStringConvertible {
    /// Reads `YYYY-MM-DD` and nothing else, in the years 1970 to 2199.
    public init?(text: String) {
        self.init(text: text.utf8.span)
    }

    /// Reads the same from bytes.
    public init?(text bytes: Span<UInt8>) {
        self.init(recorded: bytes)
        guard Self.readableYears.contains(year) else { return nil }
    }

    /// Reads one that an event recorded: arithmetic may have led out of these years.
    public init?(recorded text: String) {
        self.init(recorded: text.utf8.span)
    }

    private init?(recorded bytes: Span<UInt8>) {
        guard bytes.count == 10, let date = CivilDate(text: bytes, from: 0), date.isValid else {
            return nil
        }
        days = Int32(clamping: date.days)
    }

    /// Appends `YYYY-MM-DD`.
    public func append(to bytes: inout [UInt8]) {
        CivilDate(days: Int(days)).append(to: &bytes)
    }

    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A day of the week, named as the contract's texts do; the week begins on Monday (ISO 8601).
public enum Weekday: String, CaseIterable, Hashable, Sendable {
    /// From Monday (ISO 8601).
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// From 1, Monday, to 7, Sunday (ISO 8601).
    public var number: Int {
        switch self {
        case .monday: 1
        case .tuesday: 2
        case .wednesday: 3
        case .thursday: 4
        case .friday: 5
        case .saturday: 6
        case .sunday: 7
        }
    }
}

extension Weekday: Choice {}

extension LocalDate {
    /// The first day of a month, counted from January of the year 0.
    public init(firstOfMonth months: Int) {
        let year = months / 12
        days = Int32(clamping: CivilDate(year: year, month: months % 12 + 1, day: 1).days)
    }
}
