import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// R7: where a student is. The change from one to the next needs no action of theirs.
    enum Phase: String, Choice {
        case unassessed
        case awaitingPlacement = "awaiting-placement"
        case preSemester = "pre-semester"
        case active, eoc, graduated, lapsed, withdrawn, advanced

        var isBeforePlacement: Bool { self == .unassessed || self == .awaitingPlacement }
        /// Inside an active enrolment's weeks, or after them while it is open.
        var isRunning: Bool { self == .active || self == .eoc }
        var isBetweenLevels: Bool { self == .graduated || self == .lapsed || self == .withdrawn }
    }

    /// One student, seen at one moment: what every view of theirs begins with.
    struct Learner {
        let state: State
        let policy: Policy
        let id: StudentID
        let row: StudentRow
        let now: Instant
        let teller: Teller
        /// R3.
        let current: (id: EnrollmentID, row: EnrollmentRow)?
        let phase: Phase

        /// Nil for one who does not exist, or is erased.
        init?(_ key: String, _ state: State, at now: Instant) {
            guard let id: StudentID = state.id(key), state.isPresent(.init(id)) else {
                return nil
            }
            self.init(id, state, at: now)
        }

        /// Erased or not: an enrolment of an erased student still prints (R2).
        init?(_ id: StudentID, _ state: State, at now: Instant) {
            guard let row = state.students[id] else { return nil }
            self.state = state
            policy = state.policy
            self.id = id
            self.row = row
            self.now = now
            teller = Teller(zone: state.names.text(row.timeZone), now: now)
            current = state.currentEnrollment(of: id)
            phase = Self.phase(of: row, current?.row, at: now)
        }

        private static func phase(
            of student: StudentRow, _ enrollment: EnrollmentRow?, at now: Instant
        ) -> Phase {
            if student.isAdvanced { return .advanced }
            guard let enrollment else {
                return student.assessedAt == nil ? .unassessed : .awaitingPlacement
            }
            switch enrollment.state {
            case .graduated: return .graduated
            case .lapsed: return .lapsed
            case .withdrawn: return .withdrawn
            case .active: break
            }
            if enrollment.currentWeek(at: now) == 0 { return .preSemester }
            return now < enrollment.eocOpensAt ? .active : .eoc
        }

        var name: String? { state.people[.init(id)]?.name }

        /// Inside the active enrolment's weeks its row, else nil.
        var running: EnrollmentRow? { phase.isRunning ? current?.row : nil }

        var placementText: String {
            "We're reviewing your assessment. You'll be placed in a level within "
                + "\(count(policy.placementHours, "hour"))."
        }

        /// R23: the level line; there is none in Advanced.
        var levelLine: String? {
            phase == .advanced ? nil : current.map { policy.levelLine($0.row.level) }
        }
    }
}

/// How the views find what a key or an argument names.
///
/// Names that the journal never met are told apart before a table is asked: a table makes room for
/// each key that it is asked about.
extension QuranFlow.State {
    func id<T>(_ text: String) -> Identifier<T>? { names.known(text).map { Identifier($0) } }

    func text<T>(_ id: Identifier<T>) -> String { names.text(id) }

    func texts<T>(_ ids: [Identifier<T>]) -> [String] { ids.map { text($0) } }

    /// Orders by something, and by id where that is the same.
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

    func topic(level: Int, week: Int) -> String? { lesson(level: level, week: week)?.topic }

    /// Students who are not erased.
    var studentKeys: [String] {
        texts(students.allKeys.filter { students.contains($0) && isPresent(.init($0)) })
    }

    var coachKeys: [String] {
        texts(coaches.allKeys.filter { coaches.contains($0) && isPresent(.init($0)) })
    }

    var enrollmentKeys: [String] { texts(enrollments.allKeys.filter { enrollments.contains($0) }) }
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
