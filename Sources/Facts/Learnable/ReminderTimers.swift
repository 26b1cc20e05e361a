package import Events

extension Learnable {
    /// The reminders that come at a local time (R44); the number is the place in a student's row.
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

extension Learnable.Policy {
    /// R44: whether a reminder may be due at another moment than under the former values.
    func remindsOtherwise(than former: Self) -> Bool {
        Learnable.ReminderKind.allCases.contains { $0.clock(self) != $0.clock(former) }
            || studyMinutes != former.studyMinutes || studyWhen != former.studyWhen
            || quietAfterDays != former.quietAfterDays || afterTrial != former.afterTrial
    }
}

extension Learnable.Academy {
    /// R44: the reminders follow whatever was just folded.
    func setReminders(of student: Learnable.StudentID, cause: Position) {
        guard let row = students[student], row.isActive else { return }
        for kind in Learnable.ReminderKind.allCases {
            let due = reminder(kind, of: student)?.due
            guard due != row.reminders[kind.rawValue] else { continue }
            students.updateExisting(student) { $0.reminders[kind.rawValue] = due }
            if let due {
                timers.set(
                    [.init(kind.timer, due: due, cause: cause)], on: row.stream.symbol)
            } else {
                timers.cancel(kind.timer, on: row.stream.symbol)
            }
        }
    }

    /// R44: the earliest day on which a reminder of the kind is due, and its instant; nil without one.
    package func reminder(
        _ kind: Learnable.ReminderKind, of student: Learnable.StudentID
    ) -> (day: LocalDate, due: Instant)? {
        guard let row = students[student], row.isActive else { return nil }
        return epochs.read(row.epoch) { reminder(kind, row, $0) } ?? nil
    }

    private func reminder(
        _ kind: Learnable.ReminderKind, _ row: Learnable.StudentRow,
        _ epoch: borrowing Learnable.EpochRow
    ) -> (day: LocalDate, due: Instant)? {
        guard kind.isWanted(epoch), let opened = epoch.opened else { return nil }
        switch kind {
        case .dailyQuiz: if epoch.dueDays.isEmpty { return nil }
        case .quickQuiz: if epoch.inPool == 0 { return nil }
        case .study: break
        }
        let policy = policy
        let zone = row.zone.rules(names)
        let clock = kind.clock(policy).secondOfDay
        let earliest = max(row.latest, policyMoments[.only]?.latest ?? .epoch)
        // No more than the policy may say, whatever an imported one does.
        let last = opened.day.adding(days: min(policy.quietAfterDays, 365))
        // A clock change may put an instant on a neighbouring date.
        var day = zone.localDate(at: earliest).adding(days: -1)
        if kind == .dailyQuiz, let first = epoch.dueDays.first?.day { day = max(day, first) }
        while day <= last {
            let due = zone.localInstant(of: day, secondOfDay: clock)
            if due >= earliest, due > opened.at {
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

extension TimeZoneRules {
    /// R2: of two such instants the earlier; where there is none, the instant at which the gap ends.
    package func localInstant(of date: LocalDate, secondOfDay: Int32 = 0) -> Instant {
        let found = instant(of: date, secondOfDay: secondOfDay)
        let wanted = Int64(date.days) * 86_400 + Int64(secondOfDay)
        let shown = found.seconds + Int64(offsetSeconds(at: found))
        guard shown != wanted else { return found }
        // In a gap: the clock jumps over the wanted time between these two.
        var low = found.seconds - 172_800
        var high = found.seconds + 172_800
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let time = middle + Int64(offsetSeconds(at: Instant(seconds: middle)))
            if time < wanted { low = middle } else { high = middle }
        }
        return Instant(seconds: high)
    }
}
