package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// One week of an enrolment.
    package struct WeekRow: Record {
        package var isLessonComplete = false
        /// In the order in which they were submitted.
        package var recordings: [RecordingID] = []
        package var hasOnTime = false
        /// How many recordings have feedback, and how many of these are reviewed.
        package var withFeedback = 0
        package var reviewed = 0

        package init() {}

        package var hasUnreviewed: Bool { reviewed < withFeedback }

        /// There is a recording, and feedback to all of them is given and reviewed.
        package var isAllReviewed: Bool { !recordings.isEmpty && reviewed == recordings.count }
    }

    /// What a week is to the student, with its label (R30).
    package enum WeekStatus: String, Choice {
        case upcoming
        case feedbackReady = "feedback-ready"
        case complete, incomplete
        case inProgress = "in-progress"
        case notStarted = "not-started"

        package var label: String {
            switch self {
            case .upcoming: "Upcoming"
            case .feedbackReady: "Feedback Ready"
            case .complete: "Complete"
            case .incomplete: "Incomplete"
            case .inProgress: "In Progress"
            case .notStarted: "Not Started"
            }
        }
    }
}

extension QuranFlow.State {
    static func weekRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Week.Unlocked.self) { state, event, metadata in
            state.timers.cancel(.weekUnlock(week: event.week), on: metadata.stream)
        }
    }

    /// Changes a week of the enrolment whose stream the event is on.
    func updateWeek(
        _ metadata: EventMetadata, _ week: Int, _ body: (inout QuranFlow.WeekRow) -> Void
    ) {
        enrollments.updateExisting(thing(of: metadata)) { row in
            if row.isWeek(week) { body(&row.weekRows[week - 1]) }
        }
    }

    /// The status of a week: the first that holds (R30).
    package func weekStatus(
        _ row: QuranFlow.EnrollmentRow, week: Int, at instant: Instant
    ) -> QuranFlow.WeekStatus {
        guard row.isUnlocked(week, at: instant) else { return .upcoming }
        let content = row.weekRows[week - 1]
        if content.hasUnreviewed { return .feedbackReady }
        if content.isLessonComplete, content.isAllReviewed,
            lesson(level: row.level, week: week) != nil
        {
            return .complete
        }
        if row.isOver(week, at: instant), week >= row.firstWeek, content.recordings.isEmpty {
            return .incomplete
        }
        if !content.recordings.isEmpty { return .inProgress }
        switch lessonState(row, week: week, at: instant) {
        case .inProgress, .watched, .complete: return .inProgress
        case .locked, .unpublished, .notStarted: return .notStarted
        }
    }
}

extension QuranFlow.EnrollmentRow {
    /// The weeks that the student is behind with, ascending (R19). One with an active enrolment is not in
    /// Advanced.
    package func weeksBehind(at instant: Instant) -> [Int] {
        guard isActive, firstWeek <= weeks else { return [] }
        return (firstWeek...weeks).filter {
            isOver($0, at: instant) && weekRows[$0 - 1].recordings.isEmpty
        }
    }

    /// The oldest gap: the lowest week that the student is behind with, else the lowest unlocked week without
    /// a recording, else the current one (R31).
    package func oldestGap(at instant: Instant) -> Int {
        if let first = weeksBehind(at: instant).first { return first }
        let current = max(1, currentWeek(at: instant))
        return (1...max(1, weeks)).first {
            isUnlocked($0, at: instant) && weekRows[$0 - 1].recordings.isEmpty
        } ?? current
    }
}
