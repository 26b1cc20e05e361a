import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Suspicious exams, newest first (R31).
    static let flagsView = ReadModel<State>(
        "tafawoq.flags", "Which exams are suspicious?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let count = state.totals[.only]?.flags ?? 0
        let flags = Array(
            state.flags.elements(of: .only, count: count)
                .filter { state.exists($0.student) }.reversed())
        output.object { output in
            page.write(total: flags.count, to: &output)
            output.member("flags", Array(flags[page.range(of: flags.count)]))
        }
        return true
    }
}
