import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A student's notifications with their texts, newest first.
    static let notificationsView = ReadModel<State>(
        "tafawoq.notifications", "What was the student told?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, row) = state.student(request.key) else { return false }
        let page = try Page(request)
        let numbers = state.notificationNumbers.elements(of: student, count: row.notificationCount)
        let notices = numbers.reversed().compactMap { number in
            state.notifications[.init(student, number)].map {
                (number: Int(number.number), row: $0)
            }
        }
        output.object { output in
            output.member("student", student)
            output.member("unread", notices.count { !$0.row.isOpened })
            page.write(total: notices.count, to: &output)
            output.array("notifications", notices[page.range(of: notices.count)]) {
                output, notice in
                let facts = notice.row.facts.value
                output.object { output in
                    output.member("number", notice.number)
                    output.member("type", notice.row.type)
                    output.member("raisedAt", notice.row.at)
                    output.member("target", notice.row.target)
                    output.member("channels", notice.row.channels)
                    output.member("facts", facts)
                    output.both("text", Texts.text(of: notice.row.type, facts, state.policy))
                    output.member(
                        "status",
                        notice.row.isOpened ? "read" : notice.row.isDispatched ? "sent" : "pending")
                }
            }
        }
        return true
    }
}
