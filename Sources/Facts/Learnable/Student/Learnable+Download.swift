import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func downloadRoutes(_ routes: inout Routes<Learnable.State>) {
        // Only the student's reminders ask for it, as for every event.
        routes.on(Learnable.Download.Made.self) { _, _, _ in }
    }
}
