import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Registers a student, with a free trial if there may be one (R7).
    struct JoinStudent: Command {
        static let type = "learnable.student.join"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var timeZone = Zone.empty

        func decide(in context: Context) throws(Rejection) {
            try context.checkOwner(student, of: student)
            // R46: an id is never joined again.
            try context.checkIsFree(student, unless: context.state.students.contains(student))
            context.record(
                Student.Joined(
                    student: student,
                    timeZone: timeZone,
                    day: timeZone.rules(context.names).localDate(at: context.at),
                    epoch: 1), on: student)
            context.startTrial(of: student)
        }
    }

    /// Moves the student to another time zone (R1).
    struct RelocateStudent: Command {
        static let type = "learnable.student.relocate"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var timeZone = Zone.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            if row.zone == timeZone { throw .sameTimeZone }
            context.record(
                Student.Relocated(
                    student: student,
                    from: row.zone,
                    to: timeZone,
                    day: context.day(of: student)), on: student)
        }
    }

    /// Leaves everything behind and begins a new epoch (R45).
    struct StartOver: Command {
        static let type = "learnable.student.start-over"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var confirmed = false

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            try context.checkConfirmed(confirmed)
            try context.checkNeed(.settings, of: student)
            context.unpublishAll(of: student, row, .startedOver)
            let epoch = context.state.epoch(of: row)
            context.record(
                Student.StartedOver(
                    student: student,
                    epoch: row.epochNumber + 1,
                    subjects: epoch.subjects.count,
                    questions: epoch.inPool,
                    drafts: epoch.drafts.count), on: student)
        }
    }

    /// Deletes the student for good, and the key of their personal data (R46).
    struct DeleteAccount: Command {
        static let type = "learnable.account.delete"
        func senders(in state: State) -> Senders { .any(.student, .admin) }
        var student = StudentID.none
        var confirmed = false

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            try context.checkConfirmed(confirmed)
            try context.checkNeed(.settings, of: student)
            context.unpublishAll(of: student, row, .accountDeleted)
            if let subscription = row.subscription, !subscription.isCancelled {
                context.record(
                    Subscription.Cancelled(
                        student: student,
                        paidUntil: subscription.paidUntil,
                        reason: .accountDeleted), on: student)
            }
            context.record(
                Account.Deleted(
                    student: student,
                    epoch: row.epochNumber), on: student)
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
}
