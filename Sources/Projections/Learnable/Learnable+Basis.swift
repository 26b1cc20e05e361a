import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What the bases of the read models have in common (ADR 0020).
    enum Grounds {
        typealias Query = Basis.Query

        static let policy = Query.types(PolicyAdopted.self)

        /// A student's own events, and their erasure.
        static let student = Query.all(.stream("student"), .erasure)

        /// A subject and its student; for a copy also its source, which is not folded without its author, and
        /// the offer, whose title it has.
        static let subject = Query.stream("subject").each("student", student)
            .each("subject", Query.stream("subject").each("student", student))
            .each("offer", .stream("offer"))

        /// Everything a student did, and their erasure; with the sources and the offers of copies.
        static let life = Query.all(
            Query.tag("student").each("subject", Query.stream("subject").each("student", student))
                .each("offer", .stream("offer")),
            .erasure)
    }
}
