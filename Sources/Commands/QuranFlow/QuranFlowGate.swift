package import Commands
import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Who may send a command, as far as the actor and the command's own data tell (R1, second check).
    /// `system` counts as an admin, and may send every command.
    package enum Who {
        case admin
        /// An admin or a service.
        case service
        /// *self*: the student whom the data names; any student while it names a thing of theirs.
        case student(StudentID?)
        case studentOrAdmin(StudentID?)
        /// The coach whom the data names, or any coach; and admins.
        case coachOrAdmin(CoachID?)
        case studentOrCoach
        case studentCoachOrAdmin
        /// The person whose inbox it is.
        case recipient(Recipient)
    }

    /// A command of this product: who may send it, and the rule behind it.
    package protocol Command: Decision where Product == QuranFlow {
        func who(in programme: Programme) -> Who
        /// R1 from the third check on: what is not found, who may not, what exists already; then the codes
        /// of the row in their order, then the facts.
        func apply(in scene: Scene<Programme>) throws(Rejection)
    }
}

extension QuranFlow.Command {
    package func decide(in scene: Scene<QuranFlow.Programme>) throws(QuranFlow.Rejection) {
        guard scene.admits(who(in: scene.state)) else { throw .forbidden }
        try apply(in: scene)
    }
}

extension Scene<QuranFlow.Programme> {
    var isSystem: Bool { actor.kind == .system }
    var isAdmin: Bool { isSystem || actor.kind == .admin }
    /// The student acts for themselves.
    var isStudent: Bool { actor.kind == .student }

    func admits(_ who: QuranFlow.Who) -> Bool {
        if isSystem { return true }
        switch who {
        case .admin: return isAdmin
        case .service: return isAdmin || actor.kind == .service
        case .student(let student): return isActing(.student, student?.symbol)
        case .studentOrAdmin(let student): return isAdmin || isActing(.student, student?.symbol)
        case .coachOrAdmin(let coach): return isAdmin || isActing(.coach, coach?.symbol)
        case .studentOrCoach: return isActing(.student, nil) || isActing(.coach, nil)
        case .studentCoachOrAdmin:
            return isAdmin || isActing(.student, nil) || isActing(.coach, nil)
        case .recipient(let recipient):
            return isActing(recipient.isCoach ? .coach : .student, recipient.person.symbol)
        }
    }

    private func isActing(_ kind: Actor.Kind, _ id: Symbol?) -> Bool {
        actor.kind == kind && (id.map { $0 == actor.id } ?? true)
    }

    // MARK: R1, the fourth check

    /// `forbidden` for a student whose thing it is not.
    func checkOwner(_ student: QuranFlow.StudentID) throws(QuranFlow.Rejection) {
        if isStudent, actor.id != student.symbol { throw .forbidden }
    }

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
extension QuranFlow.Programme {
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
extension Scene<QuranFlow.Programme> {
    func record<P: Payload>(_ fact: P, student: QuranFlow.StudentID) {
        record(fact, on: stream("student", student), about: ("student", student.symbol))
    }

    func record<P: Payload>(_ fact: P, coach: QuranFlow.CoachID) {
        record(fact, on: stream("coach", coach), about: ("coach", coach.symbol))
    }

    func record<P: Payload>(_ fact: P, enrollment: QuranFlow.EnrollmentID) {
        record(fact, on: stream("enrollment", enrollment), about: ("enrollment", enrollment.symbol))
    }

    func record<P: Payload>(_ fact: P, eoc enrollment: QuranFlow.EnrollmentID) {
        record(fact, on: stream("eoc", enrollment), about: ("enrollment", enrollment.symbol))
    }

    func record<P: Payload>(_ fact: P, recording: QuranFlow.RecordingID) {
        record(fact, on: stream("recording", recording), about: ("recording", recording.symbol))
    }

    func record<P: Payload>(_ fact: P, session: QuranFlow.SessionID) {
        record(fact, on: stream("session", session), about: ("session", session.symbol))
    }

    func record<P: Payload>(_ fact: P, appointment: QuranFlow.AppointmentID) {
        record(
            fact, on: stream("appointment", appointment),
            about: ("appointment", appointment.symbol))
    }

    func record<P: Payload, T: Thing>(_ fact: P, _ noun: String, _ id: Identifier<T>) {
        record(fact, on: stream(noun, id), about: (T.tag ?? noun, id.symbol))
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
