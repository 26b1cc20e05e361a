package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// One notification.
    package struct NotificationRow: Record {
        package var type = Notification.Kind.empty
        package var at = Instant.epoch
        package var target = ""
        package var channels: [Notification.Channel] = []
        package var facts = KeptJSON.empty
        package var isDispatched = false
        package var isOpened = false

        package init() {}
    }
}

extension Tafawoq.State {
    static func notificationRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Notification.Raised.self) { $0.raised($1, $2) }
        routes.on(Tafawoq.Notification.Enabled.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                row.disabledTopics.removeAll { $0 == event.topic }
                switch event.topic {
                case .examReminder: row.remindersEnabledAt = metadata.at
                case .engagement: row.engagementEnabledAt = metadata.at
                case .milestone: break
                }
            }
            state.setTimers(of: event.topic, event.student, metadata.position)
        }
        routes.on(Tafawoq.Notification.Disabled.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                if !row.disabledTopics.contains(event.topic) {
                    row.disabledTopics.append(event.topic)
                }
            }
            state.setTimers(of: event.topic, event.student, metadata.position)
        }
        routes.on(Tafawoq.Notification.Dispatched.self) { state, event, _ in
            state.notifications.updateExisting(.init(event.student, Ordinal(event.number))) {
                $0.isDispatched = true
            }
        }
        routes.on(Tafawoq.Notification.Opened.self) { state, event, _ in
            state.notifications.updateExisting(.init(event.student, Ordinal(event.number))) {
                $0.isOpened = true
            }
        }
    }

    private func raised(_ event: Tafawoq.Notification.Raised, _ metadata: EventMetadata) {
        guard let count = students.read(event.student, { $0.notificationCount }) else { return }
        let key = Pair(event.student, Ordinal(event.number))
        let isNew = !notifications.contains(key)
        if isNew { notificationNumbers.append(key.second, to: event.student, at: count) }
        notifications.update(key) {
            $0.type = event.type
            $0.at = metadata.at
            $0.target = event.target
            $0.channels = event.channels
            $0.facts = event.facts
        }
        students.updateExisting(event.student) {
            $0.lastNotificationNumber = max($0.lastNotificationNumber, event.number)
            if isNew { $0.notificationCount += 1 }
            switch event.type {
            case .examReminder: $0.remindedAt = metadata.at
            case .engagement: $0.engagedAt = max($0.engagedAt ?? metadata.at, metadata.at)
            default: break
            }
        }
        switch event.type {
        case .examReminder: setReminder(of: event.student, metadata.position)
        case .engagement: prompts.mark(event.student, cause: metadata.position)
        case .studyReminder:
            guard let text = event.facts.value["study"]?.string, let symbol = names.known(text)
            else { return }
            let study = Tafawoq.StudyID(symbol)
            studies.updateExisting(study) { $0.remindedAt = metadata.at }
            setStudyReminder(study, metadata.position)
        default: break
        }
    }
}

extension Tafawoq.StudentRow {
    /// Whether a topic is enabled; all are at first (R42).
    package func isEnabled(_ topic: Tafawoq.Topic) -> Bool { !disabledTopics.contains(topic) }
}
