import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// How much of a semester is done (R9).
    struct Progress {
        private let part: Int
        private let whole: Int

        init(_ part: Int, of whole: Int) {
            self.part = part
            self.whole = whole
        }

        static let none = Progress(0, of: 1)
        static let complete = Progress(1, of: 1)

        var percent: Percent { Percent(part, of: whole) }
    }
}

extension QuranFlow.State {
    /// The progress that the policy shows (R9).
    func progress(_ row: QuranFlow.EnrollmentRow, at now: Instant) -> QuranFlow.Progress {
        let week = row.currentWeek(at: now)
        if week == 0 { return .none }
        switch policy.progressRing {
        case .weeksElapsed:
            return row.isOver(row.weeks, at: now) ? .complete : .init(week - 1, of: row.weeks)
        case .weekNumber: return .init(week, of: row.weeks)
        case .weeksCompleted: return .init(completeWeeks(row, at: now), of: row.weeks)
        }
    }

    /// How many weeks have the status `complete` (R30).
    func completeWeeks(_ row: QuranFlow.EnrollmentRow, at now: Instant) -> Int {
        (1...max(1, row.weeks)).count { weekStatus(row, week: $0, at: now) == .complete }
    }
}
