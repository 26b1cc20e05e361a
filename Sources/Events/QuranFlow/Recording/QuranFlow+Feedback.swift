package import Core

extension QuranFlow.Recording {
    package enum Author: String, Choice {
        case student, coach
    }

    /// A recording had no feedback when it was due (R19).
    package struct FeedbackFellDue: Payload {
        package static let type = "quranflow.feedback.fell-due"
        package static let streams = ["recording"]
        package static let sentence = "Feedback fell due."
        package static let rules = [19]
        package internal(set) var student = QuranFlow.StudentID.none
        package internal(set) var coach: QuranFlow.CoachID?
        package internal(set) var week = 0
        package internal(set) var feedbackDueAt = Instant.epoch

        package init() {}
    }

    /// A recording got its feedback (R18, R19).
    package struct FeedbackGiven: Payload {
        package static let type = "quranflow.feedback.given"
        package static let streams = ["recording"]
        package static let sentence = "Feedback was given."
        package static let rules = [18, 19]
        package internal(set) var student = QuranFlow.StudentID.none
        package internal(set) var enrollment = QuranFlow.EnrollmentID.none
        /// The enrolment's coach at that moment.
        package internal(set) var coach: QuranFlow.CoachID?
        package internal(set) var week = 0
        package internal(set) var late = false
        package internal(set) var waitedSeconds = 0
        package internal(set) var audio: Personal<String> = nil
        package internal(set) var seconds = 0
        package internal(set) var notes: Personal<String> = nil

        package init() {}
    }

    /// The student reviewed the feedback.
    package struct FeedbackReviewed: Payload {
        package static let type = "quranflow.feedback.reviewed"
        package static let streams = ["recording"]
        package static let sentence = "Feedback was reviewed."
        package internal(set) var student = QuranFlow.StudentID.none
        package internal(set) var week = 0

        package init() {}
    }

    /// Student or coach commented on the feedback.
    package struct CommentPosted: Payload {
        package static let type = "quranflow.comment.posted"
        package static let streams = ["recording"]
        package static let sentence = "A comment on feedback was posted."
        package internal(set) var comment = QuranFlow.CommentID.none
        package internal(set) var author = Author.empty
        /// The enrolment's coach at that moment.
        package internal(set) var coach: QuranFlow.CoachID?
        package internal(set) var text: Personal<String> = nil

        package init() {}
    }
}
