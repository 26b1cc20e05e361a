import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A student's first screen: last exam, averages and directions by category, access, trial and grace
    /// (R32, R48).
    static let dashboardView = ReadModel<State>(
        "tafawoq.dashboard", "What does the first screen show?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let now = request.now
        let progress = state.learning[student] ?? LearningRow()
        let exams = state.completedExams(of: student)
        let averages = averages(over: exams.map(\.score), window: state.policy.trendWindow)
        let isEmpty = exams.isEmpty && progress.completedPractices == 0
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
                output.member("completedAt", last.row.end?.at)
                output.member("verbal", last.score.verbal)
                output.member("quantitative", last.score.quantitative)
                output.member("overall", last.score.overall)
                output.member("band", last.score.band)
                output.member("colour", last.score.colour)
            }
            output.member("examsCompleted", exams.count)
            output.member("practicesCompleted", progress.completedPractices)
            output.member("practiceHours", Percent(hoursOf: progress.practiceSeconds))
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
}
