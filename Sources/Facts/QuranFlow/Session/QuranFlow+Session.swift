package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A live session.
    package struct SessionRow: Record {
        package var kind = Session.Kind.levelClass
        package var title = ""
        package var description: String?
        package var startsAt = Instant.epoch
        package var endsAt = Instant.epoch
        package var joinUrl = ""
        package var gender = Session.Audience.all
        package var level: Int?
        package var semester: SemesterID?
        package var week: Int?
        package var coach: CoachID?
        package var isCancelled = false
        package var reason: String?
        package var movedFrom: Instant?
        /// How many RSVPs are in force.
        package var going = 0
        /// The length of the list of those who ever made one.
        package var attendees = 0
        package var recording: VideoID?
        package var recordingSeconds = 0
        package var source = ""
        /// The policy's value when the reminder was set.
        package var reminderMinutes = 0

        package init() {}
    }

    /// The sessions that start on a UTC day.
    package struct SessionDay: Record {
        package var sessions: [SessionID] = []

        package init() {}
    }

    /// The state of a session, or of an appointment, at an instant (R25).
    package enum SessionState: String, Choice {
        case cancelled, ended, live
        case startingSoon = "starting-soon"
        case upcoming

        package init(
            isCancelled: Bool, _ times: Range<Instant>, at instant: Instant, window: Minutes
        ) {
            if isCancelled {
                self = .cancelled
            } else if instant >= times.upperBound {
                self = .ended
            } else if instant >= times.lowerBound {
                self = .live
            } else if instant >= times.lowerBound - window {
                self = .startingSoon
            } else {
                self = .upcoming
            }
        }

        package var isJoinable: Bool { self == .startingSoon || self == .live }
    }
}

extension QuranFlow.SessionRow {
    /// The state at an instant (R25).
    package func state(
        at instant: Instant, _ policy: QuranFlow.Policy
    ) -> QuranFlow.SessionState {
        .init(
            isCancelled: isCancelled, startsAt..<max(startsAt, endsAt), at: instant,
            window: policy.joinWindowMinutes)
    }
}

extension QuranFlow.State {
    static func sessionRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Session.Scheduled.self) { $0.scheduled($1, $2) }
        routes.on(QuranFlow.Session.Moved.self) { $0.moved($1, $2) }
        routes.on(QuranFlow.Session.Cancelled.self) { state, event, metadata in
            state.sessions.updateExisting(state.thing(of: metadata)) {
                $0.isCancelled = true
                $0.reason = event.reason
            }
            state.timers.cancelAll(on: metadata.stream)
        }
        routes.on(QuranFlow.Session.RecordingPublished.self) { state, event, metadata in
            let session: QuranFlow.SessionID = state.thing(of: metadata)
            guard let title = state.sessions.read(session, { $0.title }) else { return }
            state.sessions.update(session) {
                $0.recording = event.video
                $0.recordingSeconds = event.seconds
                $0.source = event.source
            }
            state.videos.update(event.video) {
                $0.kind = .session
                $0.title = title
                $0.seconds = event.seconds
                $0.session = session
            }
            state.updateCatalogue { $0.recorded.append(session) }
        }
    }

    private func scheduled(_ event: QuranFlow.Session.Scheduled, _ metadata: EventMetadata) {
        let session: QuranFlow.SessionID = thing(of: metadata)
        sessions.update(session) {
            $0.kind = event.kind
            $0.title = event.title
            $0.description = event.description
            $0.startsAt = event.startsAt
            $0.endsAt = event.endsAt
            $0.joinUrl = event.joinUrl
            $0.gender = event.gender
            $0.level = event.level
            $0.semester = event.semester
            $0.week = event.week
            $0.coach = event.coach
        }
        if event.kind == .housewarming { updateCatalogue { $0.housewarmings.append(session) } }
        list(session, on: event.startsAt)
        remind(session, of: event.startsAt, metadata)
    }

    private func moved(_ event: QuranFlow.Session.Moved, _ metadata: EventMetadata) {
        let session: QuranFlow.SessionID = thing(of: metadata)
        guard let former = sessions.read(session, { $0.startsAt }) else { return }
        sessions.update(session) {
            $0.movedFrom = event.fromStartsAt
            $0.startsAt = event.startsAt
            $0.endsAt = event.endsAt
        }
        sessionDays.updateExisting(Self.day(former)) { day in
            day.sessions.removeAll { $0 == session }
        }
        list(session, on: event.startsAt)
        timers.cancel(.sessionReminder, on: metadata.stream)
        remind(session, of: event.startsAt, metadata)
    }

    private func list(_ session: QuranFlow.SessionID, on start: Instant) {
        let day = Self.day(start)
        sessionDays.update(day) { $0.sessions.append(session) }
        updateCatalogue { $0.sessionDays.insertOnce(day) }
    }

    /// The reminder, when it lies after the event that set the start.
    private func remind(
        _ session: QuranFlow.SessionID, of start: Instant, _ metadata: EventMetadata
    ) {
        let minutes = policy.sessionReminderMinutes
        let due = start - minutes
        guard due > metadata.at else { return }
        sessions.updateExisting(session) { $0.reminderMinutes = minutes.count }
        timers.set(.sessionReminder, on: metadata.stream, due: due, cause: metadata.position)
    }

    /// The sessions that start from one instant up to another, in no particular order; all to come
    /// without an end.
    package func sessions(
        from start: Instant, before end: Instant? = nil
    ) -> [(id: QuranFlow.SessionID, row: QuranFlow.SessionRow)] {
        let first = Self.day(start)
        var found: [(id: QuranFlow.SessionID, row: QuranFlow.SessionRow)] = []
        let days = catalogues.read(.only) { $0.sessionDays } ?? []
        for day in days[days.firstIndex(from: first)...] {
            if let end, Instant(seconds: Int64(day.number) * 86_400) >= end { break }
            for session in sessionDays[day]?.sessions ?? [] {
                guard let row = sessions[session], row.startsAt >= start else { continue }
                if let end, row.startsAt >= end { continue }
                found.append((session, row))
            }
        }
        return found
    }
}
