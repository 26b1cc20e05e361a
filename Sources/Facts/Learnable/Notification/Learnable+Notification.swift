package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// One entry of a student's notifications.
    package struct NoticeRow: Record {
        package var at = Instant.epoch
        package var day = LocalDate.epoch
        package var facts: KeptJSON?
        /// Whose key seals what is personal.
        package var person = InternedText.empty
        package var notification = Notification.Kind.trialEnding
        package var target = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("day", &day)
            coder.field("person", &person)
            coder.kept("facts", &facts, of: person.symbol)
            coder.field("notification", &notification)
            coder.field("target", &target)
        }
    }

    /// The links that notifications and entries of a page open.
    package enum Target {
        package static let home = "learnable://home"
        package static let subscription = "learnable://settings/subscription"
        package static let dailyQuiz = "learnable://daily-quiz"
        package static let optionalQuiz = "learnable://optional-quiz"

        package static func subject(_ subject: String) -> String {
            "learnable://subjects/\(subject)"
        }

        package static func generation(_ subject: String) -> String {
            "learnable://subjects/\(subject)/generation"
        }

        package static func offer(_ offer: String) -> String { "learnable://offers/\(offer)" }
    }
}

extension Learnable.State {
    static func notificationRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Notification.Raised.self) { $0.raised($1, $2) }
    }

    private func raised(_ event: Learnable.Notification.Raised, _ metadata: EventMetadata) {
        let found = students.read(event.student) { (epoch: $0.epoch, stream: $0.stream.symbol) }
        guard let (epoch, stream) = found else { return }
        let kind = Learnable.ReminderKind(event.notification)
        // Its timer has fired, whether or not another follows.
        if event.notification == .trialEnding {
            timers.cancel(Learnable.AccessTimer.trialReminder, on: stream)
        } else if let kind {
            timers.cancel(kind.timer, on: stream)
            students.updateExisting(event.student) { $0.reminders[kind.rawValue] = nil }
        }
        let index = epochs.update(epoch) { row in
            if let kind { row.reminded[kind.rawValue].insert(event.day) }
            row.notices += 1
            return row.notices - 1
        }
        notices.append(
            .with {
                $0.at = metadata.at
                $0.day = event.day
                $0.person = InternedText(metadata.subject)
                $0.facts = event.facts
                $0.notification = event.notification
                $0.target = event.target
            }, to: epoch, at: index)
    }
}
