package import Core

/// A 15-week recitation programme with coaches (contract, quranflow.md).
///
/// This folder is the product's vocabulary: one folder for each noun, with the events that can happen
/// to it. The other rooms have the same folders: the state is in Facts/QuranFlow, the rules are in
/// Commands/QuranFlow, the read models in Projections/QuranFlow.
package enum QuranFlow: ProductNamespace {
    package static let product = "quranflow"
    package typealias PolicyAdopted = Core.PolicyAdopted<QuranFlow>

    /// Every event type, in the order of the page.
    package static let payloads: [PayloadType] = [
        PayloadType(Semester.Scheduled.self), PayloadType(Lesson.Published.self),
        PayloadType(Lesson.Revised.self), PayloadType(EOC.Defined.self),
        PayloadType(Orientation.Published.self), PayloadType(Resource.Published.self),
        PayloadType(Resource.Withdrawn.self), PayloadType(Announcement.Posted.self),
        PayloadType(Coach.Registered.self), PayloadType(Coach.Introduced.self),
        PayloadType(Coach.Retired.self), PayloadType(Student.Registered.self),
        PayloadType(Student.DetailsAmended.self), PayloadType(Student.GenderCorrected.self),
        PayloadType(Student.AssessmentSubmitted.self),
        PayloadType(Student.PlacementFellDue.self), PayloadType(Student.Placed.self),
        PayloadType(Subscription.Reported.self), PayloadType(Payment.Recorded.self),
        PayloadType(Onboarding.StepTaken.self), PayloadType(Onboarding.StepSkipped.self),
        PayloadType(Onboarding.Completed.self), PayloadType(Settings.FontChosen.self),
        PayloadType(Settings.TimeZoneChosen.self), PayloadType(Settings.DisplayChosen.self),
        PayloadType(Settings.NotificationsChosen.self),
        PayloadType(Settings.PermissionAnswered.self), PayloadType(Enrollment.Opened.self),
        PayloadType(Enrollment.CoachAssigned.self), PayloadType(Enrollment.CoachUnassigned.self),
        PayloadType(Enrollment.Withdrawn.self),
        PayloadType(Enrollment.Lapsed.self), PayloadType(Enrollment.Graduated.self),
        PayloadType(Week.Unlocked.self), PayloadType(Lesson.Completed.self),
        PayloadType(Lesson.Reopened.self), PayloadType(EOC.Unlocked.self),
        PayloadType(Video.Progressed.self), PayloadType(Video.Watched.self),
        PayloadType(Recording.Submitted.self), PayloadType(Recording.FeedbackFellDue.self),
        PayloadType(Recording.FeedbackGiven.self), PayloadType(Recording.FeedbackReviewed.self),
        PayloadType(Recording.CommentPosted.self), PayloadType(EOC.Submitted.self),
        PayloadType(EOC.ResultsFellDue.self), PayloadType(EOC.Evaluated.self),
        PayloadType(EOC.ResultsReviewed.self), PayloadType(Advanced.Enrolled.self),
        PayloadType(Elective.Offered.self), PayloadType(Elective.Chosen.self),
        PayloadType(Elective.Dropped.self), PayloadType(Slot.Offered.self),
        PayloadType(Slot.Withdrawn.self), PayloadType(Appointment.Booked.self),
        PayloadType(Appointment.Rescheduled.self), PayloadType(Appointment.Cancelled.self),
        PayloadType(Appointment.Held.self), PayloadType(Appointment.Missed.self),
        PayloadType(Session.Scheduled.self), PayloadType(Session.Moved.self),
        PayloadType(Session.Cancelled.self), PayloadType(Session.RecordingPublished.self),
        PayloadType(Session.RSVPMade.self), PayloadType(Session.RSVPWithdrawn.self),
        PayloadType(Session.Joined.self), PayloadType(Message.Sent.self),
        PayloadType(SupportRequest.Requested.self), PayloadType(Help.Replied.self),
        PayloadType(Notification.Raised.self),
        PayloadType(Notification.Opened.self), PayloadType(PolicyAdopted.self),
    ]
}

/// The ids of this product; their kinds name the tags.
extension QuranFlow {
    package typealias SemesterID = Identifier<Semester>
    package typealias ResourceID = Identifier<Resource>
    package typealias AnnouncementID = Identifier<Announcement>
    package typealias CoachID = Identifier<Coach>
    package typealias StudentID = Identifier<Student>
    /// Students and coaches share one space of ids (R2).
    package typealias PersonID = Identifier<Person>
    package typealias EnrollmentID = Identifier<Enrollment>
    package typealias VideoID = Identifier<Video>
    package typealias RecordingID = Identifier<Recording>
    package typealias CommentID = Identifier<Comment>
    package typealias PaymentID = Identifier<Payments>
    package typealias ElectiveID = Identifier<Elective>
    package typealias SlotID = Identifier<Slot>
    package typealias AppointmentID = Identifier<Appointment>
    package typealias SessionID = Identifier<Session>
    package typealias MessageID = Identifier<Message>
    package typealias RequestID = Identifier<SupportRequest>
    package typealias ReplyID = Identifier<Reply>

    package enum Person: Thing {
        package static let noun = "person"; package static let isTagged = false
    }
    package enum Comment: Thing {
        package static let noun = "comment"; package static let isTagged = false
    }
    package enum Reply: Thing {
        package static let noun = "reply"; package static let isTagged = false
    }
    package enum Payments: Thing {
        package static let noun = "payments"; package static let isTagged = false
    }

    package enum Gender: String, Choice {
        case female, male
    }

    /// What is recited, with its text.
    package struct Passage: Record {
        package var surah: Filled = ""
        /// The first and the last ayah.
        package var from = 0
        package var to = 0
        package var text: Filled = ""

        package init() {}
    }
}
