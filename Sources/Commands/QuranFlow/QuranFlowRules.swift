package import Commands
package import Core
package import Folding
package import QuranFlowEvents
package import QuranFlowFacts

/// The write side of QuranFlow: what may happen (contract, quranflow.md).
extension QuranFlow: Rules {
    package typealias State = Programme

    package static let decisions: [DecisionType<QuranFlow>] = [
        .init(ScheduleSemester.self), .init(PublishLesson.self), .init(DefineEOC.self),
        .init(PublishOrientation.self), .init(PublishResource.self), .init(WithdrawResource.self),
        .init(PostAnnouncement.self), .init(AdoptPolicy.self),
        .init(RegisterCoach.self), .init(IntroduceCoach.self), .init(RetireCoach.self),
        .init(RegisterStudent.self), .init(AmendDetails.self), .init(SubmitAssessment.self),
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
    ]

    /// R2: an erased person's timers are gone.
    package static func fire(_ timer: Timer, in scene: Scene<Programme>) {
        guard let name = TimerName(timer.name) else { return }
        let stream = timer.stream.text(in: scene.names)
        guard let slash = stream.lastIndex(of: "/"),
            let id = scene.names.known(String(stream[stream.index(after: slash)...]))
        else { return }
        switch name {
        case .placementDue: scene.placementFellDue(.init(id))
        case .weekUnlock(let week): scene.unlock(week, of: .init(id))
        case .deadline(let week, let hours): scene.remindOfDeadline(.init(id), week, hours)
        case .eocOpen: scene.unlockEOC(.init(id))
        case .enrollmentClose: scene.closeEnrollment(.init(id))
        case .feedbackDue: scene.feedbackFellDue(.init(id))
        case .resultsDue: scene.resultsFellDue(.init(id))
        case .sessionReminder:
            guard let row = scene.state.sessions[.init(id)], !row.isCancelled else { return }
            scene.remind(of: SessionID(id), row)
        case .enrollmentOpen: scene.announceEnrollment(.init(id))
        case .appointmentReminder:
            guard let row = scene.state.appointments[.init(id)], row.status == .booked else {
                return
            }
            scene.remind(of: AppointmentID(id), row)
        }
    }

    package static func erase(_ person: Symbol, in scene: Scene<Programme>) throws(Rejection) {
        let isPerson = scene.actor.id == person
        guard scene.isAdmin || isPerson && [.student, .coach].contains(scene.actor.kind) else {
            throw .forbidden
        }
        guard let row = scene.state.present(.init(person)) else { throw .notFound }
        guard scene.isAdmin || (scene.actor.kind == .coach) == row.isCoach else { throw .forbidden }
        scene.record(
            AccountErased(product: product, id: person, names: scene.names),
            on: AccountErased.stream(product: product, id: scene.names.text(person)),
            about: (row.isCoach ? "coach" : "student", person))
    }

    package static var clockBehind: Rejection { .clockBehind }
}

extension QuranFlow {
    /// Adopts values of the policy (shared page, Policies).
    package struct AdoptPolicy: Command {
        package static let type = "quranflow.policy.adopt"
        var changes: JSON = .null

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes.members?.isEmpty == false
                ? nil : "expected an object \"changes\" with at least one value"
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let adopted = try scene.state.policy.adopting(
                changes, unknownName: Rejection.unknownPolicy, invalidValue: .policyValueInvalid)
            scene.record(PolicyAdopted.with { $0.changes = adopted }, on: "quranflow/policy")
        }
    }
}
