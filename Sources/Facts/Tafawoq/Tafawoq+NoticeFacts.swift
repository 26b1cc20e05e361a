package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.Centre {
    static func noticeRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Milestone.Reached.self) { centre, fact, event in
            guard let count = centre.students.read(fact.student, { $0.milestones.count }) else {
                return
            }
            var row = Tafawoq.MilestoneRow()
            row.milestone = fact.milestone
            row.at = event.at
            row.value = fact.value
            centre.milestones.append(row, to: fact.student, at: count)
            centre.students.updateExisting(fact.student) { $0.milestones.append(fact.milestone) }
        }
        routes.on(Tafawoq.Notification.Raised.self) { $0.raised($1, $2) }
        routes.on(Tafawoq.Notification.Enabled.self) { centre, fact, event in
            centre.students.updateExisting(fact.student) { row in
                row.disabledTopics.removeAll { $0 == fact.topic }
                switch fact.topic {
                case .examReminder: row.remindersEnabledAt = event.at
                case .engagement: row.engagementEnabledAt = event.at
                case .milestone: break
                }
            }
            centre.setTimers(of: fact.topic, fact.student, event.position)
        }
        routes.on(Tafawoq.Notification.Disabled.self) { centre, fact, event in
            centre.students.updateExisting(fact.student) { row in
                if !row.disabledTopics.contains(fact.topic) {
                    row.disabledTopics.append(fact.topic)
                }
            }
            centre.setTimers(of: fact.topic, fact.student, event.position)
        }
        routes.on(Tafawoq.Notification.Dispatched.self) { centre, fact, _ in
            centre.notices.updateExisting(.init(fact.student, Ordinal(fact.number))) {
                $0.isDispatched = true
            }
        }
        routes.on(Tafawoq.Notification.Opened.self) { centre, fact, _ in
            centre.notices.updateExisting(.init(fact.student, Ordinal(fact.number))) {
                $0.isOpened = true
            }
        }
        routes.on(Tafawoq.Study.Scheduled.self) { centre, fact, event in
            guard centre.students.contains(fact.student) else { return }
            centre.studies.update(fact.study) {
                $0.student = fact.student
                $0.scheduledAt = event.at
                $0.startsAt = fact.startsAt
                $0.repeat = fact.repeat
                $0.leadSeconds = fact.leadSeconds
            }
            centre.students.updateExisting(fact.student) { $0.studies.append(fact.study) }
            centre.setStudyReminder(fact.study, event.position)
        }
        routes.on(Tafawoq.Study.Cancelled.self) { centre, fact, event in
            centre.studies.updateExisting(fact.study) { $0.isCancelled = true }
            centre.timers.cancelAll(on: event.stream)
        }
    }

    private func raised(_ fact: Tafawoq.Notification.Raised, _ event: Circumstances) {
        guard let told = students.read(fact.student, { $0.told }) else { return }
        let key = Pair(fact.student, Ordinal(fact.number))
        let isNew = !notices.contains(key)
        if isNew { noticeNumbers.append(key.second, to: fact.student, at: told) }
        notices.update(key) {
            $0.type = fact.type
            $0.at = event.at
            $0.target = fact.target
            $0.channels = fact.channels
            $0.facts = fact.facts
        }
        students.updateExisting(fact.student) {
            $0.notices = max($0.notices, fact.number)
            if isNew { $0.told += 1 }
            switch fact.type {
            case .examReminder: $0.remindedAt = event.at
            case .engagement: $0.engagedAt = max($0.engagedAt ?? event.at, event.at)
            default: break
            }
        }
        switch fact.type {
        case .examReminder: setReminder(of: fact.student, event.position)
        case .engagement: setInactivity(of: fact.student, event.position)
        case .studyReminder:
            guard let text = fact.facts.value["study"]?.string, let symbol = names.known(text)
            else { return }
            let study = Tafawoq.StudyID(symbol)
            studies.updateExisting(study) { $0.remindedAt = event.at }
            setStudyReminder(study, event.position)
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
    func wasActive(_ student: Tafawoq.StudentID, _ event: Circumstances) {
        students.updateExisting(student) { $0.activeAt = max($0.activeAt ?? event.at, event.at) }
        setInactivity(of: student, event.position)
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
