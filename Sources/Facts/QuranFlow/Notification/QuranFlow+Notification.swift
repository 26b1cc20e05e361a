package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// How many notifications a person has.
    package struct InboxRow: Record {
        /// The highest number; greater than `raised` where earlier events do not count.
        package var last = 0
        package var raised = 0
        package var opened = 0

        package init() {}

        package var unread: Int { raised - opened }
    }

    /// One notification of an inbox; its number is the second part of its key.
    package struct NotificationRow: Record {
        package var kind = Notification.Kind.announcement
        package var category = Notification.Category.always
        package var about = KeptJSON.empty
        package var link = KeptJSON.empty
        package var channels: [Notification.Channel] = []
        package var happenedAt = Instant.epoch
        package var isOpened = false

        package init() {}
    }
}

extension QuranFlow.State {
    static func notificationRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Notification.Raised.self) { $0.raised($1, $2) }
        routes.on(QuranFlow.Notification.Opened.self) { state, event, metadata in
            let recipient: QuranFlow.PersonID = state.thing(of: metadata)
            var wasUnopened = false
            state.notifications.updateExisting(.init(recipient, Ordinal(event.number))) {
                wasUnopened = !$0.isOpened
                $0.isOpened = true
            }
            if wasUnopened { state.inboxes.updateExisting(recipient) { $0.opened += 1 } }
        }
    }

    private func raised(_ event: QuranFlow.Notification.Raised, _ metadata: EventMetadata) {
        let recipient: QuranFlow.PersonID = thing(of: metadata)
        guard people.contains(recipient) else { return }
        inboxes.update(recipient) {
            $0.last = max($0.last, event.number)
            $0.raised += 1
        }
        notifications.update(.init(recipient, Ordinal(event.number))) {
            $0.kind = event.kind
            $0.category = event.category
            $0.about = event.about
            $0.link = event.link
            $0.channels = event.channels
            $0.happenedAt = event.happenedAt
        }
        note(event)
    }

    /// Notes in the row that a notification is about its number, or that the timer behind it has fired.
    private func note(_ event: QuranFlow.Notification.Raised) {
        let about = event.about
        switch event.kind {
        case .feedbackReady:
            guard let id: QuranFlow.RecordingID = id("recording", about) else { return }
            recordings.updateExisting(id) { $0.notice = event.number }
        case .eocResults:
            guard let id: QuranFlow.EnrollmentID = id("enrollment", about) else { return }
            enrollments.updateExisting(id) { $0.resultsNotice = event.number }
        case .deadlineReminder:
            let json = about.value
            guard let week = json["week"]?.wholeNumber, let hours = json["hours"]?.wholeNumber,
                let id: QuranFlow.EnrollmentID = id("enrollment", json)
            else { return }
            cancel(.deadline(week: Int(week), hours: Int(hours)), on: stream(of: id))
        case .eocReminder:
            let json = about.value
            guard let hours = json["hours"]?.wholeNumber,
                let id: QuranFlow.EnrollmentID = id("enrollment", json)
            else { return }
            cancel(.eocDeadline(hours: Int(hours)), on: stream(of: id))
        case .advancedOpen:
            cancel(.advancedOpen, on: names.known("\(QuranFlow.product)/policy"))
        case .sessionReminder:
            guard let id: QuranFlow.SessionID = id("session", about) else { return }
            cancel(.sessionReminder, on: stream(of: id))
        case .enrollmentOpen:
            guard let id: QuranFlow.SemesterID = id("semester", about) else { return }
            cancel(.enrollmentOpen, on: stream(of: id))
        case .appointmentReminder:
            guard let id: QuranFlow.AppointmentID = id("appointment", about) else { return }
            cancel(.appointmentReminder, on: stream(of: id))
        default: break
        }
    }

    private func id<T>(_ name: String, _ about: KeptJSON) -> Identifier<T>? {
        id(name, about.value)
    }

    private func id<T>(_ name: String, _ about: JSON) -> Identifier<T>? {
        about[name]?.string.flatMap { names.known($0) }.map { Identifier($0) }
    }

    private func cancel(_ timer: QuranFlow.TimerName, on stream: Symbol?) {
        if let stream { timers.cancel(timer, on: stream) }
    }
}
