package import Core
package import Folding
package import QuranFlowEvents

extension QuranFlow {
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
        /// RSVPs in force.
        package var going = 0
        /// The length of the list of those who ever made one.
        package var attendees = 0
        package var recording: VideoID?
        package var recordingSeconds = 0
        package var source = ""
        /// The policy's value when the reminder was set.
        package var reminderMinutes = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("title", &title)
            coder.field("description", &description)
            coder.field("startsAt", &startsAt)
            coder.field("endsAt", &endsAt)
            coder.field("joinUrl", &joinUrl)
            coder.field("gender", &gender)
            coder.field("level", &level)
            coder.field("semester", &semester)
            coder.field("week", &week)
            coder.field("coach", &coach)
            coder.field("isCancelled", &isCancelled)
            coder.field("reason", &reason)
            coder.field("movedFrom", &movedFrom)
            coder.field("going", &going)
            coder.field("attendees", &attendees)
            coder.field("recording", &recording)
            coder.field("recordingSeconds", &recordingSeconds)
            coder.field("source", &source)
            coder.field("reminderMinutes", &reminderMinutes)
        }
    }

    /// Sessions that start on a UTC day.
    package struct SessionDay: Record {
        package var sessions: [SessionID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("sessions", &sessions)
        }
    }

    package struct AttendanceRow: Record {
        package var isGoing = false
        package var hasJoined = false
        /// Stands in the session's list of attendees.
        package var isListed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("isGoing", &isGoing)
            coder.field("hasJoined", &hasJoined)
            coder.field("isListed", &isListed)
        }
    }

    /// R25: how a session, or an appointment, stands at an instant.
    package enum SessionState: String, Choice {
        case cancelled, ended, live
        case startingSoon = "starting-soon"
        case upcoming

        package init(
            isCancelled: Bool, _ times: Range<Instant>, at instant: Instant, windowMinutes: Int
        ) {
            if isCancelled {
                self = .cancelled
            } else if instant >= times.upperBound {
                self = .ended
            } else if instant >= times.lowerBound {
                self = .live
            } else if instant >= times.lowerBound - Int64(windowMinutes) * 60 {
                self = .startingSoon
            } else {
                self = .upcoming
            }
        }

        package var isJoinable: Bool { self == .startingSoon || self == .live }
    }
}

extension QuranFlow.SessionRow {
    package func state(
        at instant: Instant, _ policy: QuranFlow.Policy
    ) -> QuranFlow.SessionState {
        .init(
            isCancelled: isCancelled, startsAt..<endsAt, at: instant,
            windowMinutes: policy.joinWindowMinutes)
    }
}

extension QuranFlow.Programme {
    static func sessionRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.Session.Scheduled.self) { $0.scheduled($1, $2) }
        routes.on(QuranFlow.Session.Moved.self) { $0.moved($1, $2) }
        routes.on(QuranFlow.Session.Cancelled.self) { programme, fact, event in
            programme.sessions.updateExisting(programme.thing(of: event)) {
                $0.isCancelled = true
                $0.reason = fact.reason
            }
            programme.timers.cancelAll(on: event.stream)
        }
        routes.on(QuranFlow.Session.RecordingPublished.self) { programme, fact, event in
            let session: QuranFlow.SessionID = programme.thing(of: event)
            guard let title = programme.sessions.read(session, { $0.title }) else { return }
            programme.sessions.update(session) {
                $0.recording = fact.video
                $0.recordingSeconds = fact.seconds
                $0.source = fact.source
            }
            programme.videos.update(fact.video) {
                $0.kind = .session
                $0.title = title
                $0.seconds = fact.seconds
                $0.session = session
            }
            programme.catalogue { $0.recorded.append(session) }
        }
        routes.on(QuranFlow.Session.RSVPMade.self) { programme, fact, event in
            programme.attend(fact.student, event) { $0.isGoing = true }
            programme.sessions.updateExisting(programme.thing(of: event)) { $0.going = fact.going }
        }
        routes.on(QuranFlow.Session.RSVPWithdrawn.self) { programme, fact, event in
            programme.attend(fact.student, event) { $0.isGoing = false }
            programme.sessions.updateExisting(programme.thing(of: event)) { $0.going = fact.going }
        }
        routes.on(QuranFlow.Session.Joined.self) { programme, fact, event in
            programme.attend(fact.student, event) { $0.hasJoined = true }
        }
    }

    private func scheduled(_ fact: QuranFlow.Session.Scheduled, _ event: Circumstances) {
        let session: QuranFlow.SessionID = thing(of: event)
        sessions.update(session) {
            $0.kind = fact.kind
            $0.title = fact.title
            $0.description = fact.description
            $0.startsAt = fact.startsAt
            $0.endsAt = fact.endsAt
            $0.joinUrl = fact.joinUrl
            $0.gender = fact.gender
            $0.level = fact.level
            $0.semester = fact.semester
            $0.week = fact.week
            $0.coach = fact.coach
        }
        if fact.kind == .housewarming { catalogue { $0.housewarmings.append(session) } }
        list(session, on: fact.startsAt)
        remind(session, of: fact.startsAt, event)
    }

    private func moved(_ fact: QuranFlow.Session.Moved, _ event: Circumstances) {
        let session: QuranFlow.SessionID = thing(of: event)
        guard let former = sessions.read(session, { $0.startsAt }) else { return }
        sessions.update(session) {
            $0.movedFrom = fact.fromStartsAt
            $0.startsAt = fact.startsAt
            $0.endsAt = fact.endsAt
        }
        sessionDays.updateExisting(Self.day(former)) { day in
            day.sessions.removeAll { $0 == session }
        }
        list(session, on: fact.startsAt)
        timers.cancel(.sessionReminder, on: event.stream)
        remind(session, of: fact.startsAt, event)
    }

    static func day(_ instant: Instant) -> Ordinal { Ordinal(Int(instant.utcDate.days)) }

    private func list(_ session: QuranFlow.SessionID, on start: Instant) {
        let day = Self.day(start)
        sessionDays.update(day) { $0.sessions.append(session) }
        catalogue { $0.sessionDays.insertOnce(day) }
    }

    /// The reminder, when it lies after the event that set the start.
    private func remind(
        _ session: QuranFlow.SessionID, of start: Instant, _ event: Circumstances
    ) {
        let minutes = policy.sessionReminderMinutes
        let due = start - Int64(minutes) * 60
        guard due > event.at else { return }
        sessions.updateExisting(session) { $0.reminderMinutes = minutes }
        timers.set(.sessionReminder, on: event.stream, due: due, cause: event.position)
    }

    private func attend(
        _ student: QuranFlow.StudentID, _ event: Circumstances,
        _ body: (inout QuranFlow.AttendanceRow) -> Void
    ) {
        let session: QuranFlow.SessionID = thing(of: event)
        guard let place = sessions.read(session, { $0.attendees }) else { return }
        let key = Pair(session, student)
        if !attendances.contains(key) {
            students.updateExisting(student) { $0.sessions.append(session) }
        }
        let isNew = attendances.update(key) { row -> Bool in
            body(&row)
            defer { row.isListed = row.isListed || row.isGoing }
            return row.isGoing && !row.isListed
        }
        if isNew {
            sessions.update(session) { $0.attendees += 1 }
            attendees.append(student, to: session, at: place)
        }
    }
}

// MARK: - Asking

extension QuranFlow.Programme {
    /// Whom sessions are for (R24), of one student.
    package struct Eligibility {
        let gender: QuranFlow.Gender
        /// Of the active current enrolment.
        let enrollment: (level: Int, semester: QuranFlow.SemesterID)?

        package func covers(_ session: borrowing QuranFlow.SessionRow) -> Bool {
            switch session.gender {
            case .all: break
            case .female: if gender != .female { return false }
            case .male: if gender != .male { return false }
            }
            guard let enrollment else { return session.level == nil }
            return (session.level == nil || session.level == enrollment.level)
                && (session.semester == nil || session.semester == enrollment.semester)
        }
    }

    /// R24: with an active current enrolment its level and semester count; otherwise only sessions
    /// without a level are for the student.
    package func eligibility(of student: QuranFlow.StudentID) -> Eligibility {
        let id = students.read(student) { $0.current } ?? nil
        let active = id.flatMap { id in
            enrollments.read(id) { $0.isActive ? ($0.level, $0.semester) : nil } ?? nil
        }
        return Eligibility(
            gender: people.read(.init(student)) { $0.gender } ?? .female, enrollment: active)
    }

    package func isSession(_ session: QuranFlow.SessionID, for student: QuranFlow.StudentID) -> Bool
    {
        let eligibility = eligibility(of: student)
        return sessions.read(session) { eligibility.covers($0) } ?? false
    }

    package func isGoing(_ student: QuranFlow.StudentID, to session: QuranFlow.SessionID) -> Bool {
        attendances.read(.init(session, student)) { $0.isGoing } ?? false
    }

    /// Those with an RSVP in force, in no order that means anything.
    package func going(to session: QuranFlow.SessionID) -> [QuranFlow.StudentID] {
        attendees.elements(of: session, count: sessions.read(session) { $0.attendees } ?? 0)
            .filter { isGoing($0, to: session) }
    }

    /// The sessions that start from one instant up to another, in no order that means anything; all to
    /// come without an end.
    package func sessions(
        from start: Instant, before end: Instant? = nil
    ) -> [(id: QuranFlow.SessionID, row: QuranFlow.SessionRow)] {
        let first = Self.day(start)
        var found: [(id: QuranFlow.SessionID, row: QuranFlow.SessionRow)] = []
        let days = catalogues.read(.only) { $0.sessionDays } ?? []
        for day in days[days.firstPlace(from: first)...] {
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

extension [Ordinal] {
    /// The place of the first element that is not below; the array is ascending.
    package func firstPlace(from bound: Ordinal) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < bound.number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insertOnce(_ element: Ordinal) {
        let place = firstPlace(from: element)
        if place == count || self[place] != element { insert(element, at: place) }
    }
}
