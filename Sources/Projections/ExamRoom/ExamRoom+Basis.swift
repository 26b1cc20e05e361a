import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What the views' bases are made of (ADR 0020).
    enum Grounds {
        typealias Query = Basis.Query

        /// Who a person is: their account's own events, and that it was erased.
        static let account = Query.all(.stream("account"), .erasure)

        /// All that a student did, with the exams that they did it at: events about an unknown exam are not
        /// folded.
        static let studentLife = Query.tag("student").each("exam", .stream("exam"))

        /// All that happened at an exam, with the people it happened to: deleted students do not count.
        static let examLife = Query.tag("exam").each("student", account)

        /// One attempt, with its exam and its student.
        static let attempt = Query.stream("attempt").each("exam", .stream("exam"))
            .each("student", account)

        /// The same with the student's others, among which it has a number.
        static let numberedAttempt = attempt.each("student", .tag("student"))

        /// What every exam consists of.
        static let allExams = Query.types(
            named: eventTraits.filter { $0.value.noun == "exam" }.map(\.key).sorted())

        static let policy = Query.types(PolicyAdopted.self)
    }
}
