import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Plans a live session.
    struct ScheduleSession: Command {
        static let type = "quranflow.session.schedule"
        var session = SessionID.none
        var kind = Session.Kind.levelClass
        var title: Filled = ""
        var description: Filled?
        var startsAt = Instant.epoch
        var minutes = 0
        var joinUrl: Filled = ""
        var gender = Session.Audience.all
        var level: Int?
        var semester: SemesterID?
        var week: Int?
        var coach: CoachID?

        func problem(_ names: Names) -> String? {
            rangeProblem(
                ("minutes", minutes, 5...480), ("level", level, Policy.levels),
                ("week", week, Policy.weekNumbers))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            if let semester { try context.find(semester) }
            if let coach { try context.find(coach) }
            try context.checkIsFree(session, unless: state.sessions.contains(session))
            if startsAt <= context.at { throw .startsInPast }
            if kind == .readingCircle, gender == .all { throw .genderRequired }
            if kind == .levelClass, level == nil { throw .levelRequired }
            if kind == .readingCircle || kind == .officeHours, coach == nil { throw .coachRequired }
            if let coach, state.isRetired(coach) { throw .coachRetired }
            context.record(
                Session.Scheduled(
                    kind: kind,
                    title: title,
                    description: description,
                    startsAt: startsAt,
                    endsAt: startsAt + Minutes(minutes),
                    joinUrl: joinUrl,
                    gender: gender,
                    level: level,
                    semester: semester,
                    week: week,
                    coach: coach), on: session)
            context.notify(.scheduled, of: session, startsAt: startsAt)
        }
    }

    /// Moves a session to another start (R26).
    struct MoveSession: Command {
        static let type = "quranflow.session.move"
        var session = SessionID.none
        var startsAt = Instant.epoch
        var minutes: Int?

        func problem(_ names: Names) -> String? {
            rangeProblem(("minutes", minutes, 5...480))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(session)
            if startsAt <= context.at { throw .startsInPast }
            let length = row.endsAt.milliseconds(since: row.startsAt) / 1000
            let endsAt = startsAt + (minutes.map { Minutes($0).seconds } ?? length)
            if startsAt == row.startsAt, endsAt == row.endsAt { throw .nothingChanged }
            context.record(
                Session.Moved(
                    fromStartsAt: row.startsAt,
                    startsAt: startsAt,
                    endsAt: endsAt), on: session)
            context.notify(.moved, of: session, startsAt: startsAt)
        }
    }

    /// Calls a session off (R26).
    struct CancelSession: Command {
        static let type = "quranflow.session.cancel"
        var session = SessionID.none
        var reason: Filled?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(session)
            context.record(
                Session.Cancelled(
                    reason: reason,
                    going: row.going), on: session)
            context.notify(.cancelled, of: session, startsAt: row.startsAt)
        }
    }

    /// Publishes the recording of a session that has ended.
    struct PublishSessionRecording: Command {
        static let type = "quranflow.session.publish-recording"
        var session = SessionID.none
        var video = VideoID.none
        var seconds = 0
        var source: Filled = ""

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(session)
            if row.isCancelled { throw .sessionCancelled }
            if context.at < row.endsAt { throw .sessionNotEnded }
            if row.recording != nil { throw .alreadyRecorded }
            try context.checkVideos([video])
            context.record(
                Session.RecordingPublished(
                    video: video,
                    seconds: seconds,
                    source: source), on: session)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Timer `session-reminder`: fires unless the session is cancelled (R26).
    func remindOfSession(_ session: QuranFlow.SessionID) {
        guard let row = state.sessions[session], !row.isCancelled else { return }
        notifyReminder(of: session, row)
    }

    /// A session that is neither cancelled nor ended (R26).
    func findOpen(
        _ session: QuranFlow.SessionID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        let row = try find(session)
        if row.isCancelled { throw .sessionCancelled }
        if at >= row.endsAt { throw .sessionEnded }
        return row
    }
}
