import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// The students whose placement falls due in the same hour; none is placed or erased.
    package struct WaitingHour: Record {
        package var students: [StudentID] = []

        package init() {}
    }
}

extension QuranFlow.State {
    static func placementRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Student.AssessmentSubmitted.self) { $0.assessed($1, $2) }
        routes.on(QuranFlow.Student.PlacementFellDue.self) { state, _, metadata in
            state.timers.cancel(.placementDue, on: metadata.stream)
        }
        routes.on(QuranFlow.Student.Placed.self) { state, _, metadata in
            state.waitNoMore(state.thing(of: metadata))
            state.updateStudent(metadata) { $0.isPlaced = true }
            state.timers.cancel(.placementDue, on: metadata.stream)
        }
    }

    private func assessed(_ event: QuranFlow.Student.AssessmentSubmitted, _ metadata: EventMetadata)
    {
        let student: QuranFlow.StudentID = thing(of: metadata)
        guard students.contains(student) else { return }
        waitNoMore(student)
        students.update(student) {
            $0.assessedAt = metadata.at
            $0.placementDueAt = event.placementDueAt
        }
        let hour = Self.hour(event.placementDueAt)
        waiting.update(hour) { $0.students.append(student) }
        updateCatalogue { $0.waitingHours.insertOnce(hour) }
        timers.set(
            .placementDue, on: metadata.stream, due: event.placementDueAt, cause: metadata.position)
    }

    /// Removes a student who is placed, or erased (R2), from the queue.
    func waitNoMore(_ student: QuranFlow.StudentID) {
        guard let row = students[student], row.isAwaitingPlacement else { return }
        let hour = Self.hour(row.placementDueAt)
        var isEmpty = false
        waiting.updateExisting(hour) { row in
            row.students.removeAll { $0 == student }
            isEmpty = row.students.isEmpty
        }
        guard isEmpty else { return }
        waiting.remove(hour)
        updateCatalogue { row in row.waitingHours.removeAll { $0 == hour } }
    }

    /// The students who wait for a placement, in the order of the hours in which it is due.
    package var studentsWhoWait: [QuranFlow.StudentID] {
        catalogue.waitingHours.flatMap { waiting[$0]?.students ?? [] }
    }

    private static func hour(_ instant: Instant) -> Ordinal { Ordinal(Int(instant.seconds / 3600)) }
}
