import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A student is there from now on, with a trial if the rule allows one (R7).
    struct JoinStudent: Command {
        static let type = "learnable.student.join"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var timeZone = Zone.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
        }

        func decide(in context: Context) throws(Rejection) {
            try context.checkOwner(student)
            // R46: an id is never joined again.
            if context.state.students.contains(student) { throw .alreadyExists }
            context.record(
                Student.Joined.with {
                    $0.student = student
                    $0.timeZone = timeZone
                    $0.day = timeZone.rules(context.names).localDate(at: context.at)
                }, on: context.stream(student))
            context.startTrial(of: student)
        }
    }

    /// The student's local days are those of another zone from now on (R1).
    struct RelocateStudent: Command {
        static let type = "learnable.student.relocate"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var timeZone = Zone.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            if row.zone == timeZone { throw .sameTimeZone }
            context.record(
                Student.Relocated.with {
                    $0.student = student
                    $0.from = row.zone
                    $0.to = timeZone
                }, on: context.stream(student))
        }
    }

    /// A fresh start of the app (R25, R26).
    struct OpenApp: Command {
        static let type = "learnable.app.open"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            let day = context.day(of: student)
            context.lapseDaily(of: row, unless: day)
            context.abandonOptional(of: row, .appReopened)
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            context.record(
                App.Opened.with {
                    $0.student = student
                    $0.day = day
                    $0.timeZone = row.zone
                    $0.firstOfDay = !epoch.openDays.contains(day)
                    $0.due = context.state.dueCount(row.epoch, on: day)
                    $0.landing = context.state.landing(of: student, at: context.at)
                    $0.access = row.access(at: context.at)
                }, on: context.stream(student))
        }
    }

    /// Somebody takes the student's data along.
    struct DownloadData: Command {
        static let type = "learnable.data.download"
        func senders(in state: State) -> Senders { .any(.student, .admin) }
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.find(student)
            try context.checkOwner(student)
            context.record(
                Download.Made.with {
                    $0.student = student
                    $0.day = context.day(of: student)
                }, on: context.stream(student))
        }
    }

    /// Everything is left behind, and a new epoch begins (R45).
    struct StartOver: Command {
        static let type = "learnable.student.start-over"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("confirmed", &confirmed)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            try context.confirm(confirmed)
            context.unpublishAll(of: student, row, .startedOver)
            let epoch = context.state.epochs[row.epoch] ?? EpochRow()
            context.record(
                Student.StartedOver.with {
                    $0.student = student
                    $0.epoch = row.epochNumber + 1
                    $0.subjects = epoch.subjects.count
                    $0.questions = epoch.inPool
                    $0.drafts = epoch.drafts.count
                }, on: context.stream(student))
        }
    }

    /// The student is gone for good, and the person's key with them (R46).
    struct DeleteAccount: Command {
        static let type = "learnable.account.delete"
        func senders(in state: State) -> Senders { .any(.student, .admin) }
        var student = StudentID.none
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("confirmed", &confirmed)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            try context.checkOwner(student)
            try context.confirm(confirmed)
            context.unpublishAll(of: student, row, .accountDeleted)
            if let subscription = row.subscription, !subscription.isCancelled {
                context.record(
                    Subscription.Cancelled.with {
                        $0.student = student
                        $0.paidUntil = subscription.paidUntil
                        $0.reason = .accountDeleted
                    }, on: context.stream(student))
            }
            context.record(
                Account.Deleted.with {
                    $0.student = student
                    $0.epoch = row.epochNumber
                }, on: context.stream(student))
            context.erase(student)
        }
    }
}

extension DecisionContext<Learnable> {
    /// Records that the key of the student's epoch is destroyed (R46).
    func erase(_ student: Learnable.StudentID) {
        record(
            AccountErased(product: Learnable.product, id: student.symbol, names: names),
            on: AccountErased.stream(product: Learnable.product, id: names.text(student)),
            about: ("student", student.symbol))
    }

    fileprivate func unpublishAll(
        of student: Learnable.StudentID, _ row: Learnable.StudentRow,
        _ reason: Learnable.Offer.Reason
    ) {
        for offer in row.openOffers { unpublish(offer, of: student, reason) }
    }

    func unpublish(
        _ offer: Learnable.OfferID, of student: Learnable.StudentID,
        _ reason: Learnable.Offer.Reason
    ) {
        record(
            Learnable.Offer.Unpublished.with {
                $0.student = student
                $0.offer = offer
                $0.reason = reason
            }, on: stream(offer))
    }

    /// R7: a trial at once, unless the device has had one.
    fileprivate func startTrial(of student: Learnable.StudentID) {
        let policy = state.policy
        let device = device.isNone ? nil : Word(self.device)
        if policy.trialTracking == .accountOrDevice, let device,
            state.trialDevices.contains(.init(device.symbol))
        {
            record(
                Learnable.Trial.Refused.with {
                    $0.student = student
                    $0.device = device
                }, on: stream(student))
            return
        }
        let endsAt = at + Int64(policy.trialDays).multipliedClamping(86_400)
        let remindAt = endsAt - Int64(policy.trialRemindDaysBefore).multipliedClamping(86_400)
        let isReminding = policy.trialRemindDaysBefore > 0 && remindAt > at
        record(
            Learnable.Trial.Started.with {
                $0.student = student
                $0.endsAt = endsAt
                $0.remindAt = isReminding ? remindAt : nil
                $0.days = policy.trialDays
                $0.device = device
            }, on: stream(student))
    }
}
