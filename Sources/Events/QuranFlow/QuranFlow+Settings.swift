package import Core

extension QuranFlow {
    /// Set-up, five steps done once (R13). Stream `quranflow/student/STUDENT`.
    package enum Onboarding {
        /// The steps in their order, from 1.
        package enum Step: String, Choice {
            case welcome, level, font, coach, semester

            /// Nil for a number that no step has.
            package init?(number: Int) {
                guard (1...Self.allCases.count).contains(number) else { return nil }
                self = Self.allCases[number - 1]
            }
        }

        package struct StepTaken: Payload {
            package static let type = "quranflow.onboarding.step-taken"
            package static let streams = ["student"]
            package static let sentence = "A step of the set-up was taken."
            package var step = 0
            package var name = Step.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("step", &step)
                coder.field("name", &name)
            }
        }

        package struct StepSkipped: Payload {
            package static let type = "quranflow.onboarding.step-skipped"
            package static let streams = ["student"]
            package static let sentence = "A step of the set-up was skipped."
            package var step = 0
            package var name = Step.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("step", &step)
                coder.field("name", &name)
            }
        }

        package struct Completed: Payload {
            package static let type = "quranflow.onboarding.completed"
            package static let streams = ["student"]
            package static let sentence = "The set-up was completed."
            package var skipped: [Int] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("skipped", &skipped)
            }
        }
    }
}

extension QuranFlow {
    /// How a student wants it. Stream `quranflow/student/STUDENT`.
    package enum Settings {
        package enum ZoneSource: String, Choice {
            case device, chosen
        }

        package enum Appearance: String, Choice {
            case system, light, dark
        }

        package struct FontChosen: Payload {
            package static let type = "quranflow.font.chosen"
            package static let streams = ["student"]
            package static let sentence = "A Quranic font was chosen."
            package var font = ""
            package var size: Int?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("font", &font)
                coder.field("size", &size)
            }
        }

        package struct TimeZoneChosen: Payload {
            package static let type = "quranflow.timezone.chosen"
            package static let streams = ["student"]
            package static let sentence = "A time zone was chosen."
            package var timeZone = Word.empty
            package var source = ZoneSource.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("timeZone", &timeZone)
                coder.field("source", &source)
            }
        }

        package struct DisplayChosen: Payload {
            package static let type = "quranflow.display.chosen"
            package static let streams = ["student"]
            package static let sentence = "Text size and appearance were chosen."
            /// Per cent.
            package var textSize = 0
            package var appearance = Appearance.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("textSize", &textSize)
                coder.field("appearance", &appearance)
            }
        }

        /// The switches given.
        package struct NotificationsChosen: Payload {
            package static let type = "quranflow.notifications.chosen"
            package static let streams = ["student"]
            package static let sentence = "Notification switches were set."
            package var push: Bool?
            package var email: Bool?
            package var feedback: Bool?
            package var sessions: Bool?
            package var announcements: Bool?
            package var deadlines: Bool?

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

        package struct PermissionAnswered: Payload {
            package static let type = "quranflow.notifications.permission-answered"
            package static let streams = ["student"]
            package static let sentence = "The phone's question about notifications was answered."
            package var granted = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("granted", &granted)
            }
        }
    }
}
