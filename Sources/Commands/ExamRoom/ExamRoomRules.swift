package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
package import Folding

/// The write side of ExamRoom: what may happen (contract, examroom.md).
extension ExamRoom: Rules {
    package typealias State = Room

    package static let decisions: [DecisionType<ExamRoom>] = [
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
        .init(ObserveConnection.self), .init(BeginSync.self), .init(CompleteSync.self),
        .init(FailSync.self), .init(MeasureStorage.self),
    ]

    package static func fire(_ timer: Timer, in scene: Scene<Room>) {
        switch timer.name {
        case AuditTimer.name: scene.archiveAudit(timer)
        default: scene.fire(timer)
        }
    }

    package static func erase(_ person: Symbol, in scene: Scene<Room>) throws(Rejection) {
        let account = AccountID(person)
        guard scene.isAdmin || scene.member == account else { throw .forbidden }
        guard scene.state.accounts[account]?.isErased == false else { throw .notFound }
        scene.erase(account)
    }

    package static var clockBehind: Rejection { .clockBehind }
}

extension ExamRoom {
    /// Adopts values of the policy (shared page, Policies).
    package struct AdoptPolicy: Command {
        package static let type = "examroom.policy.adopt"
        var changes: JSON = .null

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes.members?.isEmpty == false
                ? nil : "expected an object \"changes\" with at least one value"
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let adopted = try scene.state.policy.adopting(
                changes, unknownName: Rejection.unknownPolicy, invalidValue: .policyValueInvalid)
            scene.record(PolicyAdopted(changes: adopted), on: "examroom/policy")
        }
    }
}
