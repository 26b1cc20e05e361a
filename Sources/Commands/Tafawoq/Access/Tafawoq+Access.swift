import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

/// The refusals that are recorded for an auditor (R3).
extension Tafawoq.Rejection {
    private static let recorded: Set<Self> = [
        .wrongCredentials, .accountLocked, .otpExpired, .otpExhausted, .otpWrong, .sessionEnded,
        .forbidden, .weeklyExamLimit, .practiceQuestionLimit, .practiceCategoryLimit, .premiumOnly,
        .rateLimited, .signatureUnverified, .sessionRequired,
    ]

    fileprivate func isRecorded(of command: String) -> Bool {
        Self.recorded.contains { $0.rawValue == rawValue }
            || rawValue == Self.emailUnverified.rawValue
                && command == Tafawoq.OpenSession.type
    }
}

extension DecisionContext<Tafawoq> {
    /// Records a refusal that is kept (R3): on the stream of the student, if there is one, and never
    /// before the last event of that stream.
    func recordRefusal(
        _ rejection: Tafawoq.Rejection, of command: String, concerning student: Tafawoq.StudentID?
    ) {
        guard rejection.isRecorded(of: command) else { return }
        var named = student
        if rejection.rawValue == Tafawoq.Rejection.forbidden.rawValue {
            named = actor.kind == .student ? .init(actor.id) : nil
        }
        if let id = named, !state.exists(id) { named = nil }
        let event = Tafawoq.Access.Refused(
            student: named,
            command: command,
            code: rejection.rawValue,
            device: givenDevice)
        let last =
            if let named { state.students[named]?.auditedAt } else {
                state.totals[.only]?.auditedAt
            }
        record(
            event, on: auditStream(of: named),
            at: max(at, last ?? at))
    }
}
