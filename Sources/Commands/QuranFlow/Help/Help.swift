package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Writes to the coach: to an address, or in the app where the policy names none.
    package struct SendMessage: Command {
        package static let type = "quranflow.message.send"
        var student = StudentID.none
        var message = MessageID.none
        var text = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("message", &message)
            coder.filled("text", &text)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.student(student)
            if programme.messages.contains(message) { throw .alreadyExists }
            if !row.isPlaced { throw .notPlaced }
            if text.scalarCount > programme.policy.commentMaxCharacters { throw .textTooLong }
            let coach = programme.currentEnrollment(of: student)?.row.coach
            scene.record(
                Message.Sent.with {
                    $0.student = student
                    $0.coach = coach
                    $0.deliveredTo = programme.policy.coachTeamEmail
                    $0.text = text
                }, "message", message)
            if programme.policy.coachTeamEmail == nil, let coach {
                scene.notify(coach, of: message)
            }
        }
    }

    package struct RequestSupport: Command {
        package static let type = "quranflow.support.request"
        var student = StudentID.none
        var request = RequestID.none
        var category = SupportRequest.Category.general
        var text = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("request", &request)
            coder.field("category", &category)
            coder.filled("text", &text)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            _ = try programme.student(student)
            if programme.requests.contains(request) { throw .alreadyExists }
            if text.scalarCount > programme.policy.commentMaxCharacters { throw .textTooLong }
            scene.record(
                SupportRequest.Requested.with {
                    $0.student = student
                    $0.category = category
                    $0.text = text
                }, "support-request", request)
        }
    }
}
