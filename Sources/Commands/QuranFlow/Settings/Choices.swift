package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct ChooseTimeZone: Command {
        package static let type = "quranflow.timezone.choose"
        var student = StudentID.none
        var timeZone = ""
        var source = Settings.ZoneSource.device

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
            coder.field("source", &source)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(zone: timeZone)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        /// R4: changes only what is displayed.
        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(
                Settings.TimeZoneChosen.with {
                    $0.timeZone = Word(scene.names.intern(timeZone))
                    $0.source = source
                }, student: student)
        }
    }

    package struct ChooseDisplay: Command {
        package static let type = "quranflow.display.choose"
        var student = StudentID.none
        var textSize = 0
        var appearance = Settings.Appearance.system

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("textSize", &textSize)
            coder.field("appearance", &appearance)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("textSize", textSize, 50...300))
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(
                Settings.DisplayChosen.with {
                    $0.textSize = textSize
                    $0.appearance = appearance
                }, student: student)
        }
    }

    package struct ChooseNotifications: Command {
        package static let type = "quranflow.notifications.choose"
        var student = StudentID.none
        var switches = Settings.NotificationsChosen()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            switches.fields(&coder)
        }

        package func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one switch"
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(switches, student: student)
        }
    }

    package struct AnswerPermission: Command {
        package static let type = "quranflow.notifications.answer-permission"
        var student = StudentID.none
        var granted = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("granted", &granted)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(
                Settings.PermissionAnswered.with { $0.granted = granted }, student: student)
        }
    }

    package struct OpenNotification: Command {
        package static let type = "quranflow.notification.open"
        var recipient = Recipient.empty
        var number = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recipient", &recipient)
            coder.field("number", &number)
        }

        package func who(in programme: Programme) -> Who { .recipient(recipient) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            guard let person = scene.state.present(recipient.person),
                person.isCoach == recipient.isCoach, number <= UInt32.max,
                let notice = scene.state.notices[.init(recipient.person, Ordinal(number))]
            else { throw .notFound }
            try scene.checkCoachIsActive()
            if notice.isOpened { throw .alreadyOpened }
            scene.recordOpened(number, by: recipient)
        }
    }
}

extension Scene<QuranFlow.Programme> {
    func recordOpened(_ number: Int, by recipient: QuranFlow.Recipient) {
        record(
            QuranFlow.Notification.Opened.with { $0.number = number },
            on: "quranflow/inbox/\(recipient.text(names))",
            about: (recipient.kind, recipient.person.symbol))
    }

    /// Opens a student's notification that something else took note of, if it was raised and is not.
    func openNotice(_ number: Int, of student: QuranFlow.StudentID) {
        guard number > 0,
            state.notices[.init(.init(student), Ordinal(number))]?.isOpened == false
        else { return }
        recordOpened(number, by: .student(student))
    }
}
