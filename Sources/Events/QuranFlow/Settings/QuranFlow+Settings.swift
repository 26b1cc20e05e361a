package import Core

extension QuranFlow {
    /// A student's settings. Stream `quranflow/student/STUDENT`.
    package enum Settings {
        package enum ZoneSource: String, Choice {
            case device, chosen
        }

        package enum Appearance: String, Choice {
            case system, light, dark
        }

        /// The Quranic font of every passage, and its size (R14).
        package struct FontChosen: Payload {
            package static let type = "quranflow.font.chosen"
            package static let streams = ["student"]
            package static let sentence = "A Quranic font was chosen."
            package static let rules = [14]
            package internal(set) var font = ""
            package internal(set) var size: Int?

            package init() {}
        }

        /// The zone in which times are shown (R35); weeks stay as they are (R4).
        package struct TimeZoneChosen: Payload {
            package static let type = "quranflow.timezone.chosen"
            package static let streams = ["student"]
            package static let sentence = "A time zone was chosen."
            package static let rules = [4, 35]
            package internal(set) var timeZone = InternedText.empty
            package internal(set) var source = ZoneSource.empty

            package init() {}
        }

        /// Text size and appearance.
        package struct DisplayChosen: Payload {
            package static let type = "quranflow.display.chosen"
            package static let streams = ["student"]
            package static let sentence = "Text size and appearance were chosen."
            /// Per cent.
            package internal(set) var textSize = 0
            package internal(set) var appearance = Appearance.empty

            package init() {}
        }

        /// The switches that were set; the others are as before.
        package struct NotificationsChosen: Payload {
            package static let type = "quranflow.notifications.chosen"
            package static let streams = ["student"]
            package static let sentence = "Notification switches were set."
            package internal(set) var push: Bool?
            package internal(set) var email: Bool?
            package internal(set) var feedback: Bool?
            package internal(set) var sessions: Bool?
            package internal(set) var announcements: Bool?
            package internal(set) var deadlines: Bool?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optional("push", &push)
                coder.optional("email", &email)
                coder.optional("feedback", &feedback)
                coder.optional("sessions", &sessions)
                coder.optional("announcements", &announcements)
                coder.optional("deadlines", &deadlines)
            }
        }

        /// Whether the phone may show notifications (R13).
        package struct PermissionAnswered: Payload {
            package static let type = "quranflow.notifications.permission-answered"
            package static let streams = ["student"]
            package static let sentence = "The phone's question about notifications was answered."
            package static let rules = [13]
            package internal(set) var granted = false

            package init() {}
        }
    }
}
