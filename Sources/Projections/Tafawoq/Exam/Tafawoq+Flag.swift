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
        let all = state.flags.elements(of: .only, count: count)
            .filter { state.exists($0.student) }.reversed()
        let flags = all.filter { $0.pattern != .imageVoided }
        let voided = all.filter { $0.pattern == .imageVoided }
        output.object { output in
            page.write(total: flags.count, to: &output)
            output.member("flags", Array(flags[page.range(of: flags.count)]))
            output.member("voided", Array(voided.prefix(50)))
        }
        return true
    }
}
