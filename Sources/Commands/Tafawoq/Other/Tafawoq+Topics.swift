package import Events
package import Facts

extension Tafawoq {
    /// Switches a topic on (R42).
    package struct EnableTopic: Command {
        package static let type = "tafawoq.notification.enable"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var topic = Topic.examReminder
        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("topic", &topic)
        }

        package func concerned(in centre: Centre) -> StudentID? { student }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            if row.isEnabled(topic) { throw .alreadyEnabled }
            scene.record(
                Notification.Enabled.with {
                    $0.student = student
                    $0.topic = topic
                }, on: scene.state.stream("notification", student))
        }
    }

    /// Switches a topic off (R42).
    package struct DisableTopic: Command {
        package static let type = "tafawoq.notification.disable"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var topic = Topic.examReminder
        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("topic", &topic)
        }

        package func concerned(in centre: Centre) -> StudentID? { student }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            if !row.isEnabled(topic) { throw .alreadyDisabled }
            scene.record(
                Notification.Disabled.with {
                    $0.student = student
                    $0.topic = topic
                }, on: scene.state.stream("notification", student))
        }
    }

    /// A notification was sent.
    package struct DispatchNotification: Command {
        package static let type = "tafawoq.notification.dispatch"
        package static let senders: [Actor.Kind] = [.service]
        var student = StudentID.none
        var number = 0
        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("number", &number)
        }

        package func concerned(in centre: Centre) -> StudentID? { student }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let notice = try scene.ownNotice(number, of: student)
            if notice.isDispatched { throw .alreadyDispatched }
            scene.record(
                Notification.Dispatched.with {
                    $0.student = student
                    $0.number = number
                }, on: scene.state.stream("notification", student))
        }
    }

    /// A notification was read.
    package struct OpenNotification: Command {
        package static let type = "tafawoq.notification.open"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var number = 0
        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("number", &number)
        }

        package func concerned(in centre: Centre) -> StudentID? { student }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let notice = try scene.ownNotice(number, of: student)
            if notice.isOpened { throw .alreadyOpened }
            scene.record(
                Notification.Opened.with {
                    $0.student = student
                    $0.number = number
                }, on: scene.state.stream("notification", student))
        }
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
