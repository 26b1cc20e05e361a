package import Core

extension ExamRoom.Account {
    package enum Theme: String, Choice {
        case light, dark
    }

    package enum SyncPreference: String, Choice {
        case wifi
        case wifiOrCellular = "wifi-cellular"
        case manual
    }

    package enum Visibility: String, Choice {
        case shown, hidden
    }

    /// What a person chose; nil is "not chosen".
    package struct Preferences: Record {
        package var theme: Theme?
        package var sync: SyncPreference?
        package var biometric: Bool?
        package var notifications: Bool?
        package var leaderboard: Visibility?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optional("theme", &theme)
            coder.optional("sync", &sync)
            coder.optional("biometric", &biometric)
            coder.optional("notifications", &notifications)
            coder.optional("leaderboard", &leaderboard)
        }

        package var isEmpty: Bool { self == Self() }
    }

    /// The owner chose some preferences; each is a register (R40).
    package struct PreferenceChosen: Payload {
        package static let type = "examroom.preference.chosen"
        package static let streams = ["account"]
        package static let sentence = "Preferences were chosen."
        package static let rules = [40]
        package internal(set) var account = ExamRoom.AccountID.none
        package internal(set) var changes = Preferences()

        package init() {}
    }
}
