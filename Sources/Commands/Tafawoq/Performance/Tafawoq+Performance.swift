import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Reports times that the client measured during an exam or practice.
    struct ReportPerformance: StudentCommand {
        static let type = "tafawoq.performance.report"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var of = SittingKind.exam
        var id = SittingID.none
        var metrics = Metrics.empty

        func problem(_ names: Names) -> String? {
            metrics.entries.isEmpty ? "metrics: expected at least one" : nil
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.find(student)
            // Another student's is `not-found`.
            guard context.state.sittings[.init(of, id)]?.student == student else {
                throw context.notFound(of.rawValue, context.names.text(id))
            }
            try context.checkOwner(student, of: student)
            context.record(
                Performance.Reported(
                    student: student,
                    of: of,
                    id: id,
                    metrics: metrics), on: context.performanceStream(of: student))
        }
    }
}
