import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

/// What a command names: `not-found` if it does not exist or its student was erased (R2).
///
/// `findOwn` also refuses a student whose thing it is not, after the look-up.
extension DecisionContext<Tafawoq> {
    func find(
        _ student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudentRow {
        try found(state.students[student], student) { !$0.isErased }
    }

    func find(
        _ session: Tafawoq.SessionID
    ) throws(Tafawoq.Rejection) -> Tafawoq.SessionRow {
        try found(state.sessions[session], session) { state.exists($0.student) }
    }

    func find(
        _ key: Tafawoq.SittingKey
    ) throws(Tafawoq.Rejection) -> Tafawoq.SittingRow {
        guard let row = state.sittings[key], state.exists(row.student) else {
            throw notFound(key.kind.rawValue, names.text(key.id))
        }
        return row
    }

    func find(
        _ study: Tafawoq.StudyID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudyRow {
        try found(state.studies[study], study) { state.exists($0.student) }
    }

    /// Checkout ids are the student's own (R12).
    func find(
        _ checkout: Tafawoq.CheckoutID, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.CheckoutRow {
        _ = try find(student)
        return try found(state.checkouts[.init(student, checkout)], checkout)
    }

    func find(
        notification number: Int, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.NotificationRow {
        _ = try find(student)
        guard let row = state.notifications[.init(student, Ordinal(number))] else {
            throw notFound("notification", String(number))
        }
        return row
    }

    // MARK: One's own

    func findOwn(
        _ student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudentRow {
        let row = try find(student)
        try checkOwner(student, of: student)
        return row
    }

    func findOwn(
        _ session: Tafawoq.SessionID
    ) throws(Tafawoq.Rejection) -> Tafawoq.SessionRow {
        let row = try find(session)
        try checkOwner(row.student, of: session)
        return row
    }

    func findOwn(
        _ key: Tafawoq.SittingKey
    ) throws(Tafawoq.Rejection) -> Tafawoq.SittingRow {
        let row = try find(key)
        try checkOwner(row.student, of: key.kind.rawValue, names.text(key.id))
        return row
    }

    func findOwn(
        _ study: Tafawoq.StudyID
    ) throws(Tafawoq.Rejection) -> Tafawoq.StudyRow {
        let row = try find(study)
        try checkOwner(row.student, of: study)
        return row
    }

    func findOwn(
        _ checkout: Tafawoq.CheckoutID, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.CheckoutRow {
        let row = try find(checkout, of: student)
        try checkOwner(student, of: checkout)
        return row
    }

    func findOwn(
        notification number: Int, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.NotificationRow {
        let row = try find(notification: number, of: student)
        try checkOwner(student, of: "notification", String(number))
        return row
    }
}
