package import Core

extension ExamRoom {
    /// What a person should know. Stream `examroom/inbox/ACCOUNT`.
    package enum Notification {
        package enum Kind: String, Choice {
            case timeRemaining = "time-remaining"
            case timeUp = "time-up"
            case badgeEarned = "badge-earned"
            case milestoneUnlocked = "milestone-unlocked"
            case accommodationRequested = "accommodation-requested"
            case accommodationDecided = "accommodation-decided"
            case conflictResolved = "conflict-resolved"
            case conflictChoice = "conflict-choice"
            case storageWarning = "storage-warning"
            case storageCritical = "storage-critical"
        }

        /// A notification for one person (page, Notifications).
        package struct Raised: Payload {
            package static let type = "examroom.notification.raised"
            package static let streams = ["inbox"]
            package static let sentence = "A notification was raised."
            package internal(set) var to = AccountID.none
            package internal(set) var notification = Kind.timeUp
            package internal(set) var keptData = KeptJSON(.object([]))
            package internal(set) var link = ""

            package init() {}

            package init(to: AccountID, notification: Kind, data: JSON, link: String) {
                self.to = to
                self.notification = notification
                keptData = KeptJSON(data)
                self.link = link
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("to", &to)
                coder.field("notification", &notification)
                coder.field("data", &keptData)
                coder.field("link", &link)
            }

            package var data: JSON { keptData.value }
        }
    }
}
