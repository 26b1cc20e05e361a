package import Core

extension Tafawoq {
    /// An export of the results. Stream `tafawoq/report/REPORT`.
    package enum Report: Thing {
        package static let noun = "report"

        /// All results so far were exported; the report shows them as of this event.
        package struct Exported: Payload {
            package static let type = "tafawoq.report.exported"
            package static let streams = ["report"]
            package static let sentence = "A report was exported."
            package internal(set) var report = ReportID.none
            package internal(set) var student = StudentID.none
            package internal(set) var exams = 0
            package internal(set) var practices = 0

            package init() {}
        }
    }
}
