package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow.State {
    static func advancedRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Advanced.Enrolled.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.advancedFrom = event.from }
        }
    }

    /// Sets the timer of the day on which graduates may enrol, if that is to come (R23).
    func awaitAdvanced(_ metadata: EventMetadata) {
        timers.cancel(.advancedOpen, on: metadata.stream)
        guard let opensAt = policy.advancedOpensAt, opensAt > metadata.at else { return }
        timers.set(.advancedOpen, on: metadata.stream, due: opensAt, cause: metadata.position)
    }

    /// The Level 4 enrolment of a graduate who is not in Advanced yet (R23).
    package func mayGoOn(_ student: QuranFlow.StudentRow) -> QuranFlow.EnrollmentID? {
        guard !student.isAdvanced, let id = student.current else { return nil }
        let isGraduate = enrollments.read(id) {
            $0.state == .graduated && $0.level == QuranFlow.Policy.levels.upperBound
        }
        return isGraduate == true ? id : nil
    }
}

extension QuranFlow.Policy {
    /// When graduates may enrol in Advanced: 00:00 UTC of the policy's day; nil for at once (R23).
    package var advancedOpensAt: Instant? {
        advancedEnrollmentOpensOn.map { TimeZoneRules.utc.instant(of: $0) }
    }
}
