import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Where a student is in the programme; the phase changes without an action of theirs (R7).
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
        let formatter: Formatter
        /// The current enrolment (R3).
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
            formatter = Formatter(zone: state.names.text(row.timeZone), now: now)
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

        /// The active enrolment, from its first week on.
        var running: EnrollmentRow? { phase.isRunning ? current?.row : nil }

        var placementText: String {
            "We're reviewing your assessment. You'll be placed in a level within "
                + "\(count(policy.placementHours.count, "hour"))."
        }

        /// When a placement is due that the student waits for (R10).
        var placementDueAt: Instant? {
            phase == .awaitingPlacement ? row.placementDueAt : nil
        }

        /// The level line; there is none in Advanced (R23).
        var levelLine: String? {
            phase == .advanced ? nil : current.map { policy.levelLine($0.row.level) }
        }
    }
}
