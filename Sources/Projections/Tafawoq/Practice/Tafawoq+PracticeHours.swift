import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// How long a student practised, on premium by week and month (R22, R40).
    static let practiceHoursView = ReadModel<State>(
        "tafawoq.practice-hours", "How long did the student practise?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, _) = state.student(request.key) else { return false }
        let practices = state.completedPractices(of: student)
        let isPremium = state.tier(of: student, at: request.now) == .premium
        let total = practices.reduce(0) { $0.addingClamping($1.score.tally.seconds) }
        var weeks: [Instant: Int] = [:]
        var months: [String: Int] = [:]
        for practice in practices {
            guard let endedAt = practice.row.end?.at else { continue }
            let seconds = practice.score.tally.seconds
            let week = state.week(of: endedAt).start
            let month = String(endedAt.utcDate.description.prefix(7))
            weeks[week] = weeks[week, default: 0].addingClamping(seconds)
            months[month] = months[month, default: 0].addingClamping(seconds)
        }
        output.object { output in
            output.member("student", student)
            output.member("seconds", total)
            output.member("hours", Percent(hoursOf: total))
            output.member("practices", practices.count)
            guard isPremium else {
                output.member("weeks", JSON.null)
                output.member("months", JSON.null)
                return
            }
            output.array("weeks", weeks.sorted { $0.key < $1.key }) { output, week in
                output.object { output in
                    output.member("weekStart", week.key)
                    output.member("seconds", week.value)
                    output.member("hours", Percent(hoursOf: week.value))
                }
            }
            output.array("months", months.sorted { $0.key.precedes($1.key) }) { output, month in
                output.object { output in
                    output.member("month", month.key)
                    output.member("seconds", month.value)
                    output.member("hours", Percent(hoursOf: month.value))
                }
            }
        }
        return true
    }
}

extension Percent {
    /// A number of seconds in hours, to two decimals (R40).
    init(hoursOf seconds: Int) { self.init(meanOf: seconds.multipliedClamping(100), by: 3600) }
}
