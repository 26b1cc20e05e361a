import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Alerts to administrators, newest first (R46).
    static let alertsView = ReadModel<State>(
        "tafawoq.alerts", "What were administrators told?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let count = state.totals[.only]?.alerts ?? 0
        let alerts = Array(state.alerts.entries(count: count).reversed())
        output.object { output in
            page.write(total: alerts.count, to: &output)
            output.member("alerts", Array(alerts[page.range(of: alerts.count)]))
        }
        return true
    }
}
