import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func recurrenceRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Recurrence.Disabled.self) { state, event, _ in
            state.unlist(event.question)
            state.questions.updateExisting(event.question) {
                $0.isDisabled = true
                $0.events += 1
            }
        }
        routes.on(Learnable.Recurrence.Enabled.self) { state, event, _ in
            let level = state.questions.read(event.question) { $0.level } ?? 4
            state.decide(event.question, .init(.enabled, event.turn, level: level)) {
                $0.isDisabled = false
            }
        }
    }
}

extension Learnable.QuestionRow {
    /// In the pool, and its recurrence is not disabled (R20).
    package var isRecurring: Bool { !isDeleted && !isDisabled }
}
