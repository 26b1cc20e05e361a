import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

/// How the views find what a key or an argument names.
///
/// Names that the journal has never met are sorted out before a table is asked: a table makes room for each
/// key that it is asked about.
extension QuranFlow.State {
    func id<T>(_ text: String) -> Identifier<T>? { names.known(text).map { Identifier($0) } }

    func text<T>(_ id: Identifier<T>) -> String { names.text(id) }

    /// Sorts by a key, then by id.
    func sorted<E, K: Comparable, T>(
        _ elements: [E], by key: (E) -> K, id: (E) -> Identifier<T>, descending: Bool = false
    ) -> [E] {
        elements.map { (element: $0, key: key($0), text: text(id($0))) }.sorted { left, right in
            if left.key != right.key {
                return descending ? left.key > right.key : left.key < right.key
            }
            return left.text.precedes(right.text)
        }.map(\.element)
    }

    func name(_ coach: QuranFlow.CoachID?) -> String? {
        coach.flatMap { people[.init($0)]?.name }
    }

    /// The last day on which something of an enrolment is open that closes at an instant, by the programme's
    /// calendar (R35).
    func lastDay(of row: QuranFlow.EnrollmentRow, before end: Instant) -> String {
        QuranFlow.Formatter.lastDay(before: end, in: QuranFlow.zone(row.weekZone, names))
    }

    func topic(level: Int, week: Int) -> String? { lesson(level: level, week: week)?.topic }

    /// Students who are not erased.
    var studentKeys: [String] {
        names.texts(students.allKeys.filter { isPresent(.init($0)) })
    }

    var coachKeys: [String] {
        names.texts(coaches.allKeys.filter { isPresent(.init($0)) })
    }

    var enrollmentKeys: [String] { names.texts(enrollments.keys) }
}

extension ViewRequest {
    /// A whole number; nil when it is not given.
    func whole(_ name: String) throws(WrongArgument) -> Int? {
        guard let text = arguments[name] else { return nil }
        guard let number = Int(text), number >= 0, String(number) == text else {
            throw WrongArgument(name, "expected a whole number")
        }
        return number
    }

    /// A kind of session; nil for `all`, or when it is not given.
    func sessionKind() throws(WrongArgument) -> QuranFlow.Session.Kind? {
        arguments["kind"] == "all" ? nil : try choice("kind", QuranFlow.Session.Kind.self)
    }
}
