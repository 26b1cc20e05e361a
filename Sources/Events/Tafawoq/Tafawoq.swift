package import Core

/// Preparation for the aptitude exam: accounts, premium access, exams, practice and what they show
/// (contract, tafawoq.md).
///
/// This folder is the product's vocabulary: one file for each noun, with the events that can happen
/// to it. The rules are in Commands/Tafawoq, what is so in Facts/Tafawoq, what can be asked in
/// Projections/Tafawoq.
package enum Tafawoq: ProductNamespace {
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
    ]
}

/// The ids of this product; their kinds name the tags.
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

    package enum ProviderEvent: Thing {
        package static let noun = "provider-event"; package static let isTagged = false
    }
    package enum Sitting: Thing {
        package static let noun = "sitting"; package static let isTagged = false
    }
    package enum Passage: Thing {
        package static let noun = "passage"; package static let isTagged = false
    }
    package enum Device: Thing {
        package static let noun = "device"; package static let isTagged = false
    }
    package enum Content: Thing {
        package static let noun = "content"; package static let isTagged = false
    }
    package enum Anything: Thing {
        package static let noun = "anything"; package static let isTagged = false
    }
}

/// The words that many nouns share.
extension Tafawoq {
    package enum Tier: String, Choice {
        case free, premium
    }

    package enum Track: String, Choice {
        case scientific, literary
    }

    package enum Section: String, Choice {
        case verbal, quantitative
    }

    package enum Difficulty: String, Choice {
        case easy, medium, hard
    }

    /// What a sitting is.
    package enum SittingKind: String, Choice {
        case exam, practice
    }

    /// The catalogue, in its order (R33).
    package enum Category: String, Choice {
        case basicOperations = "basic_operations"
        case geometry
        case rootsExponents = "roots_exponents"
        case analogies
        case sentenceCompletion = "sentence_completion"
        case contextualError = "contextual_error"
        case oddWordOut = "odd_word_out"
        case readingComprehension = "reading_comprehension"

        package var section: Section {
            switch self {
            case .basicOperations, .geometry, .rootsExponents: .quantitative
            default: .verbal
            }
        }

        /// The place in the catalogue.
        package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package enum Topic: String, Choice {
        case examReminder = "exam-reminder"
        case milestone
        case engagement
    }
}

extension Tafawoq.Track {
    /// The track's own section.
    package var section: Tafawoq.Section { self == .scientific ? .quantitative : .verbal }

    /// R38: the sections of the track first.
    package var sections: [Tafawoq.Section] {
        self == .scientific ? [.quantitative, .verbal] : [.verbal, .quantitative]
    }

    /// R38: inside a section catalogue order.
    package var categories: [Tafawoq.Category] {
        sections.flatMap { section in Tafawoq.Category.allCases.filter { $0.section == section } }
    }
}

extension Tafawoq {
    /// Stream `tafawoq/quota/generation`.
    package struct QuotaReported: Payload {
        package static let type = "tafawoq.quota.reported"
        package static let streams = ["quota"]
        package static let sentence = "The quota of generation was reported."
        package var usedPercent = Percent.zero
        package var resetsAt = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("usedPercent", &usedPercent)
            coder.field("resetsAt", &resetsAt)
        }
    }

    package enum AlertKind: String, Choice {
        case generationFailures = "generation-failures"
        case paymentFailures = "payment-failures"
        case quota
    }

    /// Stream `tafawoq/alert/main`.
    package struct AlertRaised: Payload {
        package static let type = "tafawoq.alert.raised"
        package static let streams = ["alert"]
        package static let sentence = "Administrators were alerted."
        package var kind = AlertKind.empty
        /// A count or per cent, in hundredths.
        package var value = Percent.zero
        package var threshold = Percent.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("value", &value)
            coder.field("threshold", &threshold)
        }
    }
}
