package import Commands
package import Core
package import Folding
package import TafawoqEvents
import TafawoqFacts

/// The write side of Tafawoq: what may happen (contract, tafawoq.md).
extension Tafawoq: Rules {

    package static let commands: [CommandType<Tafawoq>] = [
        .init(RegisterAccount.self), .init(RequestCode.self), .init(VerifyAccount.self),
        .init(ResetPassword.self), .init(OpenSession.self), .init(RefreshSession.self),
        .init(CloseSession.self), .init(CompleteProfile.self), .init(ChangeTrack.self),
        .init(AttachPicture.self), .init(RemovePicture.self), .init(FinishOnboarding.self),
        .init(EnrolDevice.self), .init(WithdrawDevice.self),
        .init(BeginCheckout.self), .init(ConfirmCheckout.self), .init(ReportPayment.self),
        .init(CancelSubscription.self),
        .init(StartExam.self), .init(DeliverExam.self), .init(FailGeneration.self),
        .init(AnswerExam.self), .init(SubmitExam.self), .init(LeaveExam.self),
        .init(AbandonExam.self),
        .init(ResumeExam.self), .init(VoidQuestion.self),
        .init(StartPractice.self), .init(DeliverPractice.self), .init(AnswerPractice.self),
        .init(SubmitPractice.self), .init(LeavePractice.self),
        .init(EnableTopic.self), .init(DisableTopic.self), .init(DispatchNotification.self),
        .init(OpenNotification.self), .init(ScheduleStudy.self), .init(CancelStudy.self),
        .init(ExportReport.self), .init(GiveFeedback.self), .init(ReportPerformance.self),
        .init(AdoptPolicy.self), .init(ReportQuota.self), .init(PublishLegal.self),
        .init(AcceptLegal.self),
    ]

    package static func fire(_ timer: DueTimer, in context: Tafawoq.Context) {
        context.fire(timer)
    }

    /// Erases a student, by `system`, an admin, or the student (R2).
    package static func erase(_ person: Symbol, in context: Tafawoq.Context) throws(Rejection) {
        let student = StudentID(person)
        try context.checkMayErase(.any(.system, .admin, .student))
        guard context.state.exists(student) else { throw context.notFound(student) }
        try context.checkOwner(student, of: student)
        context.record(
            AccountErased(product: product, id: person, names: context.names),
            on: AccountErased.stream(product: product, id: context.names.text(person)),
            about: ("student", person))
    }

    package static func messageAr(ofShared code: String) -> String? {
        Rejection(rawValue: code)?.messageAr
    }

    package static func nounAr(_ noun: String) -> String? { nouns[noun] }

    /// The kinds of thing and of actor that a refusal may name.
    private static let nouns = [
        "student": "الطالب", "session": "الجلسة", "exam": "الاختبار", "practice": "التدريب",
        "study": "موعد المذاكرة", "checkout": "عملية الدفع", "notification": "الإشعار",
        "report": "التقرير", "terms": "شروط الخدمة", "privacy": "سياسة الخصوصية",
        "feedback": "الملاحظة", "account": "الحساب", "coach": "المدرّب",
        "admin": "المشرف", "service": "الخدمة", "system": "النظام", "self": "صاحب الشأن",
    ]
}

extension Tafawoq {
    /// Adopts values of the policy (shared page, Policies).
    struct AdoptPolicy: Command, PolicyAdoption {
        static let type = "tafawoq.policy.adopt"
        var changes: JSON = .null

        func senders(in state: State) -> Senders { .admin }
        func concerned(in state: State) -> StudentID? { nil }
    }
}
