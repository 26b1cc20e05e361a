import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct ChooseTimeZone: Command {
        static let type = "quranflow.timezone.choose"
        var student = StudentID.none
        var timeZone = ""
        var source = Settings.ZoneSource.device

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("timeZone", &timeZone)
            coder.field("source", &source)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(zone: timeZone)
        }

        func senders(in state: State) -> Senders { .student(student) }

        /// R4: changes only what is displayed.
        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.student(student)
            context.record(
                Settings.TimeZoneChosen.with {
                    $0.timeZone = Word(context.names.intern(timeZone))
                    $0.source = source
                }, student: student)
        }
    }

    struct ChooseDisplay: Command {
        static let type = "quranflow.display.choose"
        var student = StudentID.none
        var textSize = 0
        var appearance = Settings.Appearance.system

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("textSize", &textSize)
            coder.field("appearance", &appearance)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("textSize", textSize, 50...300))
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.student(student)
            context.record(
                Settings.DisplayChosen.with {
                    $0.textSize = textSize
                    $0.appearance = appearance
                }, student: student)
        }
    }

    struct ChooseNotifications: Command {
        static let type = "quranflow.notifications.choose"
        var student = StudentID.none
        var switches = Settings.NotificationsChosen()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            switches.fields(&coder)
        }

        func problem(_ names: Names) -> String? {
            givenNames.count > 1 ? nil : "expected at least one switch"
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.student(student)
            context.record(switches, student: student)
        }
    }

    struct AnswerPermission: Command {
        static let type = "quranflow.notifications.answer-permission"
        var student = StudentID.none
        var granted = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("granted", &granted)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.student(student)
            context.record(
                Settings.PermissionAnswered.with { $0.granted = granted }, student: student)
        }
    }

    struct OpenNotification: Command {
        static let type = "quranflow.notification.open"
        var recipient = Recipient.empty
        var number = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recipient", &recipient)
            coder.field("number", &number)
        }

        func senders(in state: State) -> Senders {
            .one(recipient.isCoach ? .coach : .student, recipient.person)
        }

        func decide(in context: Context) throws(Rejection) {
            guard let person = context.state.present(recipient.person),
                person.isCoach == recipient.isCoach, number <= UInt32.max,
                let notice = context.state.notices[.init(recipient.person, Ordinal(number))]
            else { throw .notFound }
            try context.checkCoachIsActive()
            if notice.isOpened { throw .alreadyOpened }
            context.recordOpened(number, by: recipient)
        }
    }
}

extension DecisionContext<QuranFlow> {
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
