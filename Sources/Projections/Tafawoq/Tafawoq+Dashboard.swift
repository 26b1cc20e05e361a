import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A category over several exams.
    struct CategoryAverage {
        let category: Category
        let average: Percent
        let exams: Int
        let direction: String

        func write(to output: inout JSONOutput) {
            output.object { output in
                output.member("category", category)
                output.member("section", category.section)
                output.member("average", average)
                output.member("exams", exams)
                output.member("direction", direction)
            }
        }
    }

    /// The averages of recorded scores over completed exams, in catalogue order.
    static func averages(over exams: [ExamScore], window: Int) -> [CategoryAverage] {
        Category.allCases.compactMap { category in
            let scores = exams.compactMap { exam in
                exam.tally.categories.first { $0.category == category }?.score
            }
            guard !scores.isEmpty else { return nil }
            let sum = scores.reduce(0) { $0.addingClamping(Int($1.hundredths)) }
            return CategoryAverage(
                category: category, average: Percent(meanOf: sum, by: scores.count),
                exams: scores.count, direction: direction(of: Array(scores.suffix(window))))
        }
    }

    /// R48
    static func direction(of scores: [Percent]) -> String {
        guard scores.count >= 2, let first = scores.first, let last = scores.last else {
            return "new"
        }
        let steps = zip(scores, scores.dropFirst())
        if last > first, steps.allSatisfy({ $0 <= $1 }) { return "improving" }
        if last < first, steps.allSatisfy({ $0 >= $1 }) { return "declining" }
        return "steady"
    }

    static let dashboardView = ReadModel<State>(
        "tafawoq.dashboard", "What does the first screen show?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let now = request.now
        let learned = state.learning[student] ?? LearningRow()
        let exams = state.completedExams(of: student)
        let averages = averages(over: exams.map(\.score), window: state.policy.trendWindow)
        let isEmpty = exams.isEmpty && learned.completedPractices == 0
        // Of equals the first in catalogue order.
        let strongest = averages.reduce(nil as CategoryAverage?) { best, next in
            best.map { next.average > $0.average ? next : $0 } ?? next
        }
        let weakest = averages.reduce(nil as CategoryAverage?) { worst, next in
            worst.map { next.average < $0.average ? next : $0 } ?? next
        }
        let paid = state.subscriptions[student] ?? SubscriptionRow()
        output.object { output in
            output.member("student", student)
            state.writeBadge(state.tier(of: student, at: now), to: &output)
            output.member("track", row.track)
            output.member("empty", isEmpty)
            output.both("text", isEmpty ? Texts.notice("dashboard-empty") : nil)
            output.objectOrNull("lastExam", !exams.isEmpty) { output in
                guard let last = exams.last else { return }
                output.member("exam", last.id)
                output.member("completedAt", last.row.endedAt)
                output.member("verbal", last.score.verbal)
                output.member("quantitative", last.score.quantitative)
                output.member("overall", last.score.overall)
                output.member("band", last.score.band)
                output.member("colour", last.score.colour)
            }
            output.member("examsCompleted", exams.count)
            output.member("practicesCompleted", learned.completedPractices)
            output.member("practiceHours", Percent(hoursOf: learned.practiceSeconds))
            write(strongest, "strongest", to: &output)
            write(weakest, "weakest", to: &output)
            output.array("categories", averages) { $1.write(to: &$0) }
            state.writeExamAccess(of: student, at: now, to: &output)
            state.writeTrial(of: paid, at: now, to: &output)
            state.writeGrace(of: paid, at: now, to: &output)
            output.member("lastActivityAt", row.activeAt)
        }
        return true
    }

    private static func write(
        _ entry: CategoryAverage?, _ name: String, to output: inout JSONOutput
    ) {
        output.objectOrNull(name, entry != nil) { output in
            output.member("category", entry?.category)
            output.member("average", entry?.average)
        }
    }

    static let reportView = ReadModel<State>(
        "tafawoq.report", "What was exported?", key: "report",
        keys: { state in
            state.texts(
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
                    output.member("completedAt", exam.row.endedAt)
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
                    output.member("completedAt", practice.row.endedAt)
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
