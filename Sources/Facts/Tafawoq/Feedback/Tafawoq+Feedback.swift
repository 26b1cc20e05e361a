import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The ratings about one subject, summed up.
    package struct RatingRow: Record {
        package var count = 0
        package var sum = 0

        package init() {}
    }
}

extension Tafawoq.State {
    static func feedbackRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Feedback.Given.self) { state, event, _ in
            guard state.students.contains(event.student) else { return }
            state.feedbacks.insert(.init(), at: event.feedback)
            guard let rating = event.rating else { return }
            let index = Tafawoq.Feedback.About.allCases.firstIndex(of: event.about) ?? 0
            state.ratings.update(Ordinal(index)) {
                $0.count += 1
                $0.sum = $0.sum.addingClamping(rating)
            }
        }
    }
}
