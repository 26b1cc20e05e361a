import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A command of this product: who may send it, and the rule behind it.
    ///
    /// `decide` checks first what is not found and whose it is; then the codes of the row in their order.
    protocol Command: ProductCommand where Product == Tafawoq {
        /// The student whose command or account it concerns, for a refusal that is recorded (R3).
        func concerned(in state: State) -> StudentID?
        /// Whether a student must be signed in to send it (R8): not for what leads to signing in.
        static var needsSession: Bool { get }
    }

    /// A command that names its student.
    protocol StudentCommand: Command {
        var student: StudentID { get set }
    }

    /// A command that names nothing but its student, and its `fields` with it.
    protocol StudentAlone: StudentCommand {}

    /// A command about an exam or a practice: it concerns the student who owns it.
    protocol SittingCommand: Command {
        var sitting: SittingKey { get }
    }

    /// A command about an exam.
    protocol ExamCommand: SittingCommand {
        var exam: ExamID { get set }
    }

    /// A command that names nothing but its exam, and its `fields` with it.
    protocol ExamAlone: ExamCommand {}

    /// A command about a practice.
    protocol PracticeCommand: SittingCommand {
        var practice: PracticeID { get set }
    }
}

extension Tafawoq.StudentCommand {
    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? { student }
}

extension Tafawoq.StudentAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student) }
}

extension Tafawoq.SittingCommand {
    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? {
        state.sittings[sitting]?.student
    }
}

extension Tafawoq.ExamCommand {
    var sitting: Tafawoq.SittingKey { .exam(exam) }
}

extension Tafawoq.ExamAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam) }
}

extension Tafawoq.PracticeCommand {
    var sitting: Tafawoq.SittingKey { .practice(practice) }
}

extension Tafawoq.Command {
    /// *Self*, unless the command says otherwise: most rows of the page do.
    func senders(in state: Tafawoq.State) -> Senders { .student }

    static var needsSession: Bool { true }

    /// One of the senders; a student who ever signed in is signed in now (R8).
    func authorize(in context: Tafawoq.Context) throws(Tafawoq.Rejection) {
        let senders = senders(in: context.state)
        guard context.admits(senders) else {
            throw context.forbidden(Self.type, for: senders)
        }
        guard Self.needsSession, context.policy.sessionRequired, context.actor.kind == .student
        else { return }
        // An open session of one who is erased is nobody's (R2).
        let isSignedOut = context.state.students.read(.init(context.actor.id)) {
            $0.lastSession != nil && ($0.openSessions.isEmpty || $0.isErased)
        }
        if isSignedOut == true { throw .sessionRequired }
    }

    func trace(of rejection: Tafawoq.Rejection, in context: Tafawoq.Context) {
        context.recordRefusal(rejection, of: Self.type, concerning: concerned(in: context.state))
    }
}

extension DecisionContext<Tafawoq> {
    var policy: Tafawoq.Policy { state.policy }

    /// The envelope's device; nil when it is not given.
    var givenDevice: Tafawoq.DeviceID? { device.isNone ? nil : .init(device) }

    /// The tier at the instant of the command (R10).
    func tier(of student: Tafawoq.StudentID) -> Tafawoq.Tier { state.tier(of: student, at: at) }
}

// MARK: - Streams

extension DecisionContext<Tafawoq> {
    /// A student's events stand on several streams, each with the student's id (page, Events).
    func accountStream(of student: Tafawoq.StudentID) -> String {
        state.stream("account", of: student)
    }

    func subscriptionStream(of student: Tafawoq.StudentID) -> String {
        state.stream("subscription", of: student)
    }

    func notificationStream(of student: Tafawoq.StudentID) -> String {
        state.stream("notification", of: student)
    }

    func milestoneStream(of student: Tafawoq.StudentID) -> String {
        state.stream("milestone", of: student)
    }

    func performanceStream(of student: Tafawoq.StudentID) -> String {
        state.stream("performance", of: student)
    }

    /// The stream of a student's refusals; one for all refusals without a student (R3).
    func auditStream(of student: Tafawoq.StudentID?) -> String {
        student.map { state.stream("audit", of: $0) } ?? "tafawoq/audit/none"
    }

    /// The stream of an exam or a practice, whichever it is.
    func sittingStream(_ key: Tafawoq.SittingKey) -> String {
        state.stream(key.kind.rawValue, of: key.id)
    }
}

extension Instant {
    /// The instant as it is printed, for the facts of a notification.
    var json: JSON { .string(description) }
}
