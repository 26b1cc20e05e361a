package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A student, from joining to the deletion of the account. What belongs to an epoch is in `EpochRow`.
    package struct StudentRow: Record {
        /// `learnable/student/STUDENT`.
        package var stream = InternedText.empty
        package var zone = Zone.empty
        /// The day on which they last moved: no earlier one comes again (R1).
        package var movedOn: LocalDate?
        package var joinedAt = Instant.epoch
        package var deletedAt: Instant?
        /// The key of the epoch's row.
        package var epoch = Ordinal(0)
        /// Counts from 1 (R45).
        package var epochNumber = 1
        /// When the latest of the events that carry the student happened (R44).
        package var latest = Instant.epoch
        package var trial: TrialTerm?
        package var subscription: SubscriptionTerm?
        package var wasTrialStarted = false
        /// How many subjects were made without access and are gone, in all epochs (R6).
        package var subjectsSpent = 0
        /// Joined without a device: the trial begins when the app is opened on one (R7).
        package var awaitsTrial = true
        /// How many sales there were; `State.sales` lists them.
        package var sales = 0
        /// Open offers, in order of publishing.
        package var openOffers: [OfferID] = []
        package var offers = 0
        /// How many evaluations were requested, in all epochs: a late delivery meets no other's request (R38).
        package var evaluations = 0
        /// When the reminder timers are due, by kind (R44).
        package var reminders: [Instant?] = [nil, nil, nil]

        package init() {}

        package var isActive: Bool { deletedAt == nil }
    }
}

extension Learnable.State {
    static func studentRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Student.Joined.self) { $0.joined($1, $2) }
        routes.on(Learnable.Student.Relocated.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.zone = event.to
                $0.movedOn = event.day ?? $0.movedOn
            }
        }
        routes.on(Learnable.Student.StartedOver.self) { $0.startedOver($1, $2) }
        routes.on(Learnable.Account.Deleted.self) { state, event, metadata in
            state.end(event.student, at: metadata.at)
        }
        routes.on(AccountErased.self) { $0.erased($1, $2) }
    }

    private func joined(_ event: Learnable.Student.Joined, _ metadata: EventMetadata) {
        let epoch = beginEpoch(of: event.student, at: metadata.at)
        students.update(event.student) {
            $0.stream = InternedText(metadata.stream)
            $0.zone = event.timeZone
            $0.joinedAt = metadata.at
            $0.epoch = epoch
        }
    }

    /// The epoch is left behind with everything in it, and its key is destroyed (R45).
    private func startedOver(_ event: Learnable.Student.StartedOver, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        endedKeys.insert(.init(), at: Learnable.StudentID(metadata.subject))
        leaveEpoch(of: event.student)
        let epoch = beginEpoch(of: event.student, at: metadata.at)
        students.updateExisting(event.student) {
            $0.epoch = epoch
            $0.epochNumber = event.epoch
        }
    }

    /// The account is gone; what the trial rule needs, the sales and sold copies stay (R46).
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

    /// An erasure has the effect of a deletion (R46).
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
}

extension Learnable.State {
    /// Whether what belongs to the epoch is still there: not after starting over or deletion (R45, R46).
    package func isCurrent(_ student: Learnable.StudentID, _ epoch: Ordinal) -> Bool {
        students.read(student) { $0.isActive && $0.epoch == epoch } ?? false
    }
}
