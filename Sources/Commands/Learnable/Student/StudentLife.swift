package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// A student is there from now on, with a trial if the rule allows one (R7).
    package struct JoinStudent: Command {
        package static let type = "learnable.student.join"
        package static let senders: [Actor.Kind] = [.student, .service]
        var student = StudentID.none
        var timeZone = Zone.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            try scene.own(student)
            // R46: an id is never joined again.
            if scene.state.students.contains(student) { throw .alreadyExists }
            scene.record(
                Student.Joined.with {
                    $0.student = student
                    $0.timeZone = timeZone
                    $0.day = timeZone.rules(scene.names).localDate(at: scene.at)
                }, on: scene.stream(student))
            scene.startTrial(of: student)
        }
    }

    /// The student's local days are those of another zone from now on (R1).
    package struct RelocateStudent: Command {
        package static let type = "learnable.student.relocate"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var timeZone = Zone.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            if row.zone == timeZone { throw .sameTimeZone }
            scene.record(
                Student.Relocated.with {
                    $0.student = student
                    $0.from = row.zone
                    $0.to = timeZone
                }, on: scene.stream(student))
        }
    }

    /// A fresh start of the app (R25, R26).
    package struct OpenApp: Command {
        package static let type = "learnable.app.open"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            let day = scene.day(of: student)
            scene.lapseDaily(of: row, unless: day)
            scene.abandonOptional(of: row, .appReopened)
            let epoch = scene.state.epochs[row.epoch] ?? EpochRow()
            scene.record(
                App.Opened.with {
                    $0.student = student
                    $0.day = day
                    $0.timeZone = row.zone
                    $0.firstOfDay = !epoch.openDays.contains(day)
                    $0.due = scene.state.dueCount(row.epoch, on: day)
                    $0.landing = scene.state.landing(of: student, at: scene.at)
                    $0.access = row.access(at: scene.at)
                }, on: scene.stream(student))
        }
    }

    /// Somebody takes the student's data along.
    package struct DownloadData: Command {
        package static let type = "learnable.data.download"
        package static let senders: [Actor.Kind] = [.student, .admin]
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            _ = try scene.find(student)
            try scene.own(student)
            scene.record(
                Download.Made.with {
                    $0.student = student
                    $0.day = scene.day(of: student)
                }, on: scene.stream(student))
        }
    }

    /// Everything is left behind, and a new epoch begins (R45).
    package struct StartOver: Command {
        package static let type = "learnable.student.start-over"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("confirmed", &confirmed)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            try scene.confirm(confirmed)
            scene.unpublishAll(of: student, row, .startedOver)
            let epoch = scene.state.epochs[row.epoch] ?? EpochRow()
            scene.record(
                Student.StartedOver.with {
                    $0.student = student
                    $0.epoch = row.epochNumber + 1
                    $0.subjects = epoch.subjects.count
                    $0.questions = epoch.inPool
                    $0.drafts = epoch.drafts.count
                }, on: scene.stream(student))
        }
    }

    /// The student is gone for good, and the person's key with them (R46).
    package struct DeleteAccount: Command {
        package static let type = "learnable.account.delete"
        package static let senders: [Actor.Kind] = [.student, .admin]
        var student = StudentID.none
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("confirmed", &confirmed)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            try scene.confirm(confirmed)
            scene.unpublishAll(of: student, row, .accountDeleted)
            if let subscription = row.subscription, !subscription.isCancelled {
                scene.record(
                    Subscription.Cancelled.with {
                        $0.student = student
                        $0.paidUntil = subscription.paidUntil
                        $0.reason = .accountDeleted
                    }, on: scene.stream(student))
            }
            scene.record(
                Account.Deleted.with {
                    $0.student = student
                    $0.epoch = row.epochNumber
                }, on: scene.stream(student))
            scene.erase(student)
        }
    }
}

extension Scene<Learnable.Academy> {
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
