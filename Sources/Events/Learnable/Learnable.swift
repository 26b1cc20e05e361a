package import Core

/// Lectures on anything, and questions that come back until they are mastered (contract, learnable.md).
///
/// This folder is the product's vocabulary: one file for each noun, with the events that can happen
/// to it. The rules are in Commands/Learnable, what is so in Facts/Learnable, what can be asked in
/// Projections/Learnable.
package enum Learnable: ProductNamespace {
    package static let product = "learnable"
    package typealias PolicyAdopted = Core.PolicyAdopted<Learnable>

    /// Every event type, in the order of the page.
    package static let payloads: [PayloadType] = [
        PayloadType(Student.Joined.self), PayloadType(Student.Relocated.self),
        PayloadType(Student.StartedOver.self), PayloadType(Account.Deleted.self),
        PayloadType(App.Opened.self), PayloadType(Study.Recorded.self),
        PayloadType(Download.Made.self),
        PayloadType(Trial.Started.self), PayloadType(Trial.Refused.self),
        PayloadType(Trial.Ended.self),
        PayloadType(Subscription.Activated.self), PayloadType(Subscription.Renewed.self),
        PayloadType(Subscription.Cancelled.self), PayloadType(Subscription.Refunded.self),
        PayloadType(Subscription.Ended.self),
        PayloadType(Profile.Edited.self), PayloadType(Appearance.Chosen.self),
        PayloadType(Keyboard.Configured.self), PayloadType(Reminders.Configured.self),
        PayloadType(Quiz.Skipped.self), PayloadType(Notification.Raised.self),
        PayloadType(Draft.Started.self), PayloadType(Draft.Described.self),
        PayloadType(Curriculum.Requested.self), PayloadType(Curriculum.Proposed.self),
        PayloadType(Tone.Chosen.self), PayloadType(Tone.PreviewRequested.self),
        PayloadType(Tone.PreviewDelivered.self), PayloadType(AddOnsChosen.self),
        PayloadType(Draft.Submitted.self), PayloadType(Draft.Discarded.self),
        PayloadType(Generation.Requested.self), PayloadType(Topic.Delivered.self),
        PayloadType(Generation.Completed.self), PayloadType(Generation.Failed.self),
        PayloadType(Generation.Retried.self), PayloadType(Subject.Acquired.self),
        PayloadType(Subject.Renamed.self), PayloadType(Subject.Archived.self),
        PayloadType(Subject.Restored.self), PayloadType(Subject.Deleted.self),
        PayloadType(Subject.Completed.self),
        PayloadType(Topic.Opened.self), PayloadType(Topic.Bookmarked.self),
        PayloadType(Topic.Completed.self),
        PayloadType(Engagement.Answered.self), PayloadType(Engagement.Assessed.self),
        PayloadType(Engagement.AnotherRequested.self), PayloadType(Engagement.AnotherAsked.self),
        PayloadType(Chat.Sent.self), PayloadType(Chat.Replied.self), PayloadType(Chat.Cleared.self),
        PayloadType(Question.Pooled.self), PayloadType(Question.Scheduled.self),
        PayloadType(Question.Advanced.self), PayloadType(Question.Mastered.self),
        PayloadType(Question.Deleted.self),
        PayloadType(Recurrence.Disabled.self), PayloadType(Recurrence.Enabled.self),
        PayloadType(Quiz.Begun.self), PayloadType(Quiz.Answered.self),
        PayloadType(Quiz.SelfAssessed.self), PayloadType(Quiz.Completed.self),
        PayloadType(Quiz.Lapsed.self), PayloadType(Quiz.Abandoned.self),
        PayloadType(Offer.Published.self), PayloadType(Offer.Unpublished.self),
        PayloadType(Offer.Acquired.self),
        PayloadType(Promotion.Announced.self), PayloadType(Promotion.Withdrawn.self),
        PayloadType(PolicyAdopted.self),
    ]
}

/// The ids of this product; their kinds name the tags.
extension Learnable {
    package typealias StudentID = Identifier<Student>
    package typealias DraftID = Identifier<Draft>
    package typealias SubjectID = Identifier<Subject>
    package typealias QuestionID = Identifier<Question>
    package typealias QuizID = Identifier<Quiz>
    package typealias OfferID = Identifier<Offer>
    package typealias PromotionID = Identifier<Promotion>
    package typealias MessageID = Identifier<Chat>
    package typealias PaymentID = Identifier<Payment>
    package typealias PlanID = Identifier<Plan>

    package enum Payment: Thing {
        package static let noun = "payment"; package static let isTagged = false
    }
    package enum Plan: Thing {
        package static let noun = "plan"; package static let isTagged = false
    }
}

extension Learnable {
    /// A fact that carries the student whose it is (page, Events).
    package protocol Carried: Payload {
        var student: StudentID { get }
    }
}
