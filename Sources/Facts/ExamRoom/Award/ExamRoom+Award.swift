package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A badge that a student earned (R28).
    package struct BadgeRow: Record {
        package var badge = ""
        package var name = ""
        package var attempt = AttemptID.none
        package var earnedAt = Instant.epoch

        package init() {}
    }

    /// One entry of a student's award history.
    package struct AwardRow: Record {
        /// `points`, `milestone` or the badge.
        package var what = ""
        package var amount: SignedInt?
        package var attempt: AttemptID?
        package var at = Instant.epoch

        package init() {}
    }
}

extension ExamRoom.State {
    static func awardRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Award.PointsAwarded.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.attempts.updateExisting(event.attempt) { $0.earn(event.points) }
            state.changeStudent(event.student) { $0.points = event.total }
            state.remember(event.student, "points", event.points, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.PointsAdjusted.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.attempts.updateExisting(event.attempt) { $0.earn(event.newPoints) }
            state.changeStudent(event.student) { $0.points = event.total }
            state.remember(
                event.student, "points", event.newPoints - event.oldPoints, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.BadgeEarned.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.changeStudent(event.student) {
                var badge = ExamRoom.BadgeRow()
                badge.badge = event.badge
                badge.name = event.name
                badge.attempt = event.attempt
                badge.earnedAt = metadata.moment
                $0.badges.append(badge)
            }
            state.remember(event.student, event.badge, nil, event.attempt, metadata)
        }
        routes.on(ExamRoom.Award.MilestoneUnlocked.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.changeStudent(event.student) { $0.unlocked.append(event.milestone) }
            state.remember(event.student, "milestone", event.milestone, nil, metadata)
        }
    }

    private func remember(
        _ student: ExamRoom.StudentID, _ what: String, _ amount: Int?,
        _ attempt: ExamRoom.AttemptID?, _ metadata: EventMetadata
    ) {
        let place = students.update(student) { row in
            row.awards += 1
            return row.awards - 1
        }
        var award = ExamRoom.AwardRow()
        award.what = what
        award.amount = amount.map(SignedInt.init)
        award.attempt = attempt
        award.at = metadata.moment
        awards.append(award, to: student, at: place)
    }
}
