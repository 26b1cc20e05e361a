import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The queries that the read models' bases are made of.
    enum Grounds {
        typealias Query = Basis.Query

        /// The policy in force, and the quota.
        static let rules = Query.types(PolicyAdopted.self, QuotaReported.self)

        /// Who else practised (R47).
        static let peers = Query.types(
            Account.Registered.self, Practice.Started.self, Practice.Completed.self,
            AccountErased.self)

        /// All events of a student.
        static let life = Query.all(.tag("student"), .erasure)

        /// An exam or practice, with its student.
        static func sitting(_ noun: String) -> Query {
            Query.stream(noun).each("student", .tag("student"), .erasure)
        }
    }
}
