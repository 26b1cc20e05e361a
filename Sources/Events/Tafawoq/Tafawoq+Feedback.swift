package import Core

extension Tafawoq {
    /// An export of the results. Stream `tafawoq/report/REPORT`.
    package enum Report: Thing {
        package static let noun = "report"

        package struct Exported: Payload {
            package static let type = "tafawoq.report.exported"
            package static let streams = ["report"]
            package static let sentence = "A report was exported."
            package var report = ReportID.none
            package var student = StudentID.none
            package var exams = 0
            package var practices = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("report", &report)
                coder.field("student", &student)
                coder.field("exams", &exams)
                coder.field("practices", &practices)
            }
        }
    }

    /// What a student thinks. Stream `tafawoq/feedback/FEEDBACK`.
    package enum Feedback: Thing {
        package static let noun = "feedback"

        package enum About: String, Choice {
            case exam
            case practice
            case question
            case layout
            case app
        }

        package struct Given: Payload {
            package static let type = "tafawoq.feedback.given"
            package static let streams = ["feedback"]
            package static let sentence = "Feedback was given."
            package var feedback = FeedbackID.none
            package var student = StudentID.none
            package var about = About.empty
            package var subject: SubjectID?
            package var rating: Int?
            package var text: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("feedback", &feedback)
                coder.field("student", &student)
                coder.field("about", &about)
                coder.field("subject", &subject)
                coder.field("rating", &rating)
                coder.personal("text", &text)
            }
        }
    }

    /// How fast the client was. Stream `tafawoq/performance/STUDENT`.
    package enum Performance: Thing {
        package static let noun = "performance"; package static let isTagged = false

        package struct Reported: Payload {
            package static let type = "tafawoq.performance.reported"
            package static let streams = ["performance"]
            package static let sentence = "Times of the client were reported."
            package var student = StudentID.none
            package var of = SittingKind.empty
            package var id = SittingID.none
            package var metrics = Metrics.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("of", &of)
                coder.field("id", &id)
                coder.field("metrics", &metrics)
            }
        }
    }
}
