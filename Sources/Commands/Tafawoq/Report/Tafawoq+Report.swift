import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Exports all results so far, on premium.
    struct ExportReport: StudentCommand {
        static let type = "tafawoq.report.export"
        var student = StudentID.none
        var report = ReportID.none

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findOwn(student)
            try context.checkIsFree(report, unless: context.state.reports.contains(report))
            guard context.tier(of: student) == .premium else {
                throw context.refuse(
                    .premiumOnly,
                    .words(english: "reports of all results", arabic: "تصدير تقارير الأداء"))
            }
            let progress = context.state.learning[student]
            context.record(
                Report.Exported(
                    report: report,
                    student: student,
                    exams: progress?.completedExams ?? 0,
                    practices: progress?.completedPractices ?? 0), on: report)
        }
    }
}
