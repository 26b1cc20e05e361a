import Core
import Folding
package import Projections
package import TafawoqEvents
package import TafawoqFacts

/// The parties of the page's table.
extension Audience where State == Tafawoq.State {
    /// The student whom it is about, or whose exam, practice, session, report or study time it is.
    static var own: Audience {
        .person("own") { ids, state in state.owners(ids) }
    }

    static var ownAndAdmins: Audience { own.or(.admins) }
    static var ownAdminsAndServices: Audience { ownAndAdmins.or(.services) }
    static var adminsAndServices: Audience { admins.or(.services) }

    /// The student once the exam or practice is completed, as the review has it.
    static var ownOnceCompleted: Audience {
        own.when("once completed") { ids, state in state.areCompleted(ids) }.or(.admins).or(
            .services)
    }
}

extension Tafawoq.State {
    fileprivate func owners(_ ids: NamedIDs) -> [String] {
        ids["student"] + sittings(ids).map { names.text($0.student) }
            + owners(ids["session"], sessions) { $0.student }
            + owners(ids["report"], reports) { $0.student }
            + owners(ids["study"], studies) { $0.student }
    }

    private func owners<T, R>(
        _ texts: [String], _ table: Table<Identifier<T>, R>, _ owner: (R) -> Tafawoq.StudentID
    ) -> [String] {
        texts.compactMap { text in
            let id: Identifier<T>? = id(text)
            return id.flatMap { table[$0] }.map { names.text(owner($0)) }
        }
    }

    private func sittings(_ ids: NamedIDs) -> [Tafawoq.SittingRow] {
        ids["exam"].compactMap { sitting(.exam, $0)?.row }
            + ids["practice"].compactMap { sitting(.practice, $0)?.row }
    }

    fileprivate func areCompleted(_ ids: NamedIDs) -> Bool {
        let sittings = sittings(ids)
        return !sittings.isEmpty
            && sittings.allSatisfy { $0.examScore != nil || $0.practiceScore != nil }
    }
}

extension Tafawoq {
    /// Who may see what, in the order of the page.
    package static let audience = AudienceTable<State>(models: seenModels, events: seenEvents)

    private static let seenModels: [AudienceEntry<State>] = [
        .model(profileView, .ownAndAdmins),
        .model(sessionsView, .ownAdminsAndServices),
        .model(accessView, .ownAdminsAndServices),
        .model(subscriptionView, .ownAdminsAndServices),
        .model(examSheetView, .ownAndAdmins),
        .model(examResultView, .ownAndAdmins),
        .model(examReviewView, .ownAndAdmins),
        .model(practiceReviewView, .ownAndAdmins),
        .model(examHistoryView, .ownAndAdmins),
        .model(practiceOptionsView, .ownAndAdmins),
        .model(practiceSheetView, .ownAndAdmins),
        .model(practiceResultView, .ownAndAdmins),
        .model(practiceHistoryView, .ownAndAdmins),
        .model(dashboardView, .ownAndAdmins),
        .model(trendsView, .ownAndAdmins),
        .model(practiceHoursView, .ownAndAdmins),
        .model(reportView, .ownAndAdmins),
        .model(milestonesView, .ownAndAdmins),
        .model(notificationsView, .ownAdminsAndServices),
        .model(settingsView, .ownAndAdmins),
        .model(policyView, .anyone),
        .model(generationQueueView, .adminsAndServices),
        .model(generationHealthView, .adminsAndServices),
        .model(paymentHealthView, .adminsAndServices),
        .model(paymentCasesView, .adminsAndServices),
        .model(flagsView, .admins),
        .model(alertsView, .adminsAndServices),
        .model(logView, .admins),
        .model(journeyView, .admins),
        .model(satisfactionView, .admins),
        .model(performanceView, .adminsAndServices),
        .model(feedbackView, .admins),
        .model(legalView, .anyone),
    ]

    private static let seenEvents: [AudienceEntry<State>] = [
        .event(
            Account.Registered.self, .ownAdminsAndServices, .member("passwordDigest", .system)),
        .event(Account.CodeIssued.self, .ownAdminsAndServices, .member("otpDigest", .system)),
        .event(Account.Verified.self, .ownAdminsAndServices),
        .event(
            Account.PasswordChanged.self, .ownAdminsAndServices,
            .member("passwordDigest", .system)),
        .event(Account.ProfileCompleted.self, .ownAndAdmins),
        .event(Account.TrackChanged.self, .ownAndAdmins),
        .event(Account.PictureAttached.self, .ownAndAdmins),
        .event(Account.PictureRemoved.self, .ownAndAdmins),
        .event(Account.OnboardingFinished.self, .ownAndAdmins),
        .event(
            Account.DeviceEnrolled.self, .ownAdminsAndServices,
            .member("pushToken", .own.or(.services))),
        .event(Account.DeviceWithdrawn.self, .ownAdminsAndServices),
        .event(Session.Opened.self, .ownAdminsAndServices),
        .event(Session.Refreshed.self, .ownAdminsAndServices),
        .event(Session.Ended.self, .ownAdminsAndServices),
        .event(Access.Refused.self, .adminsAndServices),
        .event(Checkout.Begun.self, .ownAdminsAndServices),
        .event(Checkout.Confirmed.self, .ownAdminsAndServices),
        .event(Checkout.Failed.self, .ownAdminsAndServices),
        .event(
            Subscription.TrialStarted.self, .ownAdminsAndServices,
            .member("customer", .adminsAndServices),
            .member("providerSubscription", .adminsAndServices)),
        .event(
            Subscription.Activated.self, .ownAdminsAndServices,
            .member("customer", .adminsAndServices),
            .member("providerSubscription", .adminsAndServices)),
        .event(Renewal.Requested.self, .ownAdminsAndServices),
        .event(Renewal.Failed.self, .ownAdminsAndServices),
        .event(Subscription.Renewed.self, .ownAdminsAndServices),
        .event(Subscription.Cancelled.self, .ownAdminsAndServices),
        .event(Subscription.Downgraded.self, .ownAdminsAndServices),
        .event(Subscription.PaymentIgnored.self, .adminsAndServices),
        .event(Exam.Started.self, .ownAdminsAndServices),
        .event(
            Exam.Delivered.self, .ownAdminsAndServices,
            .member("questions.answer", .ownOnceCompleted),
            .member("questions.explanation", .adminsAndServices),
            .member("questions.sources", .adminsAndServices)),
        .event(Practice.Started.self, .ownAdminsAndServices),
        .event(
            Practice.Delivered.self, .ownAdminsAndServices,
            .member("questions.answer", .ownOnceCompleted),
            .member("questions.explanation", .adminsAndServices),
            .member("questions.sources", .adminsAndServices)),
        .event(Generation.Failed.self, .ownAdminsAndServices),
        .event(Generation.Refused.self, .adminsAndServices),
        .event(Exam.Answered.self, .ownAndAdmins),
        .event(Practice.Answered.self, .ownAndAdmins),
        .event(Question.Voided.self, .ownAndAdmins),
        .event(Exam.Suspended.self, .ownAndAdmins),
        .event(Exam.Resumed.self, .ownAndAdmins),
        .event(Exam.Abandoned.self, .ownAndAdmins),
        .event(Exam.Expired.self, .ownAndAdmins),
        .event(Exam.Completed.self, .ownAndAdmins),
        .event(Exam.Flagged.self, .admins),
        .event(Practice.Abandoned.self, .ownAndAdmins),
        .event(Practice.Completed.self, .ownAndAdmins),
        .event(Milestone.Reached.self, .ownAndAdmins),
        .event(Notification.Raised.self, .ownAdminsAndServices),
        .event(Notification.Enabled.self, .ownAndAdmins),
        .event(Notification.Disabled.self, .ownAndAdmins),
        .event(Notification.Dispatched.self, .ownAdminsAndServices),
        .event(Notification.Opened.self, .ownAndAdmins),
        .event(Study.Scheduled.self, .ownAndAdmins),
        .event(Study.Cancelled.self, .ownAndAdmins),
        .event(Report.Exported.self, .ownAndAdmins),
        .event(Feedback.Given.self, .ownAndAdmins),
        .event(Performance.Reported.self, .ownAdminsAndServices),
        .event(PolicyAdopted.self, .anyone),
        .event(QuotaReported.self, .adminsAndServices),
        .event(AlertRaised.self, .adminsAndServices),
        .event(Legal.Published.self, .anyone),
        .event(Legal.Accepted.self, .ownAndAdmins),
    ]
}
