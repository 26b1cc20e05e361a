import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A student's RSVP to a session, and whether they joined.
    package struct AttendanceRow: Record {
        package var isGoing = false
        package var hasJoined = false
        /// On the session's list of attendees.
        package var isListed = false

        package init() {}
    }
}

extension QuranFlow.State {
    static func attendanceRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Session.RSVPMade.self) { state, event, metadata in
            state.attend(event.student, metadata) { $0.isGoing = true }
            state.sessions.updateExisting(state.thing(of: metadata)) { $0.going = event.going }
        }
        routes.on(QuranFlow.Session.RSVPWithdrawn.self) { state, event, metadata in
            state.attend(event.student, metadata) { $0.isGoing = false }
            state.sessions.updateExisting(state.thing(of: metadata)) { $0.going = event.going }
        }
        routes.on(QuranFlow.Session.Joined.self) { state, event, metadata in
            state.attend(event.student, metadata) { $0.hasJoined = true }
        }
    }

    /// Changes a student's attendance; the first time, student and session are put on each other's lists.
    private func attend(
        _ student: QuranFlow.StudentID, _ metadata: EventMetadata,
        _ body: (inout QuranFlow.AttendanceRow) -> Void
    ) {
        let session: QuranFlow.SessionID = thing(of: metadata)
        guard let count = sessions.read(session, { $0.attendees }) else { return }
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
            attendees.append(student, to: session, at: count)
        }
    }

    /// Whether a student's RSVP is in force.
    package func isGoing(_ student: QuranFlow.StudentID, to session: QuranFlow.SessionID) -> Bool {
        attendances.read(.init(session, student)) { $0.isGoing } ?? false
    }

    /// The students with an RSVP in force, in no particular order.
    package func going(to session: QuranFlow.SessionID) -> [QuranFlow.StudentID] {
        attendees.elements(of: session, count: sessions.read(session) { $0.attendees } ?? 0)
            .filter { isGoing($0, to: session) }
    }
}
