package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The ratings about one subject, summed up.
    package struct RatingRow: Record {
        package var count = 0
        package var sum = 0

        package init() {}
    }

    /// A student's opinion, without what the event says: its text is personal.
    package struct OpinionRow: Record {
        package var position = Position.zero
        package var student = StudentID.none
        package var about = Feedback.About.empty

        package init() {}
    }
}

extension Tafawoq.State {
    static func feedbackRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Feedback.Given.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.feedbacks.insert(.init(), at: event.feedback)
            var opinion = Tafawoq.OpinionRow()
            opinion.position = metadata.position
            opinion.student = event.student
            opinion.about = event.about
            state.opinions.append(opinion, to: .only, at: state.count(\.feedbacks))
            guard let rating = event.rating else { return }
            let index = Tafawoq.Feedback.About.allCases.firstIndex(of: event.about) ?? 0
            state.ratings.update(Ordinal(index)) {
                $0.count += 1
                $0.sum = $0.sum.addingClamping(rating)
            }
        }
    }
}
