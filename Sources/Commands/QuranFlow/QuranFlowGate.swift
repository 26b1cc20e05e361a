import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// A command of this product: who may send it, and the rule behind it.
    ///
    /// R1: who may send it as far as the actor and the command's own data tell is asked first. `decide` goes on
    /// from the third check: what is not found, who may not, what exists already; then the codes of the row.
    protocol Command: ProductCommand where Product == QuranFlow {}
}

extension QuranFlow.Command {
    /// R1, the second check: `system` may send every command.
    func authorize(in context: QuranFlow.Context) throws(QuranFlow.Rejection) {
        guard context.isSystem || senders(in: context.state).admit(context.actor) else {
            throw .forbidden
        }
    }
}

extension DecisionContext<QuranFlow> {
    var isSystem: Bool { actor.kind == .system }
    var isAdmin: Bool { isSystem || actor.kind == .admin }
    /// The student acts for themselves.
    var isStudent: Bool { actor.kind == .student }

    // MARK: R1, the fourth check

    /// `forbidden` for a coach who is unknown or retired, or another than the one whose thing it is.
    func checkCoach(_ coach: QuranFlow.CoachID?) throws(QuranFlow.Rejection) {
        guard actor.kind == .coach else { return }
        guard let coach, coach.symbol == actor.id else { throw .forbidden }
        try checkCoachIsActive()
    }

    func checkCoachIsActive() throws(QuranFlow.Rejection) {
        guard actor.kind == .coach else { return }
        let coach = QuranFlow.CoachID(actor.id)
        guard state.coaches.contains(coach), !state.isRetired(coach),
            state.isPresent(.init(coach))
        else { throw .forbidden }
    }
}

/// R1, the third check: what a command names, unless it does not exist or its person is erased (R2).
extension QuranFlow.State {
    func student(
        _ id: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.StudentRow {
        guard let row = students[id], isPresent(.init(id)) else { throw .notFound }
        return row
    }

    func findCoach(_ id: QuranFlow.CoachID) throws(QuranFlow.Rejection) {
        guard coaches.contains(id), isPresent(.init(id)) else { throw .notFound }
    }

    func semester(
        _ id: QuranFlow.SemesterID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SemesterRow {
        guard let row = semesters[id] else { throw .notFound }
        return row
    }

    func enrollment(
        _ id: QuranFlow.EnrollmentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.EnrollmentRow {
        guard let row = enrollments[id], isPresent(.init(row.student)) else { throw .notFound }
        return row
    }

    /// A recording with its enrolment.
    func recording(
        _ id: QuranFlow.RecordingID
    ) throws(QuranFlow.Rejection) -> (
        row: QuranFlow.RecordingRow, enrollment: QuranFlow.EnrollmentRow
    ) {
        guard let row = recordings[id], let enrollment = enrollments[row.enrollment],
            isPresent(.init(row.student))
        else { throw .notFound }
        return (row, enrollment)
    }

    func session(
        _ id: QuranFlow.SessionID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        guard let row = sessions[id] else { throw .notFound }
        return row
    }

    func slot(_ id: QuranFlow.SlotID) throws(QuranFlow.Rejection) -> QuranFlow.SlotRow {
        guard let row = slots[id], isPresent(.init(row.coach)) else { throw .notFound }
        return row
    }

    func appointment(
        _ id: QuranFlow.AppointmentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.AppointmentRow {
        guard let row = appointments[id], isPresent(.init(row.student)) else { throw .notFound }
        return row
    }

    func elective(_ id: QuranFlow.ElectiveID) throws(QuranFlow.Rejection) {
        guard electives.contains(id) else { throw .notFound }
    }

    /// R11: the codes about a coach that somebody would be given.
    func check(
        _ coach: QuranFlow.CoachID, for student: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) {
        if isRetired(coach) { throw .coachRetired }
        if !suits(coach, student) { throw .coachGenderMismatch }
    }

    /// R1: a video is in use, and none of the command's own is given twice.
    func checkVideos(
        _ videos: [QuranFlow.VideoID], but isOwn: (QuranFlow.VideoRow) -> Bool = { _ in false }
    ) throws(QuranFlow.Rejection) {
        if Set(videos).count < videos.count { throw .duplicateVideo }
        for video in videos {
            if let row = self.videos[video], !isOwn(row) { throw .duplicateVideo }
        }
    }
}

/// Where the events of a thing stand, and the tags that they are found by (page, Events).
extension DecisionContext<QuranFlow> {
    func record<P: Payload>(_ event: P, student: QuranFlow.StudentID) {
        record(event, on: stream("student", student), about: ("student", student.symbol))
    }

    func record<P: Payload>(_ event: P, coach: QuranFlow.CoachID) {
        record(event, on: stream("coach", coach), about: ("coach", coach.symbol))
    }

    func record<P: Payload>(_ event: P, enrollment: QuranFlow.EnrollmentID) {
        record(
            event, on: stream("enrollment", enrollment), about: ("enrollment", enrollment.symbol))
    }

    func record<P: Payload>(_ event: P, eoc enrollment: QuranFlow.EnrollmentID) {
        record(event, on: stream("eoc", enrollment), about: ("enrollment", enrollment.symbol))
    }

    func record<P: Payload>(_ event: P, recording: QuranFlow.RecordingID) {
        record(event, on: stream("recording", recording), about: ("recording", recording.symbol))
    }

    func record<P: Payload>(_ event: P, session: QuranFlow.SessionID) {
        record(event, on: stream("session", session), about: ("session", session.symbol))
    }

    func record<P: Payload>(_ event: P, appointment: QuranFlow.AppointmentID) {
        record(
            event, on: stream("appointment", appointment),
            about: ("appointment", appointment.symbol))
    }

    func record<P: Payload, T: Thing>(_ event: P, _ noun: String, _ id: Identifier<T>) {
        record(event, on: stream(noun, id), about: (T.tag ?? noun, id.symbol))
    }

    func stream<T>(_ noun: String, _ id: Identifier<T>) -> String {
        "quranflow/\(noun)/\(names.text(id))"
    }
}

/// Numbers that are outside what the page allows, as a reason for `malformed`.
func problem(_ checks: (name: String, value: Int?, range: ClosedRange<Int>)...) -> String? {
    for check in checks {
        if let value = check.value, !check.range.contains(value) {
            return "\(check.name): expected a whole number from \(check.range.lowerBound)"
                + (check.range.upperBound == .max ? "" : " to \(check.range.upperBound)")
        }
    }
    return nil
}

/// A zone's name as a reason for `malformed`.
func problem(zone name: String) -> String? {
    TimeZones.zone(named: name) == nil ? "timeZone: expected the name of an IANA time zone" : nil
}
