package import Core

/// Preparation for the aptitude exam: accounts, premium access, exams, practice and what they show
/// (contract, tafawoq.md).
///
/// This folder is the product's vocabulary: a file for each noun, with the events that can happen
/// to it. Its rules are in Commands/Tafawoq, its state in Facts/Tafawoq, its read models in
/// Projections/Tafawoq, each in a file of the same name.
package enum Tafawoq: ProductNamespace {
    /// The prefix of every wire name and stream.
    package static let product = "tafawoq"
    package typealias PolicyAdopted = Core.PolicyAdopted<Tafawoq>

    /// Every event type, in the order of the page.
    package static let payloads: [PayloadType] = [
        PayloadType(Account.Registered.self), PayloadType(Account.CodeIssued.self),
        PayloadType(Account.Verified.self), PayloadType(Account.PasswordChanged.self),
        PayloadType(Account.ProfileCompleted.self), PayloadType(Account.TrackChanged.self),
        PayloadType(Account.PictureAttached.self), PayloadType(Account.PictureRemoved.self),
        PayloadType(Account.OnboardingFinished.self), PayloadType(Account.DeviceEnrolled.self),
        PayloadType(Account.DeviceWithdrawn.self),
        PayloadType(Session.Opened.self), PayloadType(Session.Refreshed.self),
        PayloadType(Session.Ended.self), PayloadType(Access.Refused.self),
        PayloadType(Checkout.Begun.self), PayloadType(Checkout.Confirmed.self),
        PayloadType(Checkout.Failed.self), PayloadType(Subscription.TrialStarted.self),
        PayloadType(Subscription.Activated.self), PayloadType(Renewal.Requested.self),
        PayloadType(Renewal.Failed.self), PayloadType(Subscription.Renewed.self),
        PayloadType(Subscription.Cancelled.self), PayloadType(Subscription.Downgraded.self),
        PayloadType(Subscription.PaymentIgnored.self),
        PayloadType(Exam.Started.self), PayloadType(Exam.Delivered.self),
        PayloadType(Practice.Started.self), PayloadType(Practice.Delivered.self),
        PayloadType(Generation.Failed.self), PayloadType(Generation.Refused.self),
        PayloadType(Exam.Answered.self), PayloadType(Practice.Answered.self),
        PayloadType(Question.Voided.self),
        PayloadType(Exam.Suspended.self), PayloadType(Exam.Resumed.self),
        PayloadType(Exam.Abandoned.self), PayloadType(Exam.Expired.self),
        PayloadType(Exam.Completed.self), PayloadType(Exam.Flagged.self),
        PayloadType(Practice.Abandoned.self), PayloadType(Practice.Completed.self),
        PayloadType(Milestone.Reached.self),
        PayloadType(Notification.Raised.self), PayloadType(Notification.Enabled.self),
        PayloadType(Notification.Disabled.self), PayloadType(Notification.Dispatched.self),
        PayloadType(Notification.Opened.self),
        PayloadType(Study.Scheduled.self), PayloadType(Study.Cancelled.self),
        PayloadType(Report.Exported.self), PayloadType(Feedback.Given.self),
        PayloadType(Performance.Reported.self),
        PayloadType(PolicyAdopted.self), PayloadType(QuotaReported.self),
        PayloadType(AlertRaised.self),
        PayloadType(Legal.Published.self), PayloadType(Legal.Accepted.self),
    ]
}

/// The ids of this product; their nouns name the tags.
extension Tafawoq {
    package typealias StudentID = Identifier<Account>
    package typealias SessionID = Identifier<Session>
    package typealias CheckoutID = Identifier<Checkout>
    package typealias ProviderEventID = Identifier<ProviderEvent>
    package typealias ExamID = Identifier<Exam>
    package typealias PracticeID = Identifier<Practice>

    /// An exam's or a practice's, where either may be meant.
    package typealias SittingID = Identifier<Sitting>

    package typealias QuestionID = Identifier<Question>
    package typealias PassageID = Identifier<Passage>
    package typealias StudyID = Identifier<Study>
    package typealias ReportID = Identifier<Report>
    package typealias FeedbackID = Identifier<Feedback>
    package typealias DeviceID = Identifier<Device>

    /// The SHA-256 of a question's content, as 64 hex digits.
    package typealias ContentHash = Identifier<Content>

    package typealias MetricID = Identifier<Performance>

    /// Anything at all that the caller named; not looked up.
    package typealias SubjectID = Identifier<Anything>

    /// An event of the payment provider (R20).
    package enum ProviderEvent: Thing {
        package static let noun = "provider-event"; package static let isTagged = false
    }

    /// A text that several questions refer to.
    package enum Passage: Thing {
        package static let noun = "passage"; package static let isTagged = false
    }

    /// A phone or browser that a student signs in on.
    package enum Device: Thing {
        package static let noun = "device"; package static let isTagged = false
    }

    /// What a question says, known by its digest (R26).
    package enum Content: Thing {
        package static let noun = "content"; package static let isTagged = false
    }

    /// Whatever a caller names and nobody looks up.
    package enum Anything: Thing {
        package static let noun = "anything"; package static let isTagged = false
    }

}
