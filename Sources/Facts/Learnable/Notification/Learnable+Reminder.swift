package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The reminders that come at a local time (R44); the number is their index in a student's row.
    package enum ReminderKind: Int, CaseIterable {
        case dailyQuiz = 0
        case study
        case quickQuiz

        package init?(_ notification: Notification.Kind) {
            switch notification {
            case .dailyQuizReminder: self = .dailyQuiz
            case .studyReminder: self = .study
            case .quickQuizReminder: self = .quickQuiz
            default: return nil
            }
        }

        package init?(timer: String) {
            guard let kind = Notification.Kind(rawValue: timer) else { return nil }
            self.init(kind)
        }

        package var notification: Notification.Kind {
            switch self {
            case .dailyQuiz: .dailyQuizReminder
            case .study: .studyReminder
            case .quickQuiz: .quickQuizReminder
            }
        }

        /// The timer has the notification's name.
        package var timer: String { notification.rawValue }

        fileprivate func clock(_ policy: Policy) -> ClockTime {
            switch self {
            case .dailyQuiz: policy.dailyQuizAt
            case .study: policy.studyAt
            case .quickQuiz: policy.quickQuizAt
            }
        }

        fileprivate func isWanted(_ epoch: borrowing EpochRow) -> Bool {
            switch self {
            case .dailyQuiz: epoch.wantsDailyQuiz
            case .study: epoch.wantsStudy
            case .quickQuiz: epoch.wantsQuickQuiz
            }
        }
    }
}

extension Learnable.State {
    static func reminderRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Reminders.Configured.self) { state, event, _ in
            state.changeEpoch(of: event.student) {
                $0.wantsDailyQuiz = event.dailyQuiz
                $0.wantsStudy = event.study
                $0.wantsQuickQuiz = event.quickQuiz
                $0.quickQuizFrequency = event.quickQuizFrequency
            }
        }
    }
}

extension Learnable.Policy {
    /// Whether a reminder may be due at another moment than under the former values (R44).
    func remindsOtherwise(than former: Self) -> Bool {
        Learnable.ReminderKind.allCases.contains { $0.clock(self) != $0.clock(former) }
            || studyMinutes != former.studyMinutes || studyWhen != former.studyWhen
            || quietAfterDays != former.quietAfterDays || afterTrial != former.afterTrial
            || leastForOptionalQuiz != former.leastForOptionalQuiz
    }
}

extension Learnable.State {
    /// Sets the reminder timers to what follows from the events so far (R44).
    func setReminders(of student: Learnable.StudentID, cause: Position) {
        let found = students.read(student) { row in
            (stream: row.stream.symbol, changes: changedReminders(row))
        }
        guard let found, !found.changes.isEmpty else { return }
        for (kind, due) in found.changes {
            students.updateExisting(student) { $0.reminders[kind.rawValue] = due }
            if let due {
                timers.set([.init(kind.timer, due: due, cause: cause)], on: found.stream)
            } else {
                timers.cancel(kind.timer, on: found.stream)
            }
        }
    }

    /// The reminders whose timers are not set to when they are due.
    private func changedReminders(
        _ row: borrowing Learnable.StudentRow
    ) -> [(kind: Learnable.ReminderKind, due: Instant?)] {
        guard row.isActive else { return [] }
        return epochs.read(row.epoch) { epoch in
            // Asked after every event of a student: nothing is copied while nothing changes.
            let wait = reminderWait(row, epoch)
            var changes: [(kind: Learnable.ReminderKind, due: Instant?)] = []
            for kind in Learnable.ReminderKind.allCases {
                var due: Instant?
                if let wait { due = reminder(kind, row, epoch, wait)?.due }
                if due != row.reminders[kind.rawValue] { changes.append((kind, due)) }
            }
            return changes
        } ?? []
    }

    /// The earliest day on which a reminder of the kind is due, and its instant; nil without one (R44).
    package func reminder(
        _ kind: Learnable.ReminderKind, of student: Learnable.StudentID
    ) -> (day: LocalDate, due: Instant)? {
        students.read(student) { row in
            guard row.isActive else { return nil }
            return epochs.read(row.epoch) { epoch in
                guard let wait = reminderWait(row, epoch) else { return nil }
                return reminder(kind, row, epoch, wait)
            } ?? nil
        } ?? nil
    }

    /// When a student's next reminders may be due, of whatever kind.
    private struct ReminderWait {
        let zone: TimeZoneRules
        let opened: Instant
        let earliest: Instant
        let days: ClosedRange<LocalDate>
    }

    /// Nil if none may be due (R44).
    private func reminderWait(
        _ row: borrowing Learnable.StudentRow, _ epoch: borrowing Learnable.EpochRow
    ) -> ReminderWait? {
        guard let opened = epoch.opened else { return nil }
        let zone = zone(row.zone)
        let earliest = max(row.latest, policyMoments.read(.only) { $0.latest } ?? .epoch)
        // Bounded even if an imported policy is not.
        let last = opened.day.adding(days: min(policy.quietAfterDays, 365))
        // A clock change may put an instant on a neighbouring date.
        let first = zone.localDate(at: earliest).adding(days: -1)
        guard first <= last else { return nil }
        return ReminderWait(
            zone: zone, opened: opened.at, earliest: earliest, days: first...last)
    }

    private func reminder(
        _ kind: Learnable.ReminderKind, _ row: borrowing Learnable.StudentRow,
        _ epoch: borrowing Learnable.EpochRow, _ wait: ReminderWait
    ) -> (day: LocalDate, due: Instant)? {
        guard kind.isWanted(epoch) else { return nil }
        var day = wait.days.lowerBound
        switch kind {
        case .dailyQuiz:
            guard let first = epoch.dueDays.first?.day else { return nil }
            day = max(day, first)
        case .quickQuiz: if epoch.inPool < policy.leastForOptionalQuiz { return nil }
        case .study: break
        }
        let clock = kind.clock(policy).secondOfDay
        while day <= wait.days.upperBound {
            let due = wait.zone.localInstant(of: day, secondOfDay: clock)
            if due >= wait.earliest, due > wait.opened {
                // Access only ever ends as time goes by.
                guard admitsQuiz(row.access(at: due)) else { return nil }
                if isDue(kind, on: day, epoch, row.epoch, policy) { return (day, due) }
            }
            day = day.adding(days: 1)
        }
        return nil
    }

    private func isDue(
        _ kind: Learnable.ReminderKind, on day: LocalDate,
        _ epoch: borrowing Learnable.EpochRow, _ number: Ordinal, _ policy: Learnable.Policy
    ) -> Bool {
        guard !epoch.reminded[kind.rawValue].contains(day) else { return false }
        switch kind {
        case .dailyQuiz: return !epoch.hasCompleted(day)
        case .study:
            let seconds = studies.read(number) { $0.seconds(on: day) } ?? 0
            return policy.studyWhen == .noStudy
                ? seconds == 0 : seconds < policy.studyMinutes.multipliedClamping(60)
        case .quickQuiz:
            let days = epoch.quickQuizFrequency == .daily ? 0 : 6
            let range = day.adding(days: -days)...day
            return !epoch.optionalDays.hasAny(in: range)
                && !epoch.reminded[kind.rawValue].hasAny(in: range)
        }
    }
}
