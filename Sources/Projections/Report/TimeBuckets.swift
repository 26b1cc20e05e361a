import Core

/// The days of a report as bars: days, or weeks, months or years where days would be too many to see.
struct TimeBuckets {
    enum Unit: String {
        case day, week, month, year
    }

    struct Bucket {
        let start: LocalDate
        var events = 0
        var refusals = 0
    }

    let unit: Unit
    /// Without gaps, from the first event's to the last one's.
    private(set) var buckets: [Bucket] = []

    private static let most = 92

    init(_ days: [AuditReport.Day]) {
        guard let first = days.first?.date, let last = days.last?.date else {
            unit = .day
            return
        }
        let span = last.days(since: first) + 1
        unit =
            switch span {
            case ...Self.most: .day
            case ...(Self.most * 7): .week
            case ...(Self.most * 31): .month
            default: .year
            }
        var start = Self.start(of: first, unit)
        var rest = days[...]
        while start <= last {
            let end = Self.next(start, unit)
            var bucket = Bucket(start: start)
            while let day = rest.first, day.date < end {
                bucket.events += day.events
                bucket.refusals += day.refusals
                rest.removeFirst()
            }
            buckets.append(bucket)
            start = end
        }
    }

    private static func start(of date: LocalDate, _ unit: Unit) -> LocalDate {
        switch unit {
        case .day: date
        case .week: date.adding(days: 1 - date.weekday.number)
        case .month: LocalDate(year: date.year, month: date.month, day: 1) ?? date
        case .year: LocalDate(year: date.year, month: 1, day: 1) ?? date
        }
    }

    private static func next(_ start: LocalDate, _ unit: Unit) -> LocalDate {
        switch unit {
        case .day: return start.adding(days: 1)
        case .week: return start.adding(days: 7)
        case .month:
            let isLast = start.month == 12
            return LocalDate(
                year: start.year + (isLast ? 1 : 0), month: isLast ? 1 : start.month + 1, day: 1)
                ?? start.adding(days: 31)
        case .year:
            return LocalDate(year: start.year + 1, month: 1, day: 1) ?? start.adding(days: 366)
        }
    }

    /// As an axis or a table names a bucket.
    func label(_ bucket: Bucket) -> String {
        let text = "\(bucket.start)"
        return switch unit {
        case .day, .week: text
        case .month: String(text.prefix(7))
        case .year: String(text.prefix(4))
        }
    }
}
