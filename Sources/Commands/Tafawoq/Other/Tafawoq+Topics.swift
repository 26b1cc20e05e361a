import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Switches a topic on or off (R42).
    protocol TopicSwitch: StudentCommand {
        static var isOn: Bool { get }
        var topic: Topic { get set }
    }

    struct EnableTopic: TopicSwitch {
        static let type = "tafawoq.notification.enable"
        static let isOn = true
        var student = StudentID.none
        var topic = Topic.examReminder

        init() {}
    }

    struct DisableTopic: TopicSwitch {
        static let type = "tafawoq.notification.disable"
        static let isOn = false
        var student = StudentID.none
        var topic = Topic.examReminder

        init() {}
    }

    /// Something became of a notification.
    protocol NoticeCommand: StudentCommand {
        var number: Int { get set }
    }

    /// A notification was sent.
    struct DispatchNotification: NoticeCommand {
        static let type = "tafawoq.notification.dispatch"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var number = 0

        func decide(in context: Context) throws(Rejection) {
            if try context.ownNotice(number, of: student).isDispatched { throw .alreadyDispatched }
            context.record(
                Notification.Dispatched.with {
                    $0.student = student
                    $0.number = number
                }, notification: student)
        }
    }

    /// A notification was read.
    struct OpenNotification: NoticeCommand {
        static let type = "tafawoq.notification.open"
        var student = StudentID.none
        var number = 0

        func decide(in context: Context) throws(Rejection) {
            if try context.ownNotice(number, of: student).isOpened { throw .alreadyOpened }
            context.record(
                Notification.Opened.with {
                    $0.student = student
                    $0.number = number
                }, notification: student)
        }
    }
}

extension Tafawoq.TopicSwitch {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("topic", &topic)
    }

    func decide(in context: Tafawoq.Context) throws(Tafawoq.Rejection) {
        let row = try context.ownStudent(student)
        if row.isEnabled(topic) == Self.isOn {
            throw Self.isOn ? .alreadyEnabled : .alreadyDisabled
        }
        if Self.isOn {
            context.record(
                Tafawoq.Notification.Enabled.with {
                    $0.student = student
                    $0.topic = topic
                }, notification: student)
        } else {
            context.record(
                Tafawoq.Notification.Disabled.with {
                    $0.student = student
                    $0.topic = topic
                }, notification: student)
        }
    }
}

extension Tafawoq.NoticeCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.bounded("number", &number)
    }
}

extension DecisionContext<Tafawoq> {
    fileprivate func ownNotice(
        _ number: Int, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.NoticeRow {
        _ = try self.student(student)
        guard let notice = state.notices[.init(student, Ordinal(number))] else { throw .notFound }
        try checkOwner(student)
        return notice
    }
}
