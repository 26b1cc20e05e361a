import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

/// How the views find what a key names. R2: what is an erased student's is nobody's.
extension Tafawoq.State {
    /// The id behind a text; nil when no event has ever used it.
    func id<T>(_ text: String) -> Identifier<T>? { names.known(text).map { Identifier($0) } }

    func student(_ key: String) -> (id: Tafawoq.StudentID, row: Tafawoq.StudentRow)? {
        guard let id: Tafawoq.StudentID = id(key), let row = students[id], !row.isErased else {
            return nil
        }
        return (id, row)
    }

    func sitting(
        _ kind: Tafawoq.SittingKind, _ key: String
    ) -> (key: Tafawoq.SittingKey, row: Tafawoq.SittingRow)? {
        guard let id: Tafawoq.SittingID = id(key), let row = sittings[.init(kind, id)],
            exists(row.student)
        else { return nil }
        return (.init(kind, id), row)
    }

    func texts<T>(_ ids: [Identifier<T>]) -> [String] { ids.map { names.text($0) } }

    var studentKeys: [String] { texts(students.allKeys.filter { exists($0) }) }

    func sittingKeys(_ kind: Tafawoq.SittingKind) -> [String] {
        texts(
            sittings.allKeys.filter { key in
                key.kind == kind && (sittings[key].map { exists($0.student) } ?? false)
            }.map(\.id))
    }
}

extension Tafawoq {
    static let upgradeTarget = "tafawoq://subscription/upgrade"
    static let paymentTarget = "tafawoq://subscription/payment"

    /// What the views' bases are made of.
    enum Grounds {
        typealias Query = Basis.Query

        /// What is in force, and the quota.
        static let rules = Query.types(PolicyAdopted.self, QuotaReported.self)

        /// Who else practised (R47).
        static let peers = Query.types(
            Account.Registered.self, Practice.Started.self, Practice.Completed.self,
            AccountErased.self)

        /// All that a student did.
        static let life = Query.all(.tag("student"), .erasure)

        /// An exam or practice, with its student.
        static func sitting(_ noun: String) -> Query {
            Query.stream(noun).each("student", .tag("student"), .erasure)
        }
    }
}

extension Tafawoq.Week {
    func write(to output: inout JSONOutput) {
        output.member("weekStart", start)
        output.member("weekEnd", end)
    }
}

extension Percent {
    /// Hours of so many seconds, to two decimals (R40).
    init(hoursOf seconds: Int) { self.init(meanOf: seconds.multipliedClamping(100), by: 3600) }
}
