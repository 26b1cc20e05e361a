import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Who asked for help? The newest first.
    static let helpRequestsView = ReadModel<State>(
        "quranflow.help-requests", "Who asked for help?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let total = state.catalogue.help
        let shown = page.range(of: total)
        let entries = state.help.elements(
            of: .only, in: total - shown.upperBound..<total - shown.lowerBound)
        output.object { output in
            output.array("items", entries.reversed()) { state.write($1, to: &$0) }
            page.write(total: total, to: &output)
        }
        return true
    }
}

extension QuranFlow.State {
    fileprivate func write(_ entry: QuranFlow.HelpEntry, to output: inout JSONOutput) {
        let message = entry.message.flatMap { messages[$0] }
        let request = entry.request.flatMap { requests[$0] }
        let student = message?.student ?? request?.student ?? .none
        output.object { output in
            output.member("at", message?.at ?? request?.at)
            output.member("category", request?.category)
            output.member("coach", message?.coach)
            output.member("deliveredTo", message?.deliveredTo)
            output.member("id", entry.message.map { text($0) } ?? entry.request.map { text($0) })
            output.member("kind", message == nil ? "support" : "coach-message")
            output.member("name", people[.init(student)]?.name)
            output.member("student", student)
            output.member("text", message?.text ?? request?.text)
        }
    }
}
