import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Writes what the results of exams and practices have in common; null until completed (R32, R33).
    static func writeTally(
        _ tally: Outcome.Tally?, _ kind: SittingKind, to output: inout JSONOutput
    ) {
        output.member("questions", tally?.questions)
        output.member("incorrect", tally?.incorrect)
        output.member("skipped", tally?.skipped)
        output.member("voided", tally?.voided)
        output.member("seconds", tally?.seconds)
        output.member("averageSeconds", tally?.averageSeconds)
        output.member("categories", tally?.categories)
        output.member("strengths", tally?.strengths)
        output.member("weaknesses", tally?.weaknesses)
        guard let tally else { return output.member("advice", JSON.null) }
        output.array("advice", tally.advice) { output, advice in
            output.object { output in
                output.member("code", advice.code)
                if let section = advice.section { output.member("section", section) }
                if let category = advice.category { output.member("category", category) }
                if let minutes = advice.minutes { output.member("minutes", minutes) }
                if let count = advice.count { output.member("count", count) }
                if let difficulty = advice.difficulty { output.member("difficulty", difficulty) }
                output.both("text", Texts.text(of: advice, kind))
            }
        }
    }

    /// Writes what may be done next.
    static func writeActions(
        _ actions: [(action: String, target: String)], to output: inout JSONOutput
    ) {
        output.array("actions", actions) { output, entry in
            output.object { output in
                output.member("action", entry.action)
                output.member("target", entry.target)
            }
        }
    }
}
