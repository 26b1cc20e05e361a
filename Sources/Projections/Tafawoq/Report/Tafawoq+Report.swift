import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// An exported report: all results as of its own event.
    static let reportView = ReadModel<State>(
        "tafawoq.report", "What was exported?", key: "report",
        keys: { state in
            state.names.texts(
                state.reports.allKeys.filter { report in
                    state.reports[report].map { state.exists($0.student) } ?? false
                })
        }, basis: .on(Grounds.sitting("report"), Grounds.rules)
    ) { state, request, output in
        guard let report: ReportID = state.id(request.key), let row = state.reports[report],
            state.exists(row.student)
        else { return false }
        let exams = state.completedExams(of: row.student, first: row.exams)
        let practices = state.completedPractices(of: row.student, first: row.practices)
        let first = exams.first?.score.overall
        let last = exams.last?.score.overall
        output.object { output in
            output.member("report", report)
            output.member("student", row.student)
            output.member("exportedAt", row.at)
            output.array("exams", exams) { output, exam in
                output.object { output in
                    output.member("exam", exam.id)
                    output.member("completedAt", exam.row.end?.at)
                    output.member("verbal", exam.score.verbal)
                    output.member("quantitative", exam.score.quantitative)
                    output.member("overall", exam.score.overall)
                    output.member("band", exam.score.band)
                    output.member("seconds", exam.score.tally.seconds)
                    output.member("categories", exam.score.tally.categories)
                }
            }
            output.array("categories", averages(over: exams.map(\.score), window: row.trendWindow))
            {
                $1.write(to: &$0)
            }
            output.array("practices", practices) { output, practice in
                output.object { output in
                    output.member("practice", practice.id)
                    output.member("completedAt", practice.row.end?.at)
                    output.member("section", practice.row.scope)
                    output.member("difficulty", practice.row.difficulty)
                    output.member("score", practice.score.score)
                    output.member("seconds", practice.score.tally.seconds)
                }
            }
            output.member("firstOverall", first)
            output.member("lastOverall", last)
            output.member(
                "change",
                first.flatMap { first in
                    last.map { $0.points(above: first) }
                })
            output.member("practiceHours", Percent(hoursOf: row.practiceSeconds))
        }
        return true
    }
}
