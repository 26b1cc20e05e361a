import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Every policy value with its default and where it was adopted (shared page, Policies).
    static let policyView = ReadModel<State>.policy(
        "Which values are in force?", basis: .on(Grounds.rules))
}
