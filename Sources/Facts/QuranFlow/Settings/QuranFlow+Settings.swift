import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A student's settings; what they did not choose has its default.
    package struct SettingsState: Record {
        package var font: String?
        package var fontSize: Int?
        package var textSize = 100
        package var appearance = Settings.Appearance.system
        package var push = true
        package var email = true
        package var feedback = true
        package var sessions = true
        package var announcements = true
        package var deadlines = true
        /// The phone's answer; nil until asked.
        package var permission: Bool?

        package init() {}

        /// The font size of those who chose none (R14).
        package static let defaultFontSize = 28

        /// Whether notifications of a category are wanted.
        package func wants(_ category: Notification.Category) -> Bool {
            switch category {
            case .always: true
            case .deadlines: deadlines
            case .feedback: feedback
            case .sessions: sessions
            case .announcements: announcements
            }
        }

        /// E-mail by its switch; push by its switch unless permission was refused (page, Notifications).
        package var channels: [Notification.Channel] {
            (email ? [.email] : []) + (push && permission != false ? [.push] : [])
        }
    }
}

extension QuranFlow.State {
    static func settingsRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Settings.FontChosen.self) { state, event, metadata in
            state.updateStudent(metadata) {
                $0.settings.font = event.font
                $0.settings.fontSize = event.size ?? $0.settings.fontSize
            }
        }
        routes.on(QuranFlow.Settings.TimeZoneChosen.self) { state, event, metadata in
            state.updateStudent(metadata) {
                $0.timeZone = event.timeZone
                $0.zoneSource = event.source
            }
        }
        routes.on(QuranFlow.Settings.DisplayChosen.self) { state, event, metadata in
            state.updateStudent(metadata) {
                $0.settings.textSize = event.textSize
                $0.settings.appearance = event.appearance
            }
        }
        routes.on(QuranFlow.Settings.NotificationsChosen.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.settings.choose(event) }
        }
        routes.on(QuranFlow.Settings.PermissionAnswered.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.settings.permission = event.granted }
        }
    }

    /// A passage is never recorded in a font that was not chosen (R14).
    package func hasChosenFont(_ student: QuranFlow.StudentID) -> Bool {
        students.read(student) { $0.settings.font != nil } ?? false
    }

    /// The font in force, and its size (R14).
    package func font(of student: QuranFlow.StudentID) -> (name: String, size: Int) {
        let settings = students.read(student) { $0.settings }
        return (
            settings?.font ?? policy.fonts.first ?? "",
            settings?.fontSize ?? QuranFlow.SettingsState.defaultFontSize
        )
    }
}

extension QuranFlow.SettingsState {
    /// Sets the switches that were given.
    fileprivate mutating func choose(_ event: QuranFlow.Settings.NotificationsChosen) {
        push = event.push ?? push
        email = event.email ?? email
        feedback = event.feedback ?? feedback
        sessions = event.sessions ?? sessions
        announcements = event.announcements ?? announcements
        deadlines = event.deadlines ?? deadlines
    }
}
