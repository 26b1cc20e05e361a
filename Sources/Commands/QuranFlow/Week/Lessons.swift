package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Reports a play position (R15).
    package struct WatchVideo: Command {
        package static let type = "quranflow.video.watch"
        var student = StudentID.none
        var video = VideoID.none
        var position = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("video", &video)
            coder.field("position", &position)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.student(student)
            guard let shown = programme.videos[video] else { throw .notFound }
            if position > shown.seconds { throw .positionPastEnd }
            switch shown.kind {
            case .lesson:
                let isUnlocked = row.enrollments.contains { id in
                    programme.enrollments.read(id) {
                        $0.level == shown.level && $0.isUnlocked(shown.week, at: scene.at)
                    } ?? false
                }
                if !isUnlocked { throw .weekLocked }
            case .session:
                guard let session = shown.session, programme.isSession(session, for: student) else {
                    throw .sessionNotForYou
                }
            case .orientation: break
            }
            scene.record(
                Video.Progressed.with {
                    $0.video = video
                    $0.kind = shown.kind
                    $0.position = position
                    $0.seconds = shown.seconds
                }, student: student)
            let threshold = programme.policy.watchedPercent
            if !programme.isWatched(video, by: student),
                position.multipliedClamping(100) >= shown.seconds.multipliedClamping(threshold)
            {
                scene.record(
                    Video.Watched.with {
                        $0.video = video
                        $0.kind = shown.kind
                        $0.threshold = threshold
                    }, student: student)
            }
        }
    }

    package struct CompleteLesson: Command {
        package static let type = "quranflow.lesson.complete"
        var enrollment = EnrollmentID.none
        var week = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("week", &week)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("week", week, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            if !row.isWeek(week) { throw .noSuchWeek }
            switch scene.state.lessonState(row, week: week, at: scene.at) {
            case .locked: throw .weekLocked
            case .unpublished: throw .lessonNotPublished
            case .complete: throw .alreadyComplete
            case .inProgress, .notStarted: throw .videosUnwatched
            case .watched: break
            }
            scene.record(
                Enrollment.LessonCompleted.with {
                    $0.student = row.student
                    $0.week = week
                }, enrollment: enrollment)
        }
    }

    package struct ReopenLesson: Command {
        package static let type = "quranflow.lesson.reopen"
        var enrollment = EnrollmentID.none
        var week = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("week", &week)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("week", week, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            if !row.isWeek(week) { throw .noSuchWeek }
            if !row.weekRows[week - 1].isLessonComplete { throw .lessonNotComplete }
            scene.record(
                Enrollment.LessonReopened.with {
                    $0.student = row.student
                    $0.week = week
                }, enrollment: enrollment)
        }
    }
}
