package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// An export: how many results it shows, and the trend window of its time.
    package struct ReportRow: Record {
        package var student = StudentID.none
        package var at = Instant.epoch
        package var exams = 0
        package var practices = 0
        package var practiceSeconds = 0
        package var trendWindow = 0

        package init() {}
    }
}

extension Tafawoq.State {
    static func reportRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Report.Exported.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            let progress = state.learning[event.student]
            let window = state.policy.trendWindow
            state.reports.update(event.report) {
                $0.student = event.student
                $0.at = metadata.at
                $0.exams = progress?.completedExams ?? 0
                $0.practices = progress?.completedPractices ?? 0
                $0.practiceSeconds = progress?.practiceSeconds ?? 0
                $0.trendWindow = window
            }
        }
    }
}
