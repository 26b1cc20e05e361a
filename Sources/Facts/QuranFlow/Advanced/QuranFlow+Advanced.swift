package import Core
import Folding
import QuranFlowEvents

extension QuranFlow.State {
    static func advancedRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Advanced.Enrolled.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.advancedFrom = event.from }
        }
    }
}

extension QuranFlow.Policy {
    /// When graduates may enrol in Advanced: 00:00 UTC of the policy's day; nil for at once (R23).
    package var advancedOpensAt: Instant? {
        advancedEnrollmentOpensOn.map { TimeZoneRules.utc.instant(of: $0) }
    }
}
