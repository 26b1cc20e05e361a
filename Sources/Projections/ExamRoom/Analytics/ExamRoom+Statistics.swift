import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

/// The dates that statistics are asked for, in the policy's zone; either side may be open (R32).
struct DateRange {
    let from: LocalDate?
    let to: LocalDate?
    private let zone: TimeZoneRules

    init(_ request: ViewRequest, in state: ExamRoom.State) throws(WrongArgument) {
        from = try request.date("from")
        to = try request.date("to")
        zone = state.defaultZone
    }

    init(from: LocalDate?, to: LocalDate?, zone: TimeZoneRules) {
        self.from = from
        self.to = to
        self.zone = zone
    }

    func date(of instant: Instant) -> LocalDate { zone.localDate(at: instant) }

    func contains(_ date: LocalDate) -> Bool {
        (from.map { $0 <= date } ?? true) && (to.map { date <= $0 } ?? true)
    }

    func write(to output: inout JSONOutput) {
        output.member("from", from)
        output.member("to", to)
    }
}

/// Sums over counting attempts, from which every average and rate follows (R32, R33).
struct Statistics {
    private(set) var attempts = 0
    private(set) var completed = 0
    private(set) var handedIn = 0
    private(set) var totalSeconds = 0
    private var passed = 0
    private var percents = Mean()
    private var bars: [Int: Int] = [:]
    private var days: [LocalDate: Mean] = [:]

    /// A mean of two-decimal percents, kept as sum and number.
    struct Mean {
        private(set) var count = 0
        private var hundredths: Int64 = 0

        mutating func add(_ percent: Percent) {
            count += 1
            hundredths = hundredths.addingClamping(percent.hundredths)
        }

        /// Null without a denominator.
        var percent: Percent? {
            guard count > 0 else { return nil }
            return Percent(hundredths: Rounding.halfAway(hundredths, by: Int64(count)))
        }
    }

    /// Takes in an attempt if it counts and was started on one of the dates; says whether.
    mutating func add(_ row: borrowing ExamRoom.AttemptRow, _ range: DateRange, bar: Int) -> Bool {
        let date = range.date(of: row.startedAt)
        guard row.counts, range.contains(date) else { return false }
        attempts += 1
        guard let closing = row.closing, let percent = row.percent else { return true }
        completed += 1
        if closing.how == .student { handedIn += 1 }
        if row.isPassed == true { passed += 1 }
        totalSeconds = totalSeconds.addingClamping(closing.secondsTaken)
        percents.add(percent)
        bars[Self.bar(of: percent, width: bar), default: 0] += 1
        days[date, default: Mean()].add(percent)
        return true
    }

    var open: Int { attempts - completed }
    var averagePercent: Percent? { percents.percent }
    var passRate: Percent? { completed > 0 ? Percent(passed, of: completed) : nil }
    var completionRate: Percent? { attempts > 0 ? Percent(handedIn, of: attempts) : nil }

    var averageSeconds: Int? {
        guard completed > 0 else { return nil }
        return Int(Rounding.halfAway(Int64(totalSeconds), by: Int64(completed)))
    }

    /// R33: a percent belongs to `[from, to)`, the last bar includes 100.
    private static func bar(of percent: Percent, width: Int) -> Int {
        let last = 100 / width - 1
        return min(Int(percent.hundredths / 100) / width, last)
    }

    /// All bars are printed, empty ones too.
    func writeDistribution(width: Int, to output: inout JSONOutput) {
        output.array("distribution", 0..<100 / width) { output, bar in
            output.object { output in
                output.member("count", bars[bar] ?? 0)
                output.member("from", bar * width)
                output.member("to", (bar + 1) * width)
            }
        }
    }

    /// One point for each date with a completed attempt, ascending.
    func writeTrend(to output: inout JSONOutput) {
        output.array("trend", days.sorted { $0.key < $1.key }) { output, day in
            output.object { output in
                output.member("averagePercent", day.value.percent)
                output.member("completed", day.value.count)
                output.member("date", day.key)
            }
        }
    }
}

extension ExamRoom.State {
    /// The width of a bar in percentage points (R33), whatever a journal from elsewhere may say.
    var barWidth: Int { min(max(policy.scoreBuckets, 1), 100) }
}
