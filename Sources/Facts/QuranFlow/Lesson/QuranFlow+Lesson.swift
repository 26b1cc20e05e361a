package import Core
package import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// Level and week.
    package typealias LessonKey = Pair<Ordinal, Ordinal>

    /// The newest version of a lesson.
    package struct LessonRow: Record {
        package var topic = ""
        package var objectives: [String] = []
        package var videos: [Lesson.Video] = []
        package var passage = Passage()
        package var notes: String?
        package var revisions = 0

        package init() {}

        package var seconds: Int { videos.reduce(0) { $0.addingClamping($1.seconds) } }
    }

    /// How far a student is with a lesson (R15).
    package enum LessonState: String, Choice {
        case locked, unpublished, complete, watched
        case inProgress = "in-progress"
        case notStarted = "not-started"
    }
}

extension QuranFlow.LessonKey {
    package init(level: Int, week: Int) {
        self.init(Ordinal(level), Ordinal(week))
    }
}

extension QuranFlow.State {
    static func lessonRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Lesson.Published.self) { state, event, _ in
            state.publish(event.version, revisions: 0)
        }
        routes.on(QuranFlow.Lesson.Revised.self) { state, event, _ in
            let version = event.version
            guard let former = state.lesson(level: version.level, week: version.week) else {
                return
            }
            for video in former.videos { state.videos.remove(video.video) }
            state.publish(version, revisions: former.revisions + 1)
        }
        routes.on(QuranFlow.Lesson.Completed.self) { state, event, metadata in
            state.updateWeek(metadata, event.week) { $0.isLessonComplete = true }
        }
        routes.on(QuranFlow.Lesson.Reopened.self) { state, event, metadata in
            state.updateWeek(metadata, event.week) { $0.isLessonComplete = false }
        }
    }

    /// Makes a version the lesson of its week, and marks its videos as in use (R1).
    private func publish(_ version: QuranFlow.Lesson.Version, revisions: Int) {
        for video in version.videos {
            videos.update(video.video) {
                $0.kind = .lesson
                $0.title = video.title
                $0.seconds = video.seconds
                $0.level = version.level
                $0.week = version.week
            }
        }
        lessons.update(.init(level: version.level, week: version.week)) {
            $0.topic = version.topic
            $0.objectives = version.objectives
            $0.videos = version.videos
            $0.passage = version.passage
            $0.notes = version.notes
            $0.revisions = revisions
        }
    }

    package func lesson(level: Int, week: Int) -> QuranFlow.LessonRow? {
        lessons[.init(level: level, week: week)]
    }

    /// How far the student is with the lesson of a week of an enrolment (R15).
    package func lessonState(
        _ row: QuranFlow.EnrollmentRow, week: Int, at instant: Instant
    ) -> QuranFlow.LessonState {
        guard row.isUnlocked(week, at: instant) else { return .locked }
        guard let lesson = lesson(level: row.level, week: week) else { return .unpublished }
        if row.weekRows[week - 1].isLessonComplete { return .complete }
        var isStarted = false
        var areAllWatched = true
        for video in lesson.videos {
            let row = progress[.init(row.student, video.video)]
            isStarted = isStarted || row?.isStarted == true
            areAllWatched = areAllWatched && row?.isWatched == true
        }
        if areAllWatched { return .watched }
        return isStarted ? .inProgress : .notStarted
    }

    /// How many of a lesson's videos the student watched.
    package func watchedCount(_ lesson: QuranFlow.LessonRow, by student: QuranFlow.StudentID) -> Int
    {
        lesson.videos.count { isWatched($0.video, by: student) }
    }
}
