import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What is on, day by day (R24, R28)?
    static let scheduleView = ReadModel<State>(
        "quranflow.schedule", "What is on, day by day?", key: "student",
        arguments: ["kind", "week"], keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.sessions, Grounds.semesters, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let kind = try request.sessionKind()
        let asked = try request.whole("week")
        guard let learner = Learner(request.key, state, at: request.now),
            let schedule = Schedule(learner, week: asked, kind: kind)
        else { return false }
        schedule.write(to: &output)
        return true
    }

    /// The days of a schedule, and which week it is.
    struct Schedule {
        private let learner: Learner
        private let kind: Session.Kind?
        private let days: [Day]
        private let title: String
        private let week: Int?
        private let weeks: Int?
        private let emptyText: String?
        /// Sessions for the student that are to come or under way.
        private let upcoming: [FoundSession]

        private struct Day {
            let date: LocalDate
            let sessions: [FoundSession]
            let deadlines: [Int]
        }

        /// Nil for a week that the enrolment does not have.
        init?(_ learner: Learner, week asked: Int?, kind: Session.Kind?) {
            self.learner = learner
            self.kind = kind
            upcoming = learner.openSessions()
            let enrollment = learner.current?.row
            if learner.phase.isBeforePlacement || learner.phase == .preSemester && asked == nil {
                days = Self.housewarmingDays(learner, kind)
                title = "Pre-Semester Sessions"
                week = 0
                weeks = enrollment?.weeks
                emptyText = days.isEmpty ? Self.emptyText(learner) : nil
                return
            }
            guard let enrollment, learner.phase.isRunning || learner.phase == .preSemester else {
                days = Self.sevenDays(from: learner.formatter.today, learner, kind)
                title = "Sessions"
                week = nil
                weeks = nil
                emptyText = nil
                return
            }
            weeks = enrollment.weeks
            emptyText = nil
            // After the last week there is none to show unless one is asked for.
            if asked == nil, enrollment.isOver(enrollment.weeks, at: learner.now) {
                days = Self.sevenDays(from: learner.formatter.today, learner, kind)
                title = "Sessions"
                week = nil
                return
            }
            let shown = asked ?? enrollment.currentWeek(at: learner.now)
            guard enrollment.isWeek(shown) else { return nil }
            days = Self.days(of: shown, enrollment, learner, kind)
            title = "Week \(shown)"
            week = shown
        }

        // MARK: Days

        /// The dates on which a week has a part, by the student's own clock: seven where its zone is the
        /// programme's, else eight. So today is among them in the current week, and the deadline, and
        /// whatever takes place in the week (R28).
        private static func days(
            of week: Int, _ enrollment: EnrollmentRow, _ learner: Learner, _ kind: Session.Kind?
        ) -> [Day] {
            let formatter = learner.formatter
            let first = formatter.date(of: enrollment.weekStarts[week - 1])
            let last = formatter.date(of: enrollment.dueAt(week))
            let days = days(first, through: last, learner, kind)
            guard enrollment.isActive else { return days }
            let due = formatter.date(of: enrollment.dueAt(week))
            return days.map { day in
                Day(
                    date: day.date, sessions: day.sessions,
                    deadlines: day.date == due ? [week] : [])
            }
        }

        private static func sevenDays(
            from first: LocalDate, _ learner: Learner, _ kind: Session.Kind?
        ) -> [Day] {
            days(first, through: first.adding(days: 6), learner, kind)
        }

        /// Dates with their sessions; a session belongs to the local date of its start (R28).
        private static func days(
            _ first: LocalDate, through last: LocalDate, _ learner: Learner, _ kind: Session.Kind?
        ) -> [Day] {
            let formatter = learner.formatter
            let eligibility = learner.state.eligibility(of: learner.id)
            // Half a day more on each side: a date is not the same 24 hours everywhere.
            let sessions = learner.inOrder(
                learner.state.sessions(
                    from: formatter.start(of: first) - 43_200,
                    before: formatter.start(of: last.adding(days: 1)) + 43_200
                ).filter { (kind ?? $0.row.kind) == $0.row.kind && eligibility.covers($0.row) })
            return (0...max(0, last.days(since: first))).map { offset in
                let date = first.adding(days: offset)
                return Day(
                    date: date,
                    sessions: sessions.filter { formatter.date(of: $0.row.startsAt) == date },
                    deadlines: [])
            }
        }

        /// The dates from today on that have housewarmings, at most seven.
        private static func housewarmingDays(
            _ learner: Learner, _ kind: Session.Kind?
        ) -> [Day] {
            guard kind == nil || kind == .housewarming else { return [] }
            let state = learner.state
            let eligibility = state.eligibility(of: learner.id)
            let sessions = learner.inOrder(
                state.catalogue.housewarmings.compactMap { id in
                    state.sessions[id].flatMap { row -> FoundSession? in
                        eligibility.covers(row)
                            && learner.formatter.date(of: row.startsAt) >= learner.formatter.today
                            ? (id, row) : nil
                    }
                })
            var days: [Day] = []
            for session in sessions {
                let date = learner.formatter.date(of: session.row.startsAt)
                if let last = days.last, last.date == date {
                    days[days.count - 1] = Day(
                        date: date, sessions: last.sessions + [session], deadlines: [])
                } else if days.count < 7 {
                    days.append(Day(date: date, sessions: [session], deadlines: []))
                }
            }
            return days
        }

        private static func emptyText(_ learner: Learner) -> String {
            if let enrollment = learner.current?.row {
                let start = learner.formatter.dateText(of: enrollment.weekStarts[0])
                return "Sessions begin when your semester starts on \(start)."
            }
            let text = "Sessions begin once your semester starts."
            let state = learner.state
            let coming = state.catalogue.semesters.compactMap { id in
                state.semesters[id].flatMap { row in
                    row.startsAt > learner.now ? (id: id, row: row) : nil
                }
            }
            let next = state.sorted(coming, by: { $0.row.startsOn }, id: { $0.id }).first
            guard let next else { return text }
            return
                "\(text) The next one starts on \(learner.formatter.dateText(of: next.row.startsAt))."
        }

        // MARK: Writing

        func write(to output: inout JSONOutput) {
            output.object { output in
                output.array("days", days) { write($1, to: &$0) }
                output.member("emptyText", emptyText)
                output.member("filter", kind?.rawValue ?? "all")
                output.array("kinds", Session.Kind.allCases) { output, kind in
                    output.object { output in
                        output.member("description", kind.explanation)
                        output.member("kind", kind)
                        output.member("label", kind.label)
                        output.array("typical", typicalTimes(of: kind)) { output, time in
                            output.object { output in
                                output.member("time", time.clock)
                                output.member("weekday", time.weekday)
                            }
                        }
                    }
                }
                if let next = nextSession {
                    output.json.key("nextSession")
                    learner.write(next, to: &output)
                } else {
                    output.null("nextSession")
                }
                output.member("nextWeek", nextWeek)
                output.member("phase", learner.phase)
                output.member("previousWeek", previousWeek)
                output.member("student", learner.id)
                output.member("timeZone", learner.formatter.zone)
                output.member("title", title)
                output.member("week", week)
                output.member("weeks", weeks)
            }
        }

        /// After the last week, that one.
        private var previousWeek: Int? {
            guard let week else { return weeks }
            return week > 1 ? week - 1 : nil
        }

        private var nextWeek: Int? {
            guard let week, let weeks, week < weeks else { return nil }
            return week + 1
        }

        /// The next session, in any week, when today is shown and has none left.
        private var nextSession: FoundSession? {
            let today = learner.formatter.today
            guard let day = days.first(where: { $0.date == today }),
                !day.sessions.contains(where: { !$0.row.isCancelled && $0.row.endsAt > learner.now }
                )
            else { return nil }
            return upcoming.first { (kind ?? $0.row.kind) == $0.row.kind }
        }

        /// The days of the week and times at which sessions of a kind are to come for the student, those of the
        /// most sessions first, at most three (4.7).
        private func typicalTimes(of kind: Session.Kind) -> [(weekday: Weekday, clock: String)] {
            let formatter = learner.formatter
            var times: [(weekday: Weekday, clock: String, count: Int)] = []
            for session in upcoming where session.row.kind == kind {
                let start = session.row.startsAt
                let weekday = formatter.date(of: start).weekday
                let clock = formatter.clock(at: start)
                if let place = times.firstIndex(where: {
                    $0.weekday == weekday && $0.clock == clock
                }) {
                    times[place].count += 1
                } else {
                    times.append((weekday, clock, 1))
                }
            }
            let most = times.enumerated().sorted { left, right in
                left.element.count != right.element.count
                    ? left.element.count > right.element.count : left.offset < right.offset
            }
            return most.prefix(3).map { ($0.element.weekday, $0.element.clock) }
        }

        private func write(_ day: Day, to output: inout JSONOutput) {
            let isDense = day.sessions.count > learner.policy.maxUngrouped
            output.object { output in
                output.member("count", day.sessions.count)
                output.member("date", day.date)
                output.array("deadlines", day.deadlines) { writeDeadline($1, to: &$0) }
                if isDense {
                    writeGroups(day.sessions, to: &output)
                    output.null("sessions")
                } else {
                    output.null("groups")
                    output.array("sessions", day.sessions) { learner.write($1, to: &$0) }
                }
                output.member("today", day.date == learner.formatter.today)
                output.member("weekday", day.date.weekday)
            }
        }

        /// A dense day by kind, empty kinds left out (R28).
        private func writeGroups(_ sessions: [FoundSession], to output: inout JSONOutput) {
            let groups = Session.Kind.allCases.map { kind in
                (kind: kind, sessions: sessions.filter { $0.row.kind == kind })
            }
            output.array("groups", groups.filter { !$0.sessions.isEmpty }) { output, group in
                output.object { output in
                    output.member("count", group.sessions.count)
                    output.member("kind", group.kind)
                    output.member("label", "\(group.kind.groupLabel) (\(group.sessions.count))")
                    output.array("sessions", group.sessions) { learner.write($1, to: &$0) }
                }
            }
        }

        private func writeDeadline(_ week: Int, to output: inout JSONOutput) {
            guard let row = learner.current?.row else { return }
            let dueAt = row.dueAt(week)
            let isSubmitted = !row.weekRows[week - 1].recordings.isEmpty
            output.object { output in
                output.time("dueAt", dueAt, learner.formatter)
                output.member("submitted", isSubmitted)
                output.member("text", "Submission Deadline")
                output.member("week", week)
                output.member(
                    "when",
                    isSubmitted || row.isOver(week, at: learner.now)
                        ? nil : learner.deadlineText(dueAt))
            }
        }
    }
}
