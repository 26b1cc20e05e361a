package import Commands
package import Core
package import ExamRoomEvents
import ExamRoomFacts
import Folding

/// The rules of ExamRoom: its commands, its timers, and what it refuses with (contract, examroom.md).
extension ExamRoom: Rules {
    package static let commands: [CommandType<ExamRoom>] = [
        .init(RegisterAccount.self), .init(ReviseProfile.self), .init(ReplaceCredential.self),
        .init(ChangeCredential.self), .init(DeleteAccount.self), .init(ChoosePreference.self),
        .init(StartSession.self), .init(EndSession.self),
        .init(AdoptPolicy.self),
        .init(CreateExam.self), .init(ReviseExam.self), .init(PublishExam.self),
        .init(WithdrawExam.self), .init(DeleteExam.self), .init(PublishResults.self),
        .init(WithholdResults.self),
        .init(DuplicateExam.self), .init(ArchiveExam.self), .init(UnarchiveExam.self),
        .init(AddQuestion.self), .init(ReviseQuestion.self), .init(RemoveQuestion.self),
        .init(AttachImage.self), .init(DetachImage.self),
        .init(BlockStudent.self), .init(UnblockStudent.self),
        .init(GrantExtension.self), .init(ModifyExtension.self), .init(RevokeExtension.self),
        .init(RequestAccommodation.self), .init(ApproveAccommodation.self),
        .init(DenyAccommodation.self),
        .init(StartAttempt.self), .init(SaveAnswer.self), .init(LogTime.self),
        .init(SubmitAttempt.self), .init(DiscardAttempt.self), .init(ModifyGrade.self),
        .init(MakeExport.self), .init(ApplyImport.self),
        .init(BeginMigration.self), .init(ImportItem.self), .init(FailItem.self),
        .init(SkipItem.self), .init(FinishMigration.self),
        .init(MergeDevice.self), .init(ResolveConflict.self),
        .init(ObserveConnection.self), .init(BeginSync.self), .init(ReportSync.self),
        .init(CompleteSync.self),
        .init(FailSync.self), .init(MeasureStorage.self),
    ]

    /// `account.erase`: an admin, or the person (R6).
    package static func erase(_ person: Symbol, in context: Context) throws(Rejection) {
        let account = AccountID(person)
        try context.checkMayErase(.any(.system, .admin, .student))
        guard context.isAdmin || context.member == account else { throw context.forbidden(account) }
        guard context.state.accounts[account]?.isErased == false else {
            throw context.notFound(account)
        }
        context.erase(account)
    }

    /// R5: what is forbidden is recorded here, too.
    package static func traceErasure(refused rejection: Rejection, in context: Context) {
        if rejection == .forbidden {
            context.recordForbidden("account.erase", by: context.actor)
        }
    }
}

extension ExamRoom {
    /// Adopts values of the policy (shared page, Policies).
    struct AdoptPolicy: Command, PolicyAdoption {
        static let type = "examroom.policy.adopt"
        var changes: JSON = .null
    }
}
