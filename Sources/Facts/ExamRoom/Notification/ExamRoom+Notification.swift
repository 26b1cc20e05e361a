package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// One entry of an inbox.
    package struct Notice: Record {
        /// The event's own `at`.
        package var at = Instant.epoch
        package var notification = Notification.Kind.timeUp
        package var data = KeptJSON.empty
        package var link = ""

        package init() {}
    }
}

extension ExamRoom.State {
    static func notificationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Notification.Raised.self) { $0.raised($1, $2) }
    }

    private func raised(_ event: ExamRoom.Notification.Raised, _ metadata: EventMetadata) {
        var place: Int?
        accounts.updateExisting(event.to) {
            place = $0.notices
            $0.notices += 1
        }
        guard let place else { return }
        var notice = ExamRoom.Notice()
        notice.at = metadata.at
        notice.notification = event.notification
        notice.data = event.keptData
        notice.link = event.link
        inboxes.append(notice, to: event.to, at: place)
    }
}
