import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A command that switches a topic on or off (R42).
    protocol TopicSwitch: StudentCommand {
        static var isOn: Bool { get }
        var topic: Topic { get set }
    }

    /// Switches a topic on (R42).
    struct EnableTopic: TopicSwitch {
        static let type = "tafawoq.notification.enable"
        static let isOn = true
        var student = StudentID.none
        var topic = Topic.examReminder
    }

    /// Switches a topic off (R42).
    struct DisableTopic: TopicSwitch {
        static let type = "tafawoq.notification.disable"
        static let isOn = false
        var student = StudentID.none
        var topic = Topic.examReminder
    }

    /// A command that names one notification of a student.
    protocol NotificationCommand: StudentCommand {
        var number: Int { get set }
    }

    /// Reports that a notification was sent.
    struct DispatchNotification: NotificationCommand {
        static let type = "tafawoq.notification.dispatch"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var number = 0

        func decide(in context: Context) throws(Rejection) {
            if try context.findOwn(notification: number, of: student).isDispatched {
                throw .alreadyDispatched
            }
            context.record(
                Notification.Dispatched(
                    student: student,
                    number: number), on: context.notificationStream(of: student))
        }
    }

    /// Reports that a notification was read.
    struct OpenNotification: NotificationCommand {
        static let type = "tafawoq.notification.open"
        var student = StudentID.none
        var number = 0

        func decide(in context: Context) throws(Rejection) {
            if try context.findOwn(notification: number, of: student).isOpened {
                throw .alreadyOpened
            }
            context.record(
                Notification.Opened(
                    student: student,
                    number: number), on: context.notificationStream(of: student))
        }
    }
}

extension Tafawoq.TopicSwitch {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("topic", &topic)
    }

    func decide(in context: Tafawoq.Context) throws(Tafawoq.Rejection) {
        let row = try context.findOwn(student)
        if row.isEnabled(topic) == Self.isOn {
            throw Self.isOn ? .alreadyEnabled : .alreadyDisabled
        }
        if Self.isOn {
            context.record(
                Tafawoq.Notification.Enabled(
                    student: student,
                    topic: topic), on: context.notificationStream(of: student))
        } else {
            context.record(
                Tafawoq.Notification.Disabled(
                    student: student,
                    topic: topic), on: context.notificationStream(of: student))
        }
    }
}

extension Tafawoq.NotificationCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.bounded("number", &number)
    }
}
