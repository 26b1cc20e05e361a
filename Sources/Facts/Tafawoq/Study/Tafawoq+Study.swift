package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A study time (R44).
    package struct StudyRow: Record {
        package var student = StudentID.none
        package var scheduledAt = Instant.epoch
        package var startsAt = Instant.epoch
        package var `repeat` = Study.Repetition.empty
        package var leadSeconds = 0
        package var remindedAt: Instant?
        package var isCancelled = false

        package init() {}
    }
}

extension Tafawoq.State {
    static func studyRoutes(_ routes: inout Routes<Tafawoq.State>) {
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

    /// Sets the reminders of all study times of a student again (R44).
    func setStudyReminders(of student: Tafawoq.StudentID, _ cause: Position) {
        for study in students.read(student, { $0.studies }) ?? [] {
            setStudyReminder(study, cause)
        }
    }

    /// Sets the timer of the next reminder, or cancels it (R44).
    func setStudyReminder(_ study: Tafawoq.StudyID, _ cause: Position) {
        guard let stream = knownStream(of: study) else { return }
        guard let due = nextReminder(of: study) else {
            return timers.cancel(Tafawoq.TimerName.studyReminder, on: stream)
        }
        timers.set(
            [.init(Tafawoq.TimerName.studyReminder, due: due, cause: cause)], on: stream)
    }

    /// When the next reminder of a study time is due; nil if none will be (R44).
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
