import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Sends a message to the coach: to an address, or in the app where the policy names none.
    struct SendMessage: Command {
        static let type = "quranflow.message.send"
        var student = StudentID.none
        var message = MessageID.none
        var text: Filled = ""

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            if state.messages.contains(message) {
                throw context.alreadyExists(message)
            }
            if !row.isPlaced { throw .notPlaced }
            if text.scalarCount > state.policy.commentMaxCharacters { throw .textTooLong }
            let coach = state.currentEnrollment(of: student)?.row.coach
            context.record(
                Message.Sent(
                    student: student,
                    coach: coach,
                    deliveredTo: state.policy.coachTeamEmail,
                    text: text), on: message)
            if state.policy.coachTeamEmail == nil, let coach {
                context.notify(coach, of: message)
            }
        }
    }

    /// Asks the support for help.
    struct RequestSupport: Command {
        static let type = "quranflow.support.request"
        var student = StudentID.none
        var request = RequestID.none
        var category = SupportRequest.Category.general
        var text: Filled = ""

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try context.find(student)
            if state.requests.contains(request) {
                throw context.alreadyExists(request)
            }
            if text.scalarCount > state.policy.commentMaxCharacters { throw .textTooLong }
            context.record(
                SupportRequest.Requested(
                    student: student,
                    category: category,
                    text: text), on: context.supportRequestStream(request),
                about: ("request", request.symbol))
        }
    }
}
