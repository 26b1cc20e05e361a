package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// Switches a topic on or off (R42).
    package protocol TopicSwitch: StudentCommand {
        static var isOn: Bool { get }
        var topic: Topic { get set }
    }

    package struct EnableTopic: TopicSwitch {
        package static let type = "tafawoq.notification.enable"
        package static let isOn = true
        package var student = StudentID.none
        package var topic = Topic.examReminder

        package init() {}
    }

    package struct DisableTopic: TopicSwitch {
        package static let type = "tafawoq.notification.disable"
        package static let isOn = false
        package var student = StudentID.none
        package var topic = Topic.examReminder

        package init() {}
    }

    /// Something became of a notification.
    package protocol NoticeCommand: StudentCommand {
        var number: Int { get set }
    }

    /// A notification was sent.
    package struct DispatchNotification: NoticeCommand {
        package static let type = "tafawoq.notification.dispatch"
        package static let senders: [Actor.Kind] = [.service]
        package var student = StudentID.none
        package var number = 0

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            if try scene.ownNotice(number, of: student).isDispatched { throw .alreadyDispatched }
            scene.record(
                Notification.Dispatched.with {
                    $0.student = student
                    $0.number = number
                }, notification: student)
        }
    }

    /// A notification was read.
    package struct OpenNotification: NoticeCommand {
        package static let type = "tafawoq.notification.open"
        package var student = StudentID.none
        package var number = 0

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            if try scene.ownNotice(number, of: student).isOpened { throw .alreadyOpened }
            scene.record(
                Notification.Opened.with {
                    $0.student = student
                    $0.number = number
                }, notification: student)
        }
    }
}

extension Tafawoq.TopicSwitch {
    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("topic", &topic)
    }

    package func apply(in scene: Scene<Tafawoq.Centre>) throws(Tafawoq.Rejection) {
        let row = try scene.ownStudent(student)
        if row.isEnabled(topic) == Self.isOn {
            throw Self.isOn ? .alreadyEnabled : .alreadyDisabled
        }
        if Self.isOn {
            scene.record(
                Tafawoq.Notification.Enabled.with {
                    $0.student = student
                    $0.topic = topic
                }, notification: student)
        } else {
            scene.record(
                Tafawoq.Notification.Disabled.with {
                    $0.student = student
                    $0.topic = topic
                }, notification: student)
        }
    }
}

extension Tafawoq.NoticeCommand {
    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.bounded("number", &number)
    }
}

extension Scene<Tafawoq.Centre> {
    fileprivate func ownNotice(
        _ number: Int, of student: Tafawoq.StudentID
    ) throws(Tafawoq.Rejection) -> Tafawoq.NoticeRow {
        _ = try self.student(student)
        guard let notice = state.notices[.init(student, Ordinal(number))] else { throw .notFound }
        try checkOwner(student)
        return notice
    }
}
