import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Chooses a Quranic font and its size (R14).
    struct ChooseFont: Command {
        static let type = "quranflow.font.choose"
        var student = StudentID.none
        var font: Filled = ""
        var size: Int?

        func problem(_ names: Names) -> String? {
            rangeProblem(("size", size, 12...72))
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            guard context.state.policy.fonts.contains(where: { $0.isExactly(font) }) else {
                throw .unknownFont
            }
            context.record(
                Settings.FontChosen(
                    font: font,
                    size: size), on: student)
            // Takes step 3 of the set-up while that is next (R13).
            if row.isPlaced, !row.onboarding.isComplete, let next = row.onboarding.next,
                Onboarding.Step(number: next) == .font
            {
                context.take(next, .font, of: student)
            }
        }
    }

    /// Chooses the zone in which times are shown (R35); the weeks stay as they are (R4).
    struct ChooseTimeZone: Command {
        static let type = "quranflow.timezone.choose"
        var student = StudentID.none
        var timeZone = ""
        var source = Settings.ZoneSource.device

        func problem(_ names: Names) -> String? {
            ZoneName.problem(timeZone)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            context.record(
                Settings.TimeZoneChosen(
                    timeZone: InternedText(context.names.intern(ZoneName.place(timeZone))),
                    source: source), on: student)
        }
    }

    /// Chooses text size and appearance.
    struct ChooseDisplay: Command {
        static let type = "quranflow.display.choose"
        var student = StudentID.none
        var textSize = 0
        var appearance = Settings.Appearance.system

        func problem(_ names: Names) -> String? {
            rangeProblem(("textSize", textSize, 50...300))
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            context.record(
                Settings.DisplayChosen(
                    textSize: textSize,
                    appearance: appearance), on: student)
        }
    }

    /// Sets notification switches; those not given stay.
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
            try context.find(student)
            context.record(switches, on: student)
        }
    }

    /// Reports the answer to the phone's question about notifications (R13).
    struct AnswerPermission: Command {
        static let type = "quranflow.notifications.answer-permission"
        var student = StudentID.none
        var granted = false

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            context.record(
                Settings.PermissionAnswered(
                    granted: granted), on: student)
        }
    }
}
