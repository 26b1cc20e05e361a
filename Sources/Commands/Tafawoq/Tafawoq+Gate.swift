import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A command of this product: who may send it, and the rule behind it.
    ///
    /// `decide` checks what is not found and who may not; then the codes of the row in their order.
    protocol Command: ProductCommand where Product == Tafawoq {
        /// The student whose command or account it concerns, for a refusal that is recorded (R3).
        func concerned(in state: State) -> StudentID?
    }
}

extension Tafawoq {
    /// A command that names its student.
    protocol StudentCommand: Command {
        var student: StudentID { get set }
    }

    /// A command about an exam or a practice: it concerns the student whose it is.
    protocol SittingCommand: Command {
        var sitting: SittingKey { get }
    }

    /// A command that names nothing but its student.
    protocol StudentAlone: StudentCommand {}
}

extension Tafawoq.StudentCommand {
    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? { student }
}

extension Tafawoq.SittingCommand {
    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? {
        state.sittings[sitting]?.student
    }
}

extension Tafawoq.StudentAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student) }
}

extension Tafawoq.Command {
    /// Most rows say *self*.
    func senders(in state: Tafawoq.State) -> Senders { .student }

    func trace(of rejection: Tafawoq.Rejection, in context: Tafawoq.Context) {
        context.recordRefusal(rejection, of: Self.type, concerning: concerned(in: context.state))
    }
}

/// R3: the refusals that matter to an auditor.
extension Tafawoq.Rejection {
    private static let recorded: Set<Self> = [
        .wrongCredentials, .accountLocked, .otpExpired, .otpExhausted, .otpWrong, .sessionEnded,
        .forbidden, .weeklyExamLimit, .practiceQuestionLimit, .practiceCategoryLimit, .premiumOnly,
        .rateLimited, .signatureUnverified,
    ]

    fileprivate func isRecorded(of command: String) -> Bool {
        Self.recorded.contains { $0.rawValue == rawValue }
            || rawValue == Self.emailUnverified.rawValue
                && command == Tafawoq.OpenSession.type
    }
}

extension DecisionContext<Tafawoq> {
    var policy: Tafawoq.Policy { state.policy }

    /// R3: on the stream of the student, if there is one; never before the last event that is there.
    func recordRefusal(
        _ rejection: Tafawoq.Rejection, of command: String, concerning student: Tafawoq.StudentID?
    ) {
        guard rejection.isRecorded(of: command) else { return }
        var named = student
        if rejection.rawValue == Tafawoq.Rejection.forbidden.rawValue {
            named = actor.kind == .student ? .init(actor.id) : nil
        }
        if let id = named, !state.exists(id) { named = nil }
        let event = Tafawoq.Access.Refused.with {
            $0.student = named
            $0.command = command
            $0.code = rejection.rawValue
            $0.device = givenDevice
        }
        let last =
            if let named { state.students[named]?.auditedAt } else { state.roll[.only]?.auditedAt }
        record(
            event, on: named.map { state.stream("audit", $0) } ?? "tafawoq/audit/none",
            at: max(at, last ?? at))
    }

    /// The envelope's device; nil when it is not given.
    var givenDevice: Tafawoq.DeviceID? { device.isNone ? nil : .init(device) }

    // MARK: What a command names

    /// R2: a student who exists.
    func student(
        _ id: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudentRow {
        guard let row = state.students[id], !row.isErased else { throw .notFound }
        return row
    }

    /// A student who exists, and who it is that acts if a student does.
    func ownStudent(
        _ id: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudentRow {
        let row = try student(id)
        try checkOwner(id)
        return row
    }

    /// An exam or practice of a student who exists; not another's, for a student.
    func ownSitting(
        _ key: Tafawoq.SittingKey
    ) throws(Tafawoq.Rejection) -> Tafawoq.SittingRow {
        guard let row = state.sittings[key], state.exists(row.student) else { throw .notFound }
        try checkOwner(row.student)
        return row
    }

    func tier(of student: Tafawoq.StudentID) -> Tafawoq.Tier { state.tier(of: student, at: at) }

    /// R9
    func checkLearner(_ row: Tafawoq.StudentRow) throws(Tafawoq.Rejection) -> Tafawoq.Track {
        guard row.isVerified else { throw .emailUnverified }
        guard let track = row.track else { throw .profileIncomplete }
        return track
    }

    // MARK: Where facts go

    func record<P: Payload>(_ event: P, account: Tafawoq.StudentID) {
        record(event, on: state.stream("account", account))
    }

    func record<P: Payload>(_ event: P, subscription student: Tafawoq.StudentID) {
        record(event, on: state.stream("subscription", student))
    }

    func record<P: Payload>(_ event: P, notification student: Tafawoq.StudentID) {
        record(event, on: state.stream("notification", student))
    }

    func record<P: Payload>(_ event: P, session: Tafawoq.SessionID) {
        record(event, on: state.stream("session", session))
    }

    func record<P: Payload>(_ event: P, sitting key: Tafawoq.SittingKey, at instant: Instant? = nil)
    {
        record(event, on: state.stream(key.kind.rawValue, key.id), at: instant)
    }
}

extension Instant {
    /// As it is printed.
    var json: JSON { .string(description) }
}
