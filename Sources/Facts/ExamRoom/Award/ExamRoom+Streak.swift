package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A run of consecutive dates on which attempts were completed (R28, R30).
    package struct Streak: Hashable, Sendable {
        package let from: LocalDate
        package let to: LocalDate

        package var length: Int { to.days(since: from) + 1 }

        /// The runs in ascending dates, which may recur, each as long as it goes.
        package static func runs(in days: [LocalDate]) -> [Streak] {
            var runs: [Streak] = []
            for day in days {
                if let last = runs.last, day.days(since: last.to) <= 1 {
                    runs[runs.count - 1] = Streak(from: last.from, to: day)
                } else {
                    runs.append(Streak(from: day, to: day))
                }
            }
            return runs
        }

        /// The longest run, the earliest of equal ones.
        package static func longest(in days: [LocalDate]) -> Streak? {
            runs(in: days).reduce(nil) { best, run in
                run.length > (best?.length ?? 0) ? run : best
            }
        }

        /// R30: the length of the run ending at the latest date, if that is not before yesterday.
        package static func current(in days: [LocalDate], today: LocalDate) -> Int {
            guard let last = runs(in: days).last, last.to >= today.adding(days: -1) else {
                return 0
            }
            return last.length
        }
    }
}
