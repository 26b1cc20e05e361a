package import Core
import Folding
package import LearnableEvents

extension Learnable.Academy {
    static func studentRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Student.Joined.self) { $0.joined($1, $2) }
        routes.fold(Learnable.Student.Relocated.self) { academy, fact, _ in
            academy.students.updateExisting(fact.student) { $0.zone = fact.to }
        }
        routes.fold(Learnable.Student.StartedOver.self) { $0.startedOver($1, $2) }
        routes.fold(Learnable.Account.Deleted.self) { academy, fact, event in
            academy.end(fact.student, at: event.at)
        }
        routes.on(AccountErased.self) { $0.erased($1, $2) }
        routes.fold(Learnable.App.Opened.self) { academy, fact, event in
            academy.changeEpoch(of: fact.student) { epoch in
                epoch.opened = .with {
                    $0.at = event.at
                    $0.day = fact.day
                    $0.landing = fact.landing
                }
                epoch.openDays.insert(fact.day)
            }
        }
        routes.fold(Learnable.Study.Recorded.self) { academy, fact, _ in academy.recorded(fact) }
        routes.fold(Learnable.Download.Made.self) { _, _, _ in }
        routes.fold(Learnable.Notification.Raised.self) { $0.raised($1, $2) }
    }

    private func joined(_ fact: Learnable.Student.Joined, _ event: Circumstances) {
        let epoch = beginEpoch(of: fact.student)
        students.update(fact.student) {
            $0.stream = Word(event.stream)
            $0.zone = fact.timeZone
            $0.joinedAt = event.at
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
    private func startedOver(_ fact: Learnable.Student.StartedOver, _ event: Circumstances) {
        guard students.contains(fact.student) else { return }
        endedKeys.insert(.init(), at: Learnable.StudentID(event.subject))
        leaveEpoch(of: fact.student)
        let epoch = beginEpoch(of: fact.student)
        students.updateExisting(fact.student) {
            $0.epoch = epoch
            $0.epochNumber = fact.epoch
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
    private func erased(_ fact: AccountErased, _ event: Circumstances) {
        let subject = names.text(fact.subject)
        let prefix = "\(Learnable.product)/"
        guard subject.hasPrefix(prefix),
            let symbol = names.known(String(subject.dropFirst(prefix.count)))
        else { return }
        let student = Learnable.StudentID(symbol)
        guard students.contains(student) else { return }
        endedKeys.insert(.init(), at: Learnable.StudentID(event.subject))
        end(student, at: event.at)
    }

    private func recorded(_ fact: Learnable.Study.Recorded) {
        guard let epoch = students.read(fact.student, { $0.epoch }) else { return }
        studies.update(epoch) { row in
            for share in fact.days { row.add(share.seconds, on: share.day) }
            row.add(fact.from, fact.to)
        }
        let place = epochs.update(epoch) { row in
            row.studySeconds = row.studySeconds.addingClamping(fact.seconds)
            row.studies += 1
            return row.studies - 1
        }
        studyEntries.append(
            .with {
                $0.activity = fact.activity
                $0.subject = fact.subject
                $0.from = fact.from
                $0.to = fact.to
                $0.seconds = fact.seconds
                $0.days = fact.days
            }, to: epoch, at: place)
    }

    private func raised(_ fact: Learnable.Notification.Raised, _ event: Circumstances) {
        guard let epoch = students.read(fact.student, { $0.epoch }) else { return }
        let place = epochs.update(epoch) { row in
            if let kind = Learnable.ReminderKind(fact.notification) {
                row.reminded[kind.rawValue].insert(fact.day)
            }
            row.notices += 1
            return row.notices - 1
        }
        notices.append(
            .with {
                $0.at = event.at
                $0.day = fact.day
                $0.facts = fact.facts
                $0.notification = fact.notification
                $0.target = fact.target
            }, to: epoch, at: place)
    }
}

extension Learnable.Academy {
    package func zone(of student: Learnable.StudentID) -> TimeZoneRules {
        students.read(student) { $0.zone }?.rules(names) ?? .utc
    }

    /// R1: the calendar date of an instant in the student's zone in force.
    package func day(of student: Learnable.StudentID, at instant: Instant) -> LocalDate {
        zone(of: student).localDate(at: instant)
    }
}
