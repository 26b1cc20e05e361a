package import Commands
package import Core
import Folding
package import QuranFlowEvents
import QuranFlowFacts

/// The rules of QuranFlow (contract, quranflow.md).
extension QuranFlow: Rules {
    package static let commands: [CommandType<QuranFlow>] = [
        .init(ScheduleSemester.self), .init(PublishLesson.self), .init(DefineEOC.self),
        .init(PublishOrientation.self), .init(PublishResource.self), .init(WithdrawResource.self),
        .init(PostAnnouncement.self), .init(AdoptPolicy.self),
        .init(RegisterCoach.self), .init(IntroduceCoach.self), .init(RetireCoach.self),
        .init(RegisterStudent.self), .init(AmendDetails.self), .init(CorrectGender.self),
        .init(SubmitAssessment.self),
        .init(PlaceStudent.self), .init(OpenEnrollment.self), .init(AssignCoach.self),
        .init(WithdrawEnrollment.self), .init(ReportSubscription.self), .init(RecordPayment.self),
        .init(TakeStep.self), .init(SkipStep.self), .init(ChooseFont.self),
        .init(ChooseTimeZone.self), .init(ChooseDisplay.self), .init(ChooseNotifications.self),
        .init(AnswerPermission.self), .init(OpenNotification.self),
        .init(WatchVideo.self), .init(CompleteLesson.self), .init(ReopenLesson.self),
        .init(SubmitRecording.self), .init(GiveFeedback.self), .init(ReviewFeedback.self),
        .init(PostComment.self),
        .init(SubmitEOC.self), .init(EvaluateEOC.self), .init(ReviewResults.self),
        .init(EnrollInAdvanced.self), .init(OfferElective.self), .init(ChooseElective.self),
        .init(DropElective.self), .init(OfferSlot.self), .init(WithdrawSlot.self),
        .init(BookAppointment.self), .init(RescheduleAppointment.self),
        .init(CancelAppointment.self), .init(RecordOutcome.self),
        .init(ScheduleSession.self), .init(MoveSession.self), .init(CancelSession.self),
        .init(PublishSessionRecording.self), .init(MakeRSVP.self), .init(WithdrawRSVP.self),
        .init(JoinSession.self), .init(SendMessage.self), .init(RequestSupport.self),
        .init(ReplyToHelp.self),
    ]

    /// By an admin, or by the person (R2).
    package static func erase(_ person: Symbol, in context: QuranFlow.Context) throws(Rejection) {
        try context.checkMayErase(.any(.system, .admin, .student, .coach))
        guard context.isAdmin || context.actor.id == person else {
            throw context.forbidden(PersonID(person))
        }
        let row = try context.find(PersonID(person))
        guard context.isAdmin || (context.actor.kind == .coach) == row.isCoach else {
            throw context.forbidden(PersonID(person))
        }
        context.record(
            AccountErased(product: product, id: person, names: context.names),
            on: AccountErased.stream(product: product, id: context.names.text(person)),
            about: (row.isCoach ? "coach" : "student", person))
    }
}

extension QuranFlow {
    /// Adopts values of the policy (shared page, Policies).
    struct AdoptPolicy: Command, PolicyAdoption {
        static let type = "quranflow.policy.adopt"
        var changes: JSON = .null

        func decide(in context: Context) throws(Rejection) {
            let awaited = context.state.policy.advancedOpensAt.map { $0 > context.at } ?? false
            try adopt(in: context) { _ in [] }
            let isAwaited = context.state.policy.advancedOpensAt.map { $0 > context.at } ?? false
            // The day was moved to the past: those waiting are notified now (R23).
            if awaited, !isAwaited { context.announceAdvanced() }
        }
    }
}
