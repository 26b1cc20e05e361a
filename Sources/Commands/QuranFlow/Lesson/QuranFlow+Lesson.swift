import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Publishes, or revises, what a level learns in a week.
    struct PublishLesson: Command {
        static let type = "quranflow.lesson.publish"
        var level = 0
        var week = 0
        var topic: Filled = ""
        var objectives: [FilledText] = []
        var videos: [Lesson.Video] = []
        var passage = Passage()
        var notes: Filled?

        func problem(_ names: Names) -> String? {
            rangeProblem(
                ("level", level, Policy.levels), ("week", week, Policy.weekNumbers),
                ("objectives", objectives.count, 0...6), ("videos", videos.count, 1...9),
                ("seconds", videos.map(\.seconds).min(), recordingSeconds),
                ("seconds", videos.map(\.seconds).max(), recordingSeconds))
                ?? passageProblem(passage)
        }

        func senders(in state: State) -> Senders { .admin }

        /// The lesson's own videos may come again (R1).
        func decide(in context: Context) throws(Rejection) {
            try context.checkVideos(videos.map(\.video)) {
                $0.kind == .lesson && $0.level == level && $0.week == week
            }
            let stream = context.lessonStream(level: level, week: week)
            let version = Lesson.Version.with {
                $0.level = level
                $0.week = week
                $0.topic = topic
                $0.objectives = objectives.map(\.text)
                $0.videos = videos
                $0.passage = passage
                $0.notes = notes
            }
            if context.state.lesson(level: level, week: week) == nil {
                context.record(
                    Lesson.Published(
                        version: version), on: stream)
            } else {
                context.record(
                    Lesson.Revised(
                        version: version), on: stream)
            }
        }
    }

    /// A student's command about the lesson of a week of their enrolment.
    protocol LessonCommand: Command {
        var enrollment: EnrollmentID { get set }
        var week: Int { get set }
    }

    /// Marks a lesson complete, once its videos are watched (R15).
    struct CompleteLesson: LessonCommand {
        static let type = "quranflow.lesson.complete"
        var enrollment = EnrollmentID.none
        var week = 0

        func decide(in context: Context) throws(Rejection) {
            let row = try findWeek(in: context)
            switch context.state.lessonState(row, week: week, at: context.at) {
            case .locked: throw .weekLocked
            case .unpublished: throw .lessonNotPublished
            case .complete: throw .alreadyComplete
            case .inProgress, .notStarted: throw .videosUnwatched
            case .watched: break
            }
            context.record(
                Lesson.Completed(
                    student: row.student,
                    week: week), on: enrollment)
        }
    }

    /// Marks a completed lesson as not complete (R15).
    struct ReopenLesson: LessonCommand {
        static let type = "quranflow.lesson.reopen"
        var enrollment = EnrollmentID.none
        var week = 0

        func decide(in context: Context) throws(Rejection) {
            let row = try findWeek(in: context)
            if !row.weekRows[week - 1].isLessonComplete { throw .lessonNotComplete }
            context.record(
                Lesson.Reopened(
                    student: row.student,
                    week: week), on: enrollment)
        }
    }
}

extension QuranFlow.LessonCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("enrollment", &enrollment)
        coder.field("week", &week)
    }

    func problem(_ names: Names) -> String? {
        rangeProblem(("week", week, 1...Bounds.count.upperBound))
    }

    func senders(in state: QuranFlow.State) -> Senders { .student }

    /// The student's own enrolment, which is active and has this week.
    fileprivate func findWeek(
        in context: QuranFlow.Context
    ) throws(QuranFlow.Rejection) -> QuranFlow.EnrollmentRow {
        let row = try context.findOwn(enrollment)
        if !row.isActive { throw .enrollmentNotActive }
        if !row.isWeek(week) { throw .noSuchWeek }
        return row
    }
}
