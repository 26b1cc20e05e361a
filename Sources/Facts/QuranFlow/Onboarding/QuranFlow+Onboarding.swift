import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// How far the set-up is (R13).
    package struct OnboardingState: Record {
        package var taken: [Int] = []
        package var skipped: [Int] = []
        package var isComplete = false

        package init() {}

        /// The lowest step neither taken nor skipped; nil when all are done (R13).
        package var next: Int? {
            (1...Onboarding.Step.allCases.count).first {
                !taken.contains($0) && !skipped.contains($0)
            }
        }
    }
}

extension QuranFlow.State {
    static func onboardingRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Onboarding.StepTaken.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.onboarding.taken.append(event.step) }
        }
        routes.on(QuranFlow.Onboarding.StepSkipped.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.onboarding.skipped.append(event.step) }
        }
        routes.on(QuranFlow.Onboarding.Completed.self) { state, _, metadata in
            state.updateStudent(metadata) { $0.onboarding.isComplete = true }
        }
    }
}
