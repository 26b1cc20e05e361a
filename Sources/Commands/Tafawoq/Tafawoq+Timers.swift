import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

/// What each timer does when it is due (page, Timers).
extension DecisionContext<Tafawoq> {
    /// The thing that a timer is about follows from its stream.
    func fire(_ timer: DueTimer) {
        let stream = timer.stream.text(in: names)
        let parts = stream.split(separator: "/")
        guard parts.count == 3, let symbol = names.known(String(parts[2])) else { return }
        let noun = String(parts[1])
        switch timer.name {
        case Tafawoq.TimerName.generationOverdue:
            failOverdue(.init(noun == "exam" ? .exam : .practice, .init(symbol)))
        case Tafawoq.TimerName.examTimeUp: expire(.exam(.init(symbol)))
        case Tafawoq.TimerName.resumeWindow: closeResumeWindow(.exam(.init(symbol)))
        case Tafawoq.TimerName.sessionExpiry: expire(Tafawoq.SessionID(symbol))
        case Tafawoq.TimerName.periodEnd: endPeriod(of: .init(symbol))
        case Tafawoq.TimerName.renewalRetry: retryRenewal(of: .init(symbol))
        case Tafawoq.TimerName.accessEnd: endAccess(of: .init(symbol))
        case Tafawoq.TimerName.examReminder: remindOfExam(.init(symbol))
        case Tafawoq.TimerName.studyReminder: remindOfStudy(.init(symbol))
        case Tafawoq.TimerName.inactivity: promptInactive(.init(symbol))
        default: return
        }
    }

    // MARK: Exams and practices

    /// Fails a generation that was not delivered by `generateBy` (R24).
    private func failOverdue(_ key: Tafawoq.SittingKey) {
        guard let row = state.sittings[key], row.stage == .generating, state.exists(row.student)
        else { return }
        fail(key, row, .timeout, attempts: row.refused + 1)
    }

    /// Fails the generation of an exam or practice, and alerts if there are too many failures (R46).
    func fail(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow,
        _ reason: Tafawoq.Generation.Reason, attempts: Int
    ) {
        record(
            Tafawoq.Generation.Failed(
                of: key.kind,
                id: key.id,
                student: row.student,
                reason: reason,
                attempts: attempts,
                waitedSeconds: at.wholeSeconds(since: row.startedAt)), on: sittingStream(key))
        alertOnFailures(.generationFailures)
    }

    /// Expires an exam that is unfinished at its deadline (R28).
    private func expire(_ key: Tafawoq.SittingKey) {
        guard let row = state.sittings[key], row.stage == .inProgress, state.exists(row.student)
        else { return }
        let sheet = state.sheet(key)
        record(
            Tafawoq.Exam.Expired(
                exam: .init(key.id),
                student: row.student,
                deadline: row.deadline ?? at,
                answered: sheet.answered,
                correct: sheet.correct,
                counts: state.incompleteCounts(row),
                syncUntil: (row.deadline ?? at) + policy.examSyncSeconds),
            on: sittingStream(key))
    }

    /// Abandons an exam that was not resumed in time (R29).
    private func closeResumeWindow(_ key: Tafawoq.SittingKey) {
        guard let row = state.sittings[key], row.stage == .suspended, state.exists(row.student)
        else { return }
        abandon(key, row, .notResumed)
    }

    /// Abandons an exam: left for good, or not resumed (R29).
    func abandon(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, _ reason: Tafawoq.Exam.AbandonReason
    ) {
        let sheet = state.sheet(key)
        record(
            Tafawoq.Exam.Abandoned(
                exam: .init(key.id),
                student: row.student,
                reason: reason,
                answered: sheet.answered,
                correct: sheet.correct,
                counts: state.incompleteCounts(row)), on: sittingStream(key))
    }

    // MARK: Sessions and subscriptions

    /// Ends a session at the end of its life (R8).
    private func expire(_ session: Tafawoq.SessionID) {
        guard let row = state.sessions[session], !row.isEnded, state.exists(row.student) else {
            return
        }
        end(session, of: row.student, .expired)
    }

    /// Asks for payment of the next period (R15), or downgrades a cancelled subscription (R18).
    private func endPeriod(of student: Tafawoq.StudentID) {
        guard let row = state.subscriptions[student], row.isOn, state.exists(student) else {
            return
        }
        if row.endsAt != nil { return downgrade(student, .cancelled, row) }
        guard row.renewal == nil else { return }
        request(
            student, row.periodEnd, attempt: 1,
            accessUntil: row.periodEnd + Int64(policy.graceSeconds))
    }

    /// Asks once more for a payment that failed (R16).
    private func retryRenewal(of student: Tafawoq.StudentID) {
        guard let row = state.subscriptions[student], row.endsAt == nil, let renewal = row.renewal,
            renewal.hasFailed, state.exists(student)
        else { return }
        request(
            student, renewal.period, attempt: renewal.attempt + 1,
            accessUntil: renewal.accessUntil)
    }

    /// Requests the payment of a period (R15, R16).
    private func request(
        _ student: Tafawoq.StudentID, _ period: Instant, attempt: Int, accessUntil: Instant
    ) {
        record(
            Tafawoq.Renewal.Requested(
                student: student,
                period: period,
                attempt: attempt,
                amountMinor: policy.priceMonthlyMinor,
                currency: policy.priceCurrency,
                accessUntil: accessUntil), on: subscriptionStream(of: student))
    }

    /// Downgrades at the end of the grace (R17).
    private func endAccess(of student: Tafawoq.StudentID) {
        guard let row = state.subscriptions[student], row.endsAt == nil, row.renewal != nil,
            state.exists(student)
        else { return }
        downgrade(student, .paymentUnresolved, row)
    }

    /// Ends premium access and notifies the student (R17, R18).
    private func downgrade(
        _ student: Tafawoq.StudentID, _ reason: Tafawoq.Subscription.DowngradeReason,
        _ row: Tafawoq.SubscriptionRow
    ) {
        record(
            Tafawoq.Subscription.Downgraded(
                student: student,
                reason: reason,
                period: row.renewal?.period), on: subscriptionStream(of: student))
        notify(student, .downgraded, [("reason", .string(reason.rawValue))])
    }

    // MARK: Reminders

    /// Reminds of this week's exam (R43).
    private func remindOfExam(_ student: Tafawoq.StudentID) {
        guard state.exists(student), policy.reminderMode != .scheduled else { return }
        notify(student, .examReminder, [("weekStart", state.week(of: at).start.json)])
    }

    /// Reminds of a study time (R44).
    private func remindOfStudy(_ study: Tafawoq.StudyID) {
        guard let row = state.studies[study], !row.isCancelled, policy.reminderMode != .weekly
        else { return }
        let lead =
            row.repeat == .once && row.startsAt - Int64(row.leadSeconds) <= row.scheduledAt
            ? 0 : row.leadSeconds
        notify(
            row.student, .studyReminder,
            [("study", .string(names.text(study))), ("startsAt", (at + Int64(lead)).json)])
    }

    /// Prompts a student who stayed away (R45).
    private func promptInactive(_ student: Tafawoq.StudentID) {
        guard state.exists(student), let days = policy.engagementInactiveDays else { return }
        notify(student, .engagement, [("inactiveDays", .integer(Int64(days.count)))])
    }
}
