package import Commands
package import Core
package import Folding
package import LearnableEvents
import LearnableFacts

/// The write side of Learnable: what may happen (contract, learnable.md).
extension Learnable: Rules {
    /// Every command, in the order of the page.
    package static let commands: [CommandType<Learnable>] = [
        .init(JoinStudent.self), .init(RelocateStudent.self), .init(OpenApp.self),
        .init(RecordStudy.self), .init(DownloadData.self), .init(StartOver.self),
        .init(DeleteAccount.self),
        .init(EditProfile.self), .init(ChooseAppearance.self), .init(ConfigureKeyboard.self),
        .init(ConfigureReminders.self),
        .init(RequestEvaluation.self), .init(DeliverEvaluation.self),
        .init(ActivateSubscription.self), .init(RenewSubscription.self),
        .init(CancelSubscription.self), .init(RefundSubscription.self),
        .init(StartDraft.self), .init(DescribeDraft.self), .init(RequestCurriculum.self),
        .init(ProposeCurriculum.self), .init(ChooseTone.self), .init(RequestPreview.self),
        .init(DeliverPreview.self), .init(ChooseAddOns.self), .init(DiscardDraft.self),
        .init(RequestGeneration.self), .init(DeliverTopic.self), .init(FailGeneration.self),
        .init(RetryGeneration.self),
        .init(RenameSubject.self), .init(ArchiveSubject.self), .init(RestoreSubject.self),
        .init(DeleteSubject.self),
        .init(OpenTopic.self), .init(BookmarkTopic.self), .init(AnswerEngagement.self),
        .init(AssessEngagement.self), .init(RequestAnother.self), .init(AskAnother.self),
        .init(CompleteTopic.self), .init(SendChat.self), .init(ReplyChat.self),
        .init(PoolQuestions.self), .init(DeleteQuestion.self), .init(DisableRecurrence.self),
        .init(EnableRecurrence.self),
        .init(BeginQuiz.self), .init(AnswerQuiz.self), .init(SelfAssessQuiz.self),
        .init(SkipQuiz.self),
        .init(PublishOffer.self), .init(UnpublishOffer.self), .init(AcquireOffer.self),
        .init(AnnouncePromotion.self), .init(WithdrawPromotion.self),
        .init(AdoptPolicy.self),
    ]

    package static func fire(_ timer: DueTimer, in context: Learnable.Context) {
        context.fire(timer)
    }

    /// An erasure has the effect of deleting the account (R46).
    package static func erase(_ person: Symbol, in context: Learnable.Context) throws(Rejection) {
        let student = StudentID(person)
        try context.checkMayErase(.any(.system, .admin, .student))
        try context.findOwn(student)
        context.erase(student)
    }

    /// Starting over ends the epoch's key and begins another (R45).
    package static func renewal(of person: String) -> [JSON.Member]? {
        JSON.object(of: [
            ("by", .string("student:\(person)")), ("command", .string(StartOver.type)),
            (
                "data",
                .object(of: [("confirmed", .bool(true)), ("student", .string(person))])
            ),
        ]).members
    }
}

extension Learnable {
    /// Adopts values of the policy (shared page, Policies).
    struct AdoptPolicy: Command, PolicyAdoption {
        static let type = "learnable.policy.adopt"
        var changes: JSON = .null
    }
}
