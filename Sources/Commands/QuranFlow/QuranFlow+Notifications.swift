import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

/// Raises the notifications of the page's table, each in one place (V1, V2).
extension DecisionContext<QuranFlow> {
    /// Raises a notification together with its cause: never to an erased person (R2), never against a switch.
    /// News, that a week or the assessment is there, is no reminder: the switch of its category leaves it alone.
    private func raise(
        _ kind: QuranFlow.Notification.Kind, to recipient: QuranFlow.Recipient,
        _ category: QuranFlow.Notification.Category, about: [(String, JSON)], link: JSON,
        naming others: (kind: String, id: Symbol)? = nil, isNews: Bool = false
    ) {
        guard let person = state.present(recipient.person), person.isCoach == recipient.isCoach
        else { return }
        var category = category
        var channels = [QuranFlow.Notification.Channel.push]
        if recipient.isCoach {
            // Coaches have no switches.
            category = .always
        } else {
            guard let settings = state.students[.init(recipient.person)]?.settings,
                isNews || settings.wants(category)
            else { return }
            channels = settings.channels
        }
        let event = QuranFlow.Notification.Raised(
            number: (state.inboxes.read(recipient.person) { $0.last } ?? 0) + 1,
            kind: kind,
            category: category,
            about: KeptJSON(.object(of: about)),
            link: KeptJSON(link),
            channels: channels,
            happenedAt: at)
        let stream = inboxStream(recipient)
        let tag = (kind: recipient.kind, id: recipient.person.symbol)
        if let others {
            record(event, on: stream, about: tag, others)
        } else {
            record(event, on: stream, about: tag)
        }
    }

    private func json<T>(_ id: Identifier<T>) -> JSON { .string(names.text(id)) }

    private func json(_ number: Int) -> JSON { .integer(Int64(number)) }

    private func json(_ instant: Instant) -> JSON { JSONOutput.json(of: instant, names) }

    /// A week of an enrolment, which need not be the current one any more (V1).
    private func learn(
        _ enrollment: QuranFlow.EnrollmentID, _ segment: String, week: Int
    ) -> JSON {
        .object(of: [
            ("enrollment", json(enrollment)), ("segment", .string(segment)),
            ("tab", .string("learn")), ("week", json(week)),
        ])
    }

    private func eocLink(_ enrollment: QuranFlow.EnrollmentID) -> JSON {
        .object(of: [
            ("enrollment", json(enrollment)), ("segment", .string("eoc")),
            ("tab", .string("learn")),
        ])
    }

    private func schedule<T>(_ name: String, _ id: Identifier<T>) -> JSON {
        .object(of: [(name, json(id)), ("tab", .string("schedule"))])
    }

    private func screen<T>(_ name: String, _ thing: String, _ id: Identifier<T>) -> JSON {
        .object(of: [(thing, json(id)), ("screen", .string(name))])
    }

    // MARK: Enrolment and weeks

    func notifyPlaced(
        _ student: QuranFlow.StudentID, _ enrollment: QuranFlow.EnrollmentID, level: Int
    ) {
        raise(
            .placementReady, to: .student(student), .always,
            about: [("enrollment", json(enrollment)), ("level", json(level))],
            link: .object(of: [("screen", .string("onboarding")), ("step", json(1))]))
    }

    func notifyAssigned(
        _ student: QuranFlow.StudentID, _ enrollment: QuranFlow.EnrollmentID,
        _ coach: QuranFlow.CoachID
    ) {
        raise(
            .coachAssigned, to: .student(student), .always,
            about: [("coach", json(coach)), ("enrollment", json(enrollment))],
            link: .object(of: [("section", .string("coach")), ("tab", .string("profile"))]),
            naming: ("coach", coach.symbol))
    }

    func notifyUnlocked(
        _ student: QuranFlow.StudentID, _ enrollment: QuranFlow.EnrollmentID, week: Int
    ) {
        let link: JSON =
            switch state.policy.weekUnlockedLink {
            case .lesson: learn(enrollment, "lesson", week: week)
            case .today: .object(of: [("tab", .string("today"))])
            }
        raise(
            .weekUnlocked, to: .student(student), .deadlines,
            about: [("enrollment", json(enrollment)), ("week", json(week))], link: link,
            isNews: true)
    }

    func notifyDeadline(
        _ student: QuranFlow.StudentID, _ enrollment: QuranFlow.EnrollmentID, week: Int, hours: Int,
        dueAt: Instant
    ) {
        raise(
            .deadlineReminder, to: .student(student), .deadlines,
            about: [
                ("dueAt", json(dueAt)), ("enrollment", json(enrollment)), ("hours", json(hours)),
                ("week", json(week)),
            ], link: learn(enrollment, "submission", week: week))
    }

    func notifyOpen(
        _ student: QuranFlow.StudentID, _ semester: QuranFlow.SemesterID, level: Int
    ) {
        raise(
            .enrollmentOpen, to: .student(student), .always,
            about: [("level", json(level)), ("semester", json(semester))],
            link: screen("enroll", "semester", semester))
    }

    func notifyAdvancedOpen(
        _ student: QuranFlow.StudentID, _ enrollment: QuranFlow.EnrollmentID
    ) {
        raise(
            .advancedOpen, to: .student(student), .always,
            about: [("enrollment", json(enrollment))],
            link: .object(of: [("screen", .string("advanced"))]))
    }

    func notify(of announcement: QuranFlow.AnnouncementID, _ student: QuranFlow.StudentID) {
        raise(
            .announcement, to: .student(student), .announcements,
            about: [("announcement", json(announcement))], link: .null)
    }

    // MARK: Recordings

    private func about(
        _ recording: QuranFlow.RecordingID, _ row: QuranFlow.RecordingRow
    ) -> [(String, JSON)] {
        [
            ("enrollment", json(row.enrollment)), ("recording", json(recording)),
            ("week", json(row.week)),
        ]
    }

    func notifyFeedback(_ recording: QuranFlow.RecordingID, _ row: QuranFlow.RecordingRow) {
        raise(
            .feedbackReady, to: .student(row.student), .feedback, about: about(recording, row),
            link: learn(row.enrollment, "feedback", week: row.week))
    }

    func notifyComment(
        _ comment: QuranFlow.CommentID, _ recording: QuranFlow.RecordingID,
        _ row: QuranFlow.RecordingRow, to recipient: QuranFlow.Recipient
    ) {
        raise(
            .commentPosted, to: recipient, .feedback,
            about: [("comment", json(comment))] + about(recording, row),
            link: recipient.isCoach
                ? screen("recording", "recording", recording)
                : learn(row.enrollment, "feedback", week: row.week))
    }

    func notifyFeedbackOverdue(
        _ recording: QuranFlow.RecordingID, _ row: QuranFlow.RecordingRow,
        _ coach: QuranFlow.CoachID
    ) {
        raise(
            .feedbackOverdue, to: .coach(coach), .always, about: about(recording, row),
            link: screen("recording", "recording", recording))
    }

    // MARK: End of course

    private func about(
        _ enrollment: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow
    ) -> [(String, JSON)] {
        [("enrollment", json(enrollment)), ("level", json(row.level))]
    }

    func notifyEOCAvailable(_ id: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow) {
        raise(
            .eocAvailable, to: .student(row.student), .deadlines, about: about(id, row),
            link: eocLink(id), isNews: true)
    }

    func notifyEOCDeadline(
        _ id: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow, hours: Int
    ) {
        raise(
            .eocReminder, to: .student(row.student), .deadlines,
            about: [("dueAt", json(row.eocDueAt))] + about(id, row) + [("hours", json(hours))],
            link: eocLink(id))
    }

    func notifyResults(_ id: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow) {
        raise(
            .eocResults, to: .student(row.student), .always, about: about(id, row),
            link: eocLink(id))
    }

    func notifyResultsOverdue(
        _ id: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow, _ coach: QuranFlow.CoachID
    ) {
        raise(
            .resultsOverdue, to: .coach(coach), .always, about: about(id, row),
            link: screen("eoc", "enrollment", id))
    }

    // MARK: Sessions and appointments

    /// Who is notified about a session: those with an RSVP in force, or all whom it is for, in order of id
    /// (R26).
    private func audience(of session: QuranFlow.SessionID) -> [QuranFlow.StudentID] {
        let students =
            switch state.policy.sessionNoticesTo {
            case .going: state.going(to: session)
            case .eligible: allStudents.filter { state.isSession(session, for: $0) }
            }
        return sorted(students)
    }

    /// Every student, in the order in which they registered.
    var allStudents: [QuranFlow.StudentID] {
        state.allStudents.elements(of: .only, count: state.catalogue.students)
    }

    /// In code-point order of id.
    func sorted(_ students: [QuranFlow.StudentID]) -> [QuranFlow.StudentID] {
        students.map { (id: $0, text: names.text($0)) }.sorted { $0.text.precedes($1.text) }
            .map(\.id)
    }

    func notifyReminder(of session: QuranFlow.SessionID, _ row: QuranFlow.SessionRow) {
        for student in audience(of: session) {
            raise(
                .sessionReminder, to: .student(student), .sessions,
                about: [
                    ("minutes", json(row.reminderMinutes)), ("session", json(session)),
                    ("startsAt", json(row.startsAt)),
                ] + week(of: row, startsAt: row.startsAt, student),
                link: schedule("session", session))
        }
    }

    /// The week of a session: its own, else that of the student's active enrolment in which it starts (V2).
    private func week(
        of session: QuranFlow.SessionRow?, startsAt: Instant, _ student: QuranFlow.StudentID
    ) -> [(String, JSON)] {
        if let week = session?.week { return [("week", json(week))] }
        guard let row = state.currentEnrollment(of: student)?.row, row.isActive,
            case let week = row.currentWeek(at: startsAt), row.isWeek(week),
            !row.isOver(week, at: startsAt)
        else { return [] }
        return [("week", json(week))]
    }

    enum ScheduleChange: String {
        case moved, cancelled, scheduled
    }

    func notify(
        _ change: ScheduleChange, of session: QuranFlow.SessionID, startsAt: Instant
    ) {
        // Of a new one only where all whom it is for are notified (R26).
        if change == .scheduled, state.policy.sessionNoticesTo == .going { return }
        let row = state.sessions[session]
        for student in audience(of: session) {
            raise(
                .scheduleUpdate, to: .student(student), .sessions,
                about: [
                    ("change", .string(change.rawValue)), ("session", json(session)),
                    ("startsAt", json(startsAt)),
                ] + week(of: row, startsAt: startsAt, student),
                link: schedule("session", session))
        }
    }

    /// Notifies the coach when the student acts, the student when the coach acts, both when an admin does.
    func notify(
        _ kind: QuranFlow.Notification.Kind, _ appointment: QuranFlow.AppointmentID,
        _ row: QuranFlow.AppointmentRow
    ) {
        let about = [("appointment", json(appointment)), ("startsAt", json(row.startsAt))]
        let link = schedule("appointment", appointment)
        if actor.kind != .student {
            raise(kind, to: .student(row.student), .sessions, about: about, link: link)
        }
        if actor.kind != .coach {
            raise(kind, to: .coach(row.coach), .always, about: about, link: link)
        }
    }

    func notifyReminder(of appointment: QuranFlow.AppointmentID, _ row: QuranFlow.AppointmentRow) {
        raise(
            .appointmentReminder, to: .student(row.student), .sessions,
            about: [
                ("appointment", json(appointment)), ("minutes", json(row.reminderMinutes)),
                ("startsAt", json(row.startsAt)),
            ], link: schedule("appointment", appointment))
    }

    func notify(_ coach: QuranFlow.CoachID, of message: QuranFlow.MessageID) {
        raise(
            .coachMessage, to: .coach(coach), .always, about: [("message", json(message))],
            link: screen("messages", "message", message))
    }

    func notifyReply(
        _ student: QuranFlow.StudentID, _ thing: (name: String, id: Symbol),
        _ reply: QuranFlow.ReplyID
    ) {
        raise(
            .helpReply, to: .student(student), .always,
            about: [(thing.name, .string(names.text(thing.id))), ("reply", json(reply))],
            link: .object(of: [
                (thing.name, .string(names.text(thing.id))), ("section", .string("help")),
                ("tab", .string("profile")),
            ]))
    }
}
