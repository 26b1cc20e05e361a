package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct ScheduleSession: Command {
        package static let type = "quranflow.session.schedule"
        var session = SessionID.none
        var kind = Session.Kind.levelClass
        var title = ""
        var description: String?
        var startsAt = Instant.epoch
        var minutes = 0
        var joinUrl = ""
        var gender = Session.Audience.all
        var level: Int?
        var semester: SemesterID?
        var week: Int?
        var coach: CoachID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("kind", &kind)
            coder.filled("title", &title)
            coder.optionalFilled("description", &description)
            coder.field("startsAt", &startsAt)
            coder.field("minutes", &minutes)
            coder.filled("joinUrl", &joinUrl)
            coder.field("gender", &gender)
            coder.optional("level", &level)
            coder.optional("semester", &semester)
            coder.optional("week", &week)
            coder.optional("coach", &coach)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(
                ("minutes", minutes, 5...480), ("level", level, Policy.levels),
                ("week", week, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            if let semester { _ = try programme.semester(semester) }
            if let coach { try programme.findCoach(coach) }
            if programme.sessions.contains(session) { throw .alreadyExists }
            if startsAt <= scene.at { throw .startsInPast }
            if kind == .readingCircle, gender == .all { throw .genderRequired }
            if kind == .levelClass, level == nil { throw .levelRequired }
            if kind == .readingCircle || kind == .officeHours, coach == nil { throw .coachRequired }
            if let coach, programme.isRetired(coach) { throw .coachRetired }
            scene.record(
                Session.Scheduled.with {
                    $0.kind = kind
                    $0.title = title
                    $0.description = description
                    $0.startsAt = startsAt
                    $0.endsAt = startsAt + Int64(minutes) * 60
                    $0.joinUrl = joinUrl
                    $0.gender = gender
                    $0.level = level
                    $0.semester = semester
                    $0.week = week
                    $0.coach = coach
                }, session: session)
            scene.notify(.scheduled, of: session, startsAt: startsAt)
        }
    }

    package struct MoveSession: Command {
        package static let type = "quranflow.session.move"
        var session = SessionID.none
        var startsAt = Instant.epoch
        var minutes: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("startsAt", &startsAt)
            coder.optional("minutes", &minutes)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("minutes", minutes, 5...480))
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.openSession(session)
            if startsAt <= scene.at { throw .startsInPast }
            let length = row.endsAt.milliseconds(since: row.startsAt) / 1000
            let endsAt = startsAt + (minutes.map { Int64($0) * 60 } ?? length)
            if startsAt == row.startsAt, endsAt == row.endsAt { throw .nothingChanged }
            scene.record(
                Session.Moved.with {
                    $0.fromStartsAt = row.startsAt
                    $0.startsAt = startsAt
                    $0.endsAt = endsAt
                }, session: session)
            scene.notify(.moved, of: session, startsAt: startsAt)
        }
    }

    package struct CancelSession: Command {
        package static let type = "quranflow.session.cancel"
        var session = SessionID.none
        var reason: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.optionalFilled("reason", &reason)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.openSession(session)
            scene.record(
                Session.Cancelled.with {
                    $0.reason = reason
                    $0.going = row.going
                }, session: session)
            scene.notify(.cancelled, of: session, startsAt: row.startsAt)
        }
    }

    package struct PublishSessionRecording: Command {
        package static let type = "quranflow.session.publish-recording"
        var session = SessionID.none
        var video = VideoID.none
        var seconds = 0
        var source = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("video", &video)
            coder.field("seconds", &seconds)
            coder.filled("source", &source)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.session(session)
            if row.isCancelled { throw .sessionCancelled }
            if scene.at < row.endsAt { throw .sessionNotEnded }
            if row.recording != nil { throw .alreadyRecorded }
            try scene.state.checkVideos([video])
            scene.record(
                Session.RecordingPublished.with {
                    $0.video = video
                    $0.seconds = seconds
                    $0.source = source
                }, session: session)
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// A session that is neither cancelled nor ended (R26).
    func openSession(
        _ session: QuranFlow.SessionID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        let row = try state.session(session)
        if row.isCancelled { throw .sessionCancelled }
        if at >= row.endsAt { throw .sessionEnded }
        return row
    }
}
