package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A run of the programme with its calendar (R4).
    package struct SemesterRow: Record {
        package var name = ""
        package var startsOn = LocalDate.epoch
        package var timeZone = InternedText.empty
        package var weekStarts: [Instant] = []
        package var enrollmentOpensAt: Instant?
        /// The length of its cohort.
        package var enrollments = 0

        package init() {}

        package var weeks: Int { weekStarts.count - 1 }
        package var startsAt: Instant { weekStarts.first ?? .epoch }

        /// The last week is over: no enrolment is opened in it (R6).
        package func isOver(at instant: Instant) -> Bool {
            weekStarts.last.map { instant >= $0 } ?? true
        }

        /// Students may open an enrolment in it (R12).
        package func isEnrollmentOpen(at instant: Instant) -> Bool {
            enrollmentOpensAt.map { instant >= $0 } ?? true
        }
    }
}

extension QuranFlow.State {
    static func semesterRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Semester.Scheduled.self) { $0.scheduled($1, $2) }
    }

    private func scheduled(_ event: QuranFlow.Semester.Scheduled, _ metadata: EventMetadata) {
        let semester: QuranFlow.SemesterID = thing(of: metadata)
        semesters.update(semester) {
            $0.name = event.name
            $0.startsOn = event.startsOn
            $0.timeZone = event.timeZone
            $0.weekStarts = event.weekStarts
            $0.enrollmentOpensAt = event.enrollmentOpensAt
        }
        updateCatalogue { $0.semesters.append(semester) }
        if let opensAt = event.enrollmentOpensAt, opensAt > metadata.at {
            timers.set(
                QuranFlow.TimerName.enrollmentOpen, on: metadata.stream, due: opensAt,
                cause: metadata.position)
        }
    }
}
