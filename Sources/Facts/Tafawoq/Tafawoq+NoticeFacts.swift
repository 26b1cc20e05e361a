package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.State {
    static func noticeRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Milestone.Reached.self) { state, event, metadata in
            guard let count = state.students.read(event.student, { $0.milestones.count }) else {
                return
            }
            var row = Tafawoq.MilestoneRow()
            row.milestone = event.milestone
            row.at = metadata.at
            row.value = event.value
            state.milestones.append(row, to: event.student, at: count)
            state.students.updateExisting(event.student) { $0.milestones.append(event.milestone) }
        }
        routes.on(Tafawoq.Notification.Raised.self) { $0.raised($1, $2) }
        routes.on(Tafawoq.Notification.Enabled.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                row.disabledTopics.removeAll { $0 == event.topic }
                switch event.topic {
                case .examReminder: row.remindersEnabledAt = metadata.at
                case .engagement: row.engagementEnabledAt = metadata.at
                case .milestone: break
                }
            }
            state.setTimers(of: event.topic, event.student, metadata.position)
        }
        routes.on(Tafawoq.Notification.Disabled.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                if !row.disabledTopics.contains(event.topic) {
                    row.disabledTopics.append(event.topic)
                }
            }
            state.setTimers(of: event.topic, event.student, metadata.position)
        }
        routes.on(Tafawoq.Notification.Dispatched.self) { state, event, _ in
            state.notices.updateExisting(.init(event.student, Ordinal(event.number))) {
                $0.isDispatched = true
            }
        }
        routes.on(Tafawoq.Notification.Opened.self) { state, event, _ in
            state.notices.updateExisting(.init(event.student, Ordinal(event.number))) {
                $0.isOpened = true
            }
        }
        routes.on(Tafawoq.Study.Scheduled.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.studies.update(event.study) {
                $0.student = event.student
                $0.scheduledAt = metadata.at
                $0.startsAt = event.startsAt
                $0.repeat = event.repeat
                $0.leadSeconds = event.leadSeconds
            }
            state.students.updateExisting(event.student) { $0.studies.append(event.study) }
            state.setStudyReminder(event.study, metadata.position)
        }
        routes.on(Tafawoq.Study.Cancelled.self) { state, event, metadata in
            state.studies.updateExisting(event.study) { $0.isCancelled = true }
            state.timers.cancelAll(on: metadata.stream)
        }
    }

    private func raised(_ event: Tafawoq.Notification.Raised, _ metadata: EventMetadata) {
        guard let told = students.read(event.student, { $0.told }) else { return }
        let key = Pair(event.student, Ordinal(event.number))
        let isNew = !notices.contains(key)
        if isNew { noticeNumbers.append(key.second, to: event.student, at: told) }
        notices.update(key) {
            $0.type = event.type
            $0.at = metadata.at
            $0.target = event.target
            $0.channels = event.channels
            $0.facts = event.facts
        }
        students.updateExisting(event.student) {
            $0.notices = max($0.notices, event.number)
            if isNew { $0.told += 1 }
            switch event.type {
            case .examReminder: $0.remindedAt = metadata.at
            case .engagement: $0.engagedAt = max($0.engagedAt ?? metadata.at, metadata.at)
            default: break
            }
        }
        switch event.type {
        case .examReminder: setReminder(of: event.student, metadata.position)
        case .engagement: setInactivity(of: event.student, metadata.position)
        case .studyReminder:
            guard let text = event.facts.value["study"]?.string, let symbol = names.known(text)
            else { return }
            let study = Tafawoq.StudyID(symbol)
            studies.updateExisting(study) { $0.remindedAt = metadata.at }
            setStudyReminder(study, metadata.position)
        default: break
        }
    }

    private func setTimers(
        of topic: Tafawoq.Topic, _ student: Tafawoq.StudentID, _ cause: Position
    ) {
        switch topic {
        case .examReminder:
            setReminder(of: student, cause)
            setStudyReminders(of: student, cause)
        case .engagement: setInactivity(of: student, cause)
        case .milestone: break
        }
    }

    /// R45: the latest activity.
    func wasActive(_ student: Tafawoq.StudentID, _ metadata: EventMetadata) {
        students.updateExisting(student) {
            $0.activeAt = max($0.activeAt ?? metadata.at, metadata.at)
        }
        setInactivity(of: student, metadata.position)
    }

    // MARK: When reminders are due

    /// R43: the first instant of a week strictly after all that begins the wait anew.
    func setReminder(of student: Tafawoq.StudentID, _ cause: Position) {
        let stream = noticeStream(of: student)
        guard let row = students[student], !row.isErased, let completedAt = row.profileCompletedAt,
            row.isEnabled(.examReminder), policy.reminderMode != .scheduled
        else { return timers.cancel(Tafawoq.TimerName.examReminder, onNamed: stream) }
        let latest = [
            row.remindersEnabledAt, row.remindedAt, adoptions[.only]?.reminderAt,
        ].reduce(completedAt) { max($0, $1 ?? $0) }
        var due = week(of: latest).start + Int64(policy.reminderWeekSecond)
        if due <= latest { due += 7 * Tafawoq.day }
        timers.set(
            .init(Tafawoq.TimerName.examReminder, due: due, cause: cause), onNamed: stream)
    }

    /// R45
    func setInactivity(of student: Tafawoq.StudentID, _ cause: Position) {
        let due = students.read(student) { promptDue($0) } ?? nil
        let stream = noticeStream(of: student)
        guard let due else { return timers.cancel(Tafawoq.TimerName.inactivity, onNamed: stream) }
        timers.set(.init(Tafawoq.TimerName.inactivity, due: due, cause: cause), onNamed: stream)
    }

    /// R45: when a student who stays away is prompted; nil if they are not.
    private func promptDue(_ row: borrowing Tafawoq.StudentRow) -> Instant? {
        guard !row.isErased, row.profileCompletedAt != nil, row.isEnabled(.engagement),
            let activeAt = row.activeAt
        else { return nil }
        let latest = max(activeAt, row.engagementEnabledAt ?? activeAt)
        if let engagedAt = row.engagedAt, engagedAt > latest { return nil }
        let due = latest + Tafawoq.days(policy.engagementInactiveDays)
        let adoptedAt = adoptions.read(.only) { $0.inactiveDaysAt } ?? nil
        return adoptedAt.map { max(due, $0) } ?? due
    }

    func setStudyReminders(of student: Tafawoq.StudentID, _ cause: Position) {
        for study in students.read(student, { $0.studies }) ?? [] {
            setStudyReminder(study, cause)
        }
    }

    private func setStudyReminder(_ study: Tafawoq.StudyID, _ cause: Position) {
        guard let stream = knownStream("study", study) else { return }
        guard let due = nextReminder(of: study) else {
            return timers.cancel(Tafawoq.TimerName.studyReminder, on: stream)
        }
        timers.set(
            [.init(Tafawoq.TimerName.studyReminder, due: due, cause: cause)], on: stream)
    }

    /// R44: when the next reminder of a study time is due; nil if none will be.
    package func nextReminder(of study: Tafawoq.StudyID) -> Instant? {
        guard let row = studies[study], !row.isCancelled, let student = students[row.student],
            !student.isErased, student.isEnabled(.examReminder), policy.reminderMode != .weekly
        else { return nil }
        let latest = [
            row.remindedAt, student.remindersEnabledAt, adoptions[.only]?.modeAt,
        ].reduce(row.scheduledAt) { max($0, $1 ?? $0) }
        var first = row.startsAt - Int64(row.leadSeconds)
        let step: Int64
        switch row.repeat {
        case .once:
            if first <= row.scheduledAt { first = row.startsAt }
            return first > latest ? first : nil
        case .daily: step = Tafawoq.day * 1000
        case .weekly: step = 7 * Tafawoq.day * 1000
        }
        guard first <= latest else { return first }
        let passed = latest.milliseconds(since: first) / step + 1
        return first.adding(milliseconds: passed.multipliedClamping(step))
    }
}

extension Tafawoq.StudentRow {
    /// R42: all topics are enabled at first.
    package func isEnabled(_ topic: Tafawoq.Topic) -> Bool { !disabledTopics.contains(topic) }
}
