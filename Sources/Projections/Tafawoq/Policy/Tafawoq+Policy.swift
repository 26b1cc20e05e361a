import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Every policy value with its default and where it was adopted (shared page, Policies).
    static let policyView = ReadModel<State>(
        "tafawoq.policy", "Which values are in force?", basis: .on(Grounds.rules)
    ) { state, _, output in
        Policy.write(state.policies.entries, to: &output)
        return true
    }
}
