package import Core

/// Lectures on anything, and questions that come back until they are mastered (contract, learnable.md).
///
/// This folder is the product's vocabulary: a folder per noun, with the events that can happen to it. The
/// same folders and files hold the noun's rules in Commands/Learnable, its rows and handlers in
/// Facts/Learnable, and its read models in Projections/Learnable.
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
        PayloadType(Evaluation.Requested.self), PayloadType(Evaluation.Delivered.self),
        PayloadType(Quiz.Skipped.self), PayloadType(Quiz.Missed.self),
        PayloadType(Notification.Raised.self),
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

    /// A payment, by the payment provider's reference.
    package enum Payment: Thing {
        package static let noun = "payment"; package static let isTagged = false
    }
    /// A plan that the payment provider sells.
    package enum Plan: Thing {
        package static let noun = "plan"; package static let isTagged = false
    }
}

extension Learnable {
    /// An event that carries the student to whom it belongs; their reminders follow from it (page, Events;
    /// R44).
    package protocol StudentEvent: Payload {
        var student: StudentID { get }
    }
}

/// What a text must be like: how long, and whether it may be blank (page, Commands).
package protocol TextForm: Sendable {
    static var name: String { get }
    static var lengths: ClosedRange<Int> { get }
    static var mayBeBlank: Bool { get }
}

/// A text of one of the page's forms; anything else is malformed.
package struct Formed<Form: TextForm>: FieldValue {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

    package static var empty: Self { Self("") }
    package static var schema: String { Form.name }
    package static var jsonForm: JSONForm { .text }

    package func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

    package static func read(from reader: inout BinaryReader) -> Self {
        Self(String.read(from: &reader))
    }

    package static func skip(from reader: inout BinaryReader) { String.skip(from: &reader) }

    package func write(to output: inout JSONOutput) { output.json.string(text) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        guard case .string(let text) = json, Form.lengths.contains(text.scalarCount),
            Form.mayBeBlank || !text.isBlank
        else {
            input.fail(
                "expected a text of \(Form.lengths.lowerBound) to \(Form.lengths.upperBound) characters"
                    + (Form.mayBeBlank ? "" : ", not all white space"))
            return nil
        }
        return Self(text)
    }
}

extension Learnable {
    /// Texts of one line, such as titles and names.
    package enum TitleForm: TextForm {
        package static let name = "title"
        package static let lengths = 1...200
        package static let mayBeBlank = false
    }

    /// Longer texts.
    package enum BodyForm: TextForm {
        package static let name = "body"
        package static let lengths = 1...20_000
        package static let mayBeBlank = false
    }

    /// Texts that may be blank.
    package enum AnyForm: TextForm {
        package static let name = "string"
        package static let lengths = 0...20_000
        package static let mayBeBlank = true
    }

    /// `title`
    package typealias Title = Formed<TitleForm>
    /// `text`
    package typealias Body = Formed<BodyForm>
    /// `string`
    package typealias AnyString = Formed<AnyForm>
}
