package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A sign-in; open until it ends or its account is deleted (R4).
    package struct SessionRow: Record {
        package var account = AccountID.none
        package var device = DeviceID.none
        package var role = Account.Role.student
        package var method = Session.Method.credential
        package var startedAt = Instant.epoch
        /// Of its start.
        package var position = Position.zero
        package var endedAt: Instant?
        /// `account-deleted` for deletions, else the event's reason.
        package var reason: String?

        package init() {}
    }
}

extension ExamRoom.State {
    static func sessionRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Session.Started.self) { state, event, metadata in
            state.signedIn(event, metadata)
            state.began(event.session, on: .init(metadata.writer))
        }
        routes.on(ExamRoom.Session.Ended.self) { state, event, metadata in
            state.end(event.session, event.reason.rawValue, at: metadata.moment)
            state.accounts.updateExisting(event.account) { account in
                account.openSessions.removeAll { $0 == event.session }
            }
        }
    }

    private func signedIn(_ event: ExamRoom.Session.Started, _ metadata: EventMetadata) {
        guard accounts.contains(event.account) else { return }
        sessions.update(event.session) {
            $0.account = event.account
            $0.device = .init(metadata.writer)
            $0.role = event.role
            $0.method = event.method
            $0.startedAt = metadata.moment
            $0.position = metadata.position
        }
        accounts.updateExisting(event.account) { $0.openSessions.append(event.session) }
    }

    func end(_ session: ExamRoom.SessionID, _ reason: String, at instant: Instant) {
        sessions.updateExisting(session) {
            $0.endedAt = instant
            $0.reason = reason
        }
    }

    func isOpen(_ session: ExamRoom.SessionID) -> Bool {
        sessions.read(session) { $0.endedAt == nil } ?? false
    }
}
