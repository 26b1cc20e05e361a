import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Reports a play position (R15).
    struct WatchVideo: Command {
        static let type = "quranflow.video.watch"
        var student = StudentID.none
        var video = VideoID.none
        var position = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("video", &video)
            coder.field("position", &position)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.student(student)
            guard let shown = state.videos[video] else { throw .notFound }
            if position > shown.seconds { throw .positionPastEnd }
            switch shown.kind {
            case .lesson:
                let isUnlocked = row.enrollments.contains { id in
                    state.enrollments.read(id) {
                        $0.level == shown.level && $0.isUnlocked(shown.week, at: context.at)
                    } ?? false
                }
                if !isUnlocked { throw .weekLocked }
            case .session:
                guard let session = shown.session, state.isSession(session, for: student) else {
                    throw .sessionNotForYou
                }
            case .orientation: break
            }
            context.record(
                Video.Progressed.with {
                    $0.video = video
                    $0.kind = shown.kind
                    $0.position = position
                    $0.seconds = shown.seconds
                }, student: student)
            let threshold = state.policy.watchedPercent
            if !state.isWatched(video, by: student),
                position.multipliedClamping(100) >= shown.seconds.multipliedClamping(threshold)
            {
                context.record(
                    Video.Watched.with {
                        $0.video = video
                        $0.kind = shown.kind
                        $0.threshold = threshold
                    }, student: student)
            }
        }
    }

    struct CompleteLesson: Command {
        static let type = "quranflow.lesson.complete"
        var enrollment = EnrollmentID.none
        var week = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("week", &week)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("week", week, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            if !row.isWeek(week) { throw .noSuchWeek }
            switch context.state.lessonState(row, week: week, at: context.at) {
            case .locked: throw .weekLocked
            case .unpublished: throw .lessonNotPublished
            case .complete: throw .alreadyComplete
            case .inProgress, .notStarted: throw .videosUnwatched
            case .watched: break
            }
            context.record(
                Enrollment.LessonCompleted.with {
                    $0.student = row.student
                    $0.week = week
                }, enrollment: enrollment)
        }
    }

    struct ReopenLesson: Command {
        static let type = "quranflow.lesson.reopen"
        var enrollment = EnrollmentID.none
        var week = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("week", &week)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("week", week, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            if !row.isWeek(week) { throw .noSuchWeek }
            if !row.weekRows[week - 1].isLessonComplete { throw .lessonNotComplete }
            context.record(
                Enrollment.LessonReopened.with {
                    $0.student = row.student
                    $0.week = week
                }, enrollment: enrollment)
        }
    }
}
