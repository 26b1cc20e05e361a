package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What a student has done and earned, in numbers.
    package struct StudentRow: Record {
        /// All that were ever started, the length of the chain.
        package var attempts = 0
        /// Of those that count (R24): all, the completed ones, those handed in.
        package var counting = 0
        package var completed = 0
        package var handedIn = 0
        /// Sum of the percents that count of the completed ones, in hundredths.
        package var percentSum = 0
        /// R28: dates of completed attempts, ascending, one for each attempt.
        package var days: [LocalDate] = []
        package var points = 0
        package var badges: [BadgeRow] = []
        package var unlocked: [Int] = []
        /// How many entries the award history has.
        package var awards = 0
        /// Where the boards have them, board by board; empty when they are on none (R31).
        package var standings: [Measures] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempts", &attempts)
            coder.field("counting", &counting)
            coder.field("completed", &completed)
            coder.field("handedIn", &handedIn)
            coder.field("percentSum", &percentSum)
            coder.field("days", &days)
            coder.field("points", &points)
            coder.field("badges", &badges)
            coder.field("unlocked", &unlocked)
            coder.field("awards", &awards)
            coder.field("standings", &standings)
        }

        package func hasBadge(_ badge: String) -> Bool {
            badges.contains { $0.badge == badge }
        }

        mutating func addDay(_ day: LocalDate) {
            days.insert(day, at: days.lastIndex { $0 <= day }.map { $0 + 1 } ?? 0)
        }

        mutating func removeDay(_ day: LocalDate) {
            if let place = days.lastIndex(of: day) { days.remove(at: place) }
        }

        /// R31: mean of the percents of completed attempts, to two decimals; nil before the first.
        package var averagePercent: Percent? {
            guard completed > 0 else { return nil }
            return Percent(meanOf: percentSum, by: completed)
        }

        /// R31: handed in ÷ all counting attempts.
        package var completionRate: Percent? {
            counting > 0 ? Percent(handedIn, of: counting) : nil
        }
    }

    package struct BadgeRow: Record {
        package var badge = ""
        package var name = ""
        package var attempt = AttemptID.none
        package var earnedAt = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("badge", &badge)
            coder.field("name", &name)
            coder.field("attempt", &attempt)
            coder.field("earnedAt", &earnedAt)
        }
    }

    /// One entry of a student's award history.
    package struct AwardRow: Record {
        /// `points`, `milestone` or the badge.
        package var what = ""
        package var amount: SignedInt?
        package var attempt: AttemptID?
        package var at = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("what", &what)
            coder.field("amount", &amount)
            coder.field("attempt", &attempt)
            coder.field("at", &at)
        }
    }
}

extension ExamRoom.State {
    static func awardRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Award.PointsAwarded.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.attempts.updateExisting(event.attempt) { $0.points = event.points }
            state.changeStudent(event.student) { $0.points = event.total }
            state.remember(event.student, "points", event.points, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.PointsAdjusted.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.attempts.updateExisting(event.attempt) { $0.points = event.newPoints }
            state.changeStudent(event.student) { $0.points = event.total }
            state.remember(
                event.student, "points", event.newPoints - event.oldPoints, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.BadgeEarned.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.changeStudent(event.student) {
                var badge = ExamRoom.BadgeRow()
                badge.badge = event.badge
                badge.name = event.name
                badge.attempt = event.attempt
                badge.earnedAt = metadata.moment
                $0.badges.append(badge)
            }
            state.remember(event.student, event.badge, nil, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.MilestoneUnlocked.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.changeStudent(event.student) { $0.unlocked.append(event.milestone) }
            state.remember(event.student, "milestone", event.milestone, nil, metadata)
        }
    }

    private func remember(
        _ student: ExamRoom.StudentID, _ what: String, _ amount: Int?,
        _ attempt: ExamRoom.AttemptID?, _ metadata: EventMetadata
    ) {
        let place = students.update(student) { row in
            row.awards += 1
            return row.awards - 1
        }
        var award = ExamRoom.AwardRow()
        award.what = what
        award.amount = amount.map(SignedInt.init)
        award.attempt = attempt
        award.at = metadata.moment
        awards.append(award, to: student, at: place)
    }
}

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
