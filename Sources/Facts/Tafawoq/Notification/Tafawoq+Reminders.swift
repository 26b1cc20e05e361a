package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// When policy values that reminders depend on were last adopted (R43 to R45).
    package struct AdoptionRow: Record {
        /// The last adoptions that name a value of the week or of reminders, the mode, the days.
        package var reminderAt: Instant?
        package var modeAt: Instant?
        package var inactiveDaysAt: Instant?

        package init() {}
    }
}

extension Tafawoq.State {
    /// The weekly limit depends on exams that end and on the tier, and the exam reminder on the limit: it calls
    /// to no exam that would be refused (R43).
    static func limitRoutes(_ routes: inout Routes<Tafawoq.State>) {
        reconsider(Tafawoq.Exam.Completed.self) { $0.student }
        reconsider(Tafawoq.Exam.Abandoned.self) { $0.student }
        reconsider(Tafawoq.Exam.Expired.self) { $0.student }
        reconsider(Tafawoq.Subscription.TrialStarted.self) { $0.student }
        reconsider(Tafawoq.Subscription.Activated.self) { $0.student }
        reconsider(Tafawoq.Subscription.Renewed.self) { $0.student }
        reconsider(Tafawoq.Subscription.Cancelled.self) { $0.student }
        reconsider(Tafawoq.Subscription.Downgraded.self) { $0.student }
        reconsider(Tafawoq.Renewal.Requested.self) { $0.student }
        reconsider(Tafawoq.Renewal.Failed.self) { $0.student }

        func reconsider<P: Payload>(
            _ type: P.Type, _ student: @escaping @Sendable (P) -> Tafawoq.StudentID
        ) {
            routes.also(type) { state, event, metadata in
                state.reconsiderReminder(of: student(event), metadata)
            }
        }
    }

    /// Sets the timers of a topic that was switched on or off (R42).
    func setTimers(
        of topic: Tafawoq.Topic, _ student: Tafawoq.StudentID, _ cause: Position
    ) {
        switch topic {
        case .examReminder:
            setReminder(of: student, cause)
            setStudyReminders(of: student, cause)
        case .engagement: prompts.mark(student, cause: cause)
        case .milestone: break
        }
    }

    /// Notes the latest activity, which puts off the inactivity prompt (R45).
    func noteActivity(_ student: Tafawoq.StudentID, _ metadata: EventMetadata) {
        students.updateExisting(student) {
            $0.activeAt = max($0.activeAt ?? metadata.at, metadata.at)
        }
        prompts.mark(student, cause: metadata.position)
    }

    /// Sets the exam reminder again after a change of what the limit depends on; what was due before that is
    /// not made up for (R43).
    func reconsiderReminder(of student: Tafawoq.StudentID, _ metadata: EventMetadata) {
        setReminder(of: student, metadata.position, from: metadata.at)
    }

    /// Sets the timer of the weekly exam reminder again: the first due instant of a week strictly after
    /// all that restarts the wait, not before `earliest`, at which the limit is not used up (R43).
    func setReminder(
        of student: Tafawoq.StudentID, _ cause: Position, from earliest: Instant = .epoch
    ) {
        let stream = notificationStream(of: student)
        guard let row = students[student], !row.isErased, let completedAt = row.profileCompletedAt,
            row.isEnabled(.examReminder), policy.reminderMode != .scheduled
        else { return timers.cancel(Tafawoq.TimerName.examReminder, onNamed: stream) }
        let latest = [
            row.remindersEnabledAt, row.remindedAt, adoptions[.only]?.reminderAt,
            earliest.adding(milliseconds: -1),
        ].reduce(completedAt) { max($0, $1 ?? $0) }
        var due = week(of: latest).start + Int64(policy.reminderWeekSecond)
        if due <= latest { due += 7 * Tafawoq.day }
        while case let tier = tier(of: student, at: due), let limit = weeklyLimit(tier),
            used(by: student, tier, at: due) >= limit
        {
            // Who may never sit one is never reminded.
            if limit == 0, tier == .free {
                return timers.cancel(Tafawoq.TimerName.examReminder, onNamed: stream)
            }
            due += 7 * Tafawoq.day
        }
        timers.set(
            .init(Tafawoq.TimerName.examReminder, due: due, cause: cause), onNamed: stream)
    }

    /// When a student who stays away is prompted; nil if they are not (R45). Whatever changes an answer marks the
    /// student in `prompts`.
    func promptDue(_ student: Tafawoq.StudentID) -> Instant? {
        students.read(student) { promptDue($0) } ?? nil
    }

    private func promptDue(_ row: borrowing Tafawoq.StudentRow) -> Instant? {
        guard !row.isErased, row.profileCompletedAt != nil, row.isEnabled(.engagement),
            let activeAt = row.activeAt, let days = policy.engagementInactiveDays
        else { return nil }
        let latest = max(activeAt, row.engagementEnabledAt ?? activeAt)
        if let engagedAt = row.engagedAt, engagedAt > latest { return nil }
        let due = latest + days
        let adoptedAt = adoptions.read(.only) { $0.inactiveDaysAt } ?? nil
        return adoptedAt.map { max(due, $0) } ?? due
    }
}
