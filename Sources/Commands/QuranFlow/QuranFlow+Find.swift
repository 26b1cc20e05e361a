import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

/// The things that commands name. What does not exist is `not-found`, and so is what belongs to a person who is
/// erased (R1, R2).
extension DecisionContext<QuranFlow> {
    /// A student who is not erased (R2).
    @discardableResult
    func find(_ id: QuranFlow.StudentID) throws(QuranFlow.Rejection) -> QuranFlow.StudentRow {
        try found(state.students[id], id) { _ in state.isPresent(.init(id)) }
    }

    /// A coach who is not erased (R2).
    @discardableResult
    func find(_ id: QuranFlow.CoachID) throws(QuranFlow.Rejection) -> QuranFlow.CoachRow {
        try found(state.coaches[id], id) { _ in state.isPresent(.init(id)) }
    }

    /// A student or coach who is not erased (R2).
    func find(_ id: QuranFlow.PersonID) throws(QuranFlow.Rejection) -> QuranFlow.PersonRow {
        guard let row = state.present(id) else { throw notFound(id) }
        return row
    }

    /// A semester.
    @discardableResult
    func find(_ id: QuranFlow.SemesterID) throws(QuranFlow.Rejection) -> QuranFlow.SemesterRow {
        try found(state.semesters[id], id)
    }

    /// A video that is in use (R1).
    func find(_ id: QuranFlow.VideoID) throws(QuranFlow.Rejection) -> QuranFlow.VideoRow {
        try found(state.videos[id], id)
    }

    /// A resource that is not withdrawn.
    @discardableResult
    func find(_ id: QuranFlow.ResourceID) throws(QuranFlow.Rejection) -> QuranFlow.ResourceRow {
        try found(state.resources[id], id) { !$0.isWithdrawn }
    }

    /// An enrolment, unless its student is erased (R2).
    func find(_ id: QuranFlow.EnrollmentID) throws(QuranFlow.Rejection) -> QuranFlow.EnrollmentRow {
        try found(state.enrollments[id], id) { state.isPresent(.init($0.student)) }
    }

    /// A recording with its enrolment, unless its student is erased (R2).
    func find(
        _ id: QuranFlow.RecordingID
    ) throws(QuranFlow.Rejection) -> (
        row: QuranFlow.RecordingRow, enrollment: QuranFlow.EnrollmentRow
    ) {
        guard let row = state.recordings[id], let enrollment = state.enrollments[row.enrollment],
            state.isPresent(.init(row.student))
        else { throw notFound(id) }
        return (row, enrollment)
    }

    /// A live session.
    @discardableResult
    func find(_ id: QuranFlow.SessionID) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        try found(state.sessions[id], id)
    }

    /// A slot, unless its coach is erased (R2).
    func find(_ id: QuranFlow.SlotID) throws(QuranFlow.Rejection) -> QuranFlow.SlotRow {
        try found(state.slots[id], id) { state.isPresent(.init($0.coach)) }
    }

    /// An appointment, unless its student is erased (R2).
    func find(_ id: QuranFlow.AppointmentID) throws(QuranFlow.Rejection) -> QuranFlow.AppointmentRow
    {
        try found(state.appointments[id], id) { state.isPresent(.init($0.student)) }
    }

    /// A message to a coach, unless its student is erased (R2).
    func find(_ id: QuranFlow.MessageID) throws(QuranFlow.Rejection) -> QuranFlow.MessageRow {
        try found(state.messages[id], id) { state.isPresent(.init($0.student)) }
    }

    /// A support request, unless its student is erased (R2).
    func find(_ id: QuranFlow.RequestID) throws(QuranFlow.Rejection) -> QuranFlow.RequestRow {
        try found(state.requests[id], id) { state.isPresent(.init($0.student)) }
    }

    /// An elective.
    @discardableResult
    func find(_ id: QuranFlow.ElectiveID) throws(QuranFlow.Rejection) -> QuranFlow.ElectiveRow {
        try found(state.electives[id], id)
    }

    /// A notification in an inbox whose owner is not erased (R2).
    func find(
        notification number: Int, of recipient: QuranFlow.Recipient
    ) throws(QuranFlow.Rejection) -> QuranFlow.NotificationRow {
        guard let person = state.present(recipient.person), person.isCoach == recipient.isCoach,
            number <= UInt32.max,
            let row = state.notifications[.init(recipient.person, Ordinal(number))]
        else { throw notFound("notification", String(number)) }
        return row
    }

    // MARK: A student's own

    /// An enrolment; `forbidden` for another student than its own.
    func findOwn(
        _ id: QuranFlow.EnrollmentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.EnrollmentRow {
        let row = try find(id)
        try checkOwner(row.student, of: id)
        return row
    }

    /// A recording with its enrolment; `forbidden` for another student than its own.
    func findOwn(
        _ id: QuranFlow.RecordingID
    ) throws(QuranFlow.Rejection) -> (
        row: QuranFlow.RecordingRow, enrollment: QuranFlow.EnrollmentRow
    ) {
        let found = try find(id)
        try checkOwner(found.row.student, of: id)
        return found
    }
}
