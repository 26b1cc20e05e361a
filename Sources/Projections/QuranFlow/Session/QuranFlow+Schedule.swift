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

        private struct Day {
            let date: LocalDate
            let sessions: [FoundSession]
            let deadlines: [Int]
        }

        /// Nil for a week that the enrolment does not have.
        init?(_ learner: Learner, week asked: Int?, kind: Session.Kind?) {
            self.learner = learner
            self.kind = kind
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
            let shown = asked ?? enrollment.currentWeek(at: learner.now)
            guard enrollment.isWeek(shown) else { return nil }
            let start = learner.state.semesters.read(enrollment.semester) { $0.startsOn }
            days = Self.sevenDays(
                from: (start ?? .epoch).adding(days: 7 * (shown - 1)), learner, kind)
            title = "Week \(shown)"
            week = shown
            weeks = enrollment.weeks
            emptyText = nil
        }

        // MARK: Days

        /// Seven dates; a session belongs to the local date of its start (R28).
        private static func sevenDays(
            from first: LocalDate, _ learner: Learner, _ kind: Session.Kind?
        ) -> [Day] {
            let formatter = learner.formatter
            let eligibility = learner.state.eligibility(of: learner.id)
            // Half a day more on each side: a date is not the same 24 hours everywhere.
            let sessions = learner.inOrder(
                learner.state.sessions(
                    from: formatter.start(of: first) - 43_200,
                    before: formatter.start(of: first.adding(days: 7)) + 43_200
                ).filter { (kind ?? $0.row.kind) == $0.row.kind && eligibility.covers($0.row) })
            let enrollment = learner.current?.row
            return (0..<7).map { offset in
                let date = first.adding(days: offset)
                let due = enrollment.map { row in
                    row.isActive
                        ? (1...max(1, row.weeks)).filter {
                            formatter.date(of: row.dueAt($0)) == date
                        } : []
                }
                return Day(
                    date: date,
                    sessions: sessions.filter { formatter.date(of: $0.row.startsAt) == date },
                    deadlines: due ?? [])
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
                output.member("previousWeek", week.flatMap { $0 > 1 ? $0 - 1 : nil })
                output.member("student", learner.id)
                output.member("timeZone", learner.formatter.zone)
                output.member("title", title)
                output.member("week", week)
                output.member("weeks", weeks)
            }
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
            return learner.openSessions().first { (kind ?? $0.row.kind) == $0.row.kind }
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
