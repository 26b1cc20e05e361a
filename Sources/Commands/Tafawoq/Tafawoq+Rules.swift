package import Commands
package import Core
package import Folding
package import TafawoqEvents
package import TafawoqFacts

/// The write side of Tafawoq: what may happen (contract, tafawoq.md).
extension Tafawoq: Rules {
    package typealias State = Centre

    package static let decisions: [DecisionType<Tafawoq>] = [
        .init(RegisterAccount.self), .init(RequestCode.self), .init(VerifyAccount.self),
        .init(ResetPassword.self), .init(OpenSession.self), .init(RefreshSession.self),
        .init(CloseSession.self), .init(CompleteProfile.self), .init(ChangeTrack.self),
        .init(AttachPicture.self), .init(RemovePicture.self), .init(FinishOnboarding.self),
        .init(EnrolDevice.self), .init(WithdrawDevice.self),
        .init(BeginCheckout.self), .init(ConfirmCheckout.self), .init(ReportPayment.self),
        .init(CancelSubscription.self),
        .init(StartExam.self), .init(DeliverExam.self), .init(FailGeneration.self),
        .init(AnswerExam.self), .init(SubmitExam.self), .init(LeaveExam.self),
        .init(ResumeExam.self), .init(VoidQuestion.self),
        .init(StartPractice.self), .init(DeliverPractice.self), .init(AnswerPractice.self),
        .init(SubmitPractice.self), .init(LeavePractice.self),
        .init(EnableTopic.self), .init(DisableTopic.self), .init(DispatchNotification.self),
        .init(OpenNotification.self), .init(ScheduleStudy.self), .init(CancelStudy.self),
        .init(ExportReport.self), .init(GiveFeedback.self), .init(ReportPerformance.self),
        .init(AdoptPolicy.self), .init(ReportQuota.self),
    ]

    package static func fire(_ timer: Folding.Timer, in scene: Scene<Centre>) {
        scene.fire(timer)
    }

    /// R2: by `system`, an admin, or the student.
    package static func erase(_ person: Symbol, in scene: Scene<Centre>) throws(Rejection) {
        guard [.system, .admin, .student].contains(scene.actor.kind) else { throw .forbidden }
        guard scene.state.exists(.init(person)) else { throw .notFound }
        try scene.checkOwner(.init(person))
        scene.record(
            AccountErased(product: product, id: person, names: scene.names),
            on: AccountErased.stream(product: product, id: scene.names.text(person)),
            about: ("student", person))
    }

    package static var clockBehind: Rejection { .clockBehind }

    package static func messageAr(ofShared code: String) -> String? {
        Rejection(rawValue: code)?.messageAr
    }
}

extension Tafawoq {
    /// Adopts values of the policy (shared page, Policies).
    package struct AdoptPolicy: Command {
        package static let type = "tafawoq.policy.adopt"
        package static let senders: [Actor.Kind] = [.admin, .system]
        var changes: JSON = .null

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes.members?.isEmpty == false
                ? nil : "expected an object \"changes\" with at least one value"
        }

        package func concerned(in centre: Centre) -> StudentID? { nil }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let adopted = try scene.policy.adopting(
                changes, unknownName: Rejection.unknownPolicy, invalidValue: .policyValueInvalid)
            scene.record(PolicyAdopted.with { $0.changes = adopted }, on: "tafawoq/policy")
        }
    }

    /// How much of the quota of generation is used (R24, R46).
    package struct ReportQuota: Command {
        package static let type = "tafawoq.quota.report"
        package static let senders: [Actor.Kind] = [.service]
        var usedPercent = ExactPercent.empty
        var resetsAt = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("usedPercent", &usedPercent)
            coder.field("resetsAt", &resetsAt)
        }

        package func problem(_ names: Names) -> String? {
            (.zero)...Percent(whole: 100_000) ~= usedPercent.percent
                ? nil : "usedPercent: expected a number from 0 to 100000"
        }

        package func concerned(in centre: Centre) -> StudentID? { nil }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let border = scene.policy.quotaAlertPercent.percent
            let former = scene.state.roll[.only]?.quota?.usedPercent
            scene.record(
                QuotaReported.with {
                    $0.usedPercent = usedPercent.percent
                    $0.resetsAt = resetsAt
                }, on: "tafawoq/quota/generation")
            // R46: only when the border is crossed.
            guard usedPercent.percent >= border, former.map({ $0 < border }) ?? true else { return }
            scene.raiseAlert(.quota, value: usedPercent.percent, threshold: border)
        }
    }
}
