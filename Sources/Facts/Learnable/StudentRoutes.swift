package import Core
import Folding
package import LearnableEvents

extension Learnable.State {
    static func studentRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Student.Joined.self) { $0.joined($1, $2) }
        routes.fold(Learnable.Student.Relocated.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.zone = event.to }
        }
        routes.fold(Learnable.Student.StartedOver.self) { $0.startedOver($1, $2) }
        routes.fold(Learnable.Account.Deleted.self) { state, event, metadata in
            state.end(event.student, at: metadata.at)
        }
        routes.on(AccountErased.self) { $0.erased($1, $2) }
        routes.fold(Learnable.App.Opened.self) { state, event, metadata in
            state.changeEpoch(of: event.student) { epoch in
                epoch.opened = .with {
                    $0.at = metadata.at
                    $0.day = event.day
                    $0.landing = event.landing
                }
                epoch.openDays.insert(event.day)
            }
        }
        routes.fold(Learnable.Study.Recorded.self) { state, event, _ in state.recorded(event) }
        routes.fold(Learnable.Download.Made.self) { _, _, _ in }
        routes.fold(Learnable.Notification.Raised.self) { $0.raised($1, $2) }
    }

    private func joined(_ event: Learnable.Student.Joined, _ metadata: EventMetadata) {
        let epoch = beginEpoch(of: event.student)
        students.update(event.student) {
            $0.stream = Word(metadata.stream)
            $0.zone = event.timeZone
            $0.joinedAt = metadata.at
            $0.epoch = epoch
        }
    }

    private func beginEpoch(of student: Learnable.StudentID) -> Ordinal {
        let number = epochCounts.update(.only) { counts in
            counts.count += 1
            return counts.count
        }
        let epoch = Ordinal(number)
        epochs.update(epoch) { $0.student = student }
        return epoch
    }

    /// R45: everything of the epoch is left behind, its key is destroyed.
    private func startedOver(_ event: Learnable.Student.StartedOver, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        endedKeys.insert(.init(), at: Learnable.StudentID(metadata.subject))
        leaveEpoch(of: event.student)
        let epoch = beginEpoch(of: event.student)
        students.updateExisting(event.student) {
            $0.epoch = epoch
            $0.epochNumber = event.epoch
        }
    }

    /// What the epoch had waiting is gone, and what is personal with it.
    private func leaveEpoch(of student: Learnable.StudentID) {
        guard let number = students.read(student, { $0.epoch }), let epoch = epochs[number] else {
            return
        }
        for draft in epoch.drafts { cancelExpiry(of: draft) }
        epochs.updateExisting(number) {
            $0.name = nil
            $0.occupation = nil
            $0.workplace = nil
            $0.bio = nil
        }
    }

    /// R46: the account is gone; what the trial rule needs, the sales and sold copies stay.
    private func end(_ student: Learnable.StudentID, at instant: Instant) {
        guard let row = students[student], row.isActive else { return }
        leaveEpoch(of: student)
        for offer in row.openOffers {
            close(offer, .accountDeleted)
        }
        timers.cancelAll(on: row.stream.symbol)
        students.updateExisting(student) {
            $0.deletedAt = instant
            $0.openOffers = []
            $0.trial = nil
            $0.subscription = nil
            $0.reminders = [nil, nil, nil]
        }
    }

    /// R46: an erasure has the effect of a deletion.
    private func erased(_ event: AccountErased, _ metadata: EventMetadata) {
        let subject = names.text(event.subject)
        let prefix = "\(Learnable.product)/"
        guard subject.hasPrefix(prefix),
            let symbol = names.known(String(subject.dropFirst(prefix.count)))
        else { return }
        let student = Learnable.StudentID(symbol)
        guard students.contains(student) else { return }
        endedKeys.insert(.init(), at: Learnable.StudentID(metadata.subject))
        end(student, at: metadata.at)
    }

    private func recorded(_ event: Learnable.Study.Recorded) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        studies.update(epoch) { row in
            for share in event.days { row.add(share.seconds, on: share.day) }
            row.add(event.from, event.to)
        }
        let place = epochs.update(epoch) { row in
            row.studySeconds = row.studySeconds.addingClamping(event.seconds)
            row.studies += 1
            return row.studies - 1
        }
        studyEntries.append(
            .with {
                $0.activity = event.activity
                $0.subject = event.subject
                $0.from = event.from
                $0.to = event.to
                $0.seconds = event.seconds
                $0.days = event.days
            }, to: epoch, at: place)
    }

    private func raised(_ event: Learnable.Notification.Raised, _ metadata: EventMetadata) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        let place = epochs.update(epoch) { row in
            if let kind = Learnable.ReminderKind(event.notification) {
                row.reminded[kind.rawValue].insert(event.day)
            }
            row.notices += 1
            return row.notices - 1
        }
        notices.append(
            .with {
                $0.at = metadata.at
                $0.day = event.day
                $0.facts = event.facts
                $0.notification = event.notification
                $0.target = event.target
            }, to: epoch, at: place)
    }
}

extension Learnable.State {
    package func zone(of student: Learnable.StudentID) -> TimeZoneRules {
        students.read(student) { $0.zone }?.rules(names) ?? .utc
    }

    /// R1: the calendar date of an instant in the student's zone in force.
    package func day(of student: Learnable.StudentID, at instant: Instant) -> LocalDate {
        zone(of: student).localDate(at: instant)
    }
}
