import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The curve of a student's completed exams, each with its change against the one before.
    static let trendsView = ReadModel<State>(
        "tafawoq.trends", "How do the scores move?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, _) = state.student(request.key) else { return false }
        let page = try Page(request)
        let exams = state.completedExams(of: student)
        output.object { output in
            output.member("student", student)
            page.write(total: exams.count, to: &output)
            output.array("exams", page.range(of: exams.count)) { output, index in
                let exam = exams[index]
                output.object { output in
                    output.member("exam", exam.id)
                    output.member("completedAt", exam.row.end?.at)
                    output.member("verbal", exam.score.verbal)
                    output.member("quantitative", exam.score.quantitative)
                    output.member("overall", exam.score.overall)
                    output.member(
                        "change",
                        index == 0
                            ? nil
                            : exam.score.overall.points(
                                above: exams[index - 1].score.overall))
                }
            }
        }
        return true
    }

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

    /// Where the scores of a category are going (R48).
    static func direction(of scores: [Percent]) -> String {
        guard scores.count >= 2, let first = scores.first, let last = scores.last else {
            return "new"
        }
        let steps = zip(scores, scores.dropFirst())
        if last > first, steps.allSatisfy({ $0 <= $1 }) { return "improving" }
        if last < first, steps.allSatisfy({ $0 >= $1 }) { return "declining" }
        return "steady"
    }
}
