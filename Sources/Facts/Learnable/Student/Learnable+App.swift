package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The latest opening of the app.
    package struct Opening: Record {
        package var at = Instant.epoch
        package var day = LocalDate.epoch
        package var landing = App.Landing.home

        package init() {}
    }
}

extension Learnable.State {
    static func appRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.App.Opened.self) { state, event, metadata in
            state.changeEpoch(of: event.student) { epoch in
                epoch.opened = .with {
                    $0.at = metadata.at
                    $0.day = event.day
                    $0.landing = event.landing
                }
                epoch.openDays.insert(event.day)
            }
        }
    }

    /// What greets a student who opens the app at an instant (R25).
    package func landing(
        of student: Learnable.StudentID, at instant: Instant
    ) -> Learnable.App.Landing {
        guard let row = students[student] else { return .home }
        let policy = policy
        if row.access(at: instant) == .none, policy.afterTrial == .wholeApp {
            return .subscription
        }
        let day = day(of: student, at: instant)
        guard waits(row.epoch, on: day) else { return .home }
        switch policy.dailyFirst {
        case .everyOpen: return .dailyQuiz
        case .firstOpen:
            let isFirst = epochs.read(row.epoch) { !$0.openDays.contains(day) } ?? true
            return isFirst ? .dailyQuiz : .home
        case .never: return .home
        }
    }
}
