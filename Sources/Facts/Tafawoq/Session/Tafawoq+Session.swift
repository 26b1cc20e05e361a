package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A sign-in on a device (R8).
    package struct SessionRow: Record {
        package var student = StudentID.none
        package var device = DeviceID.none
        package var openedAt = Instant.epoch
        package var expiresAt = Instant.epoch
        package var appVersion: String?
        package var deviceType: String?
        package var isEnded = false

        package init() {}
    }

    /// Which session is open on a device (R8).
    package struct DeviceRow: Record {
        package var session: SessionID?

        package init() {}
    }
}

extension Tafawoq.State {
    static func sessionRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Session.Opened.self) { $0.opened($1, $2) }
        routes.on(Tafawoq.Session.Refreshed.self) { state, event, metadata in
            guard state.sessions.contains(event.session) else { return }
            state.sessions.updateExisting(event.session) { $0.expiresAt = event.expiresAt }
            state.setExpiry(event.expiresAt, metadata)
        }
        routes.on(Tafawoq.Session.Ended.self) { $0.ended($1, $2) }
    }

    private func opened(_ event: Tafawoq.Session.Opened, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        sessions.update(event.session) {
            $0.student = event.student
            $0.device = event.device
            $0.openedAt = metadata.at
            $0.expiresAt = event.expiresAt
            $0.appVersion = event.appVersion
            $0.deviceType = event.deviceType
        }
        devices.update(event.device) { $0.session = event.session }
        students.updateExisting(event.student) {
            $0.openSessions.append(event.session)
            $0.lastSession = event.session
            $0.lastSignInAt = metadata.at
            $0.wrongCredentials = 0
            $0.lastWrongAt = nil
        }
        setExpiry(event.expiresAt, metadata)
        noteActivity(event.student, metadata)
    }

    /// Sets the timer of the end of a session (R8).
    private func setExpiry(_ due: Instant, _ metadata: EventMetadata) {
        timers.set(
            [.init(Tafawoq.TimerName.sessionExpiry, due: due, cause: metadata.position)],
            on: metadata.stream)
    }

    private func ended(_ event: Tafawoq.Session.Ended, _ metadata: EventMetadata) {
        guard let row = sessions[event.session] else { return }
        sessions.updateExisting(event.session) { $0.isEnded = true }
        if devices[row.device]?.session == event.session { devices.remove(row.device) }
        students.updateExisting(row.student) { student in
            student.openSessions.removeAll { $0 == event.session }
        }
        timers.cancelAll(on: metadata.stream)
    }
}
