package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A milestone that was reached (R41).
    package struct MilestoneRow: Record {
        package var milestone = ""
        package var at = Instant.epoch
        package var value = Percent.zero

        package init() {}
    }
}

extension Tafawoq.State {
    static func milestoneRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Milestone.Reached.self) { state, event, metadata in
            guard let count = state.students.read(event.student, { $0.milestones.count }) else {
                return
            }
            var row = Tafawoq.MilestoneRow()
            row.milestone = event.milestone
            row.at = metadata.at
            row.value = event.value
            state.milestones.append(row, to: event.student, at: count)
            state.students.updateExisting(event.student) { $0.milestones.append(event.milestone) }
        }
    }
}
