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
            try context.checkIsFree(message, unless: state.messages.contains(message))
            if !row.isPlaced { throw .notPlaced }
            try context.checkLength(of: text)
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
            try context.checkIsFree(request, unless: state.requests.contains(request))
            try context.checkLength(of: text)
            context.record(
                SupportRequest.Requested(
                    student: student,
                    category: category,
                    text: text), on: context.supportRequestStream(request),
                about: ("request", request.symbol))
        }
    }

    /// Answers a message to a coach, or a support request (R39).
    struct ReplyToHelp: Command {
        static let type = "quranflow.help.reply"
        var message: MessageID?
        var request: RequestID?
        var reply = ReplyID.none
        var text: Filled = ""

        func problem(_ names: Names) -> String? {
            (message == nil) == (request == nil) ? "expected one of message, request" : nil
        }

        static func kinds(in state: State) -> [Actor.Kind] { [.coach, .admin, .system] }

        /// Messages are a coach's to answer, too.
        func senders(in state: State) -> Senders {
            message == nil ? .admin : .any(.coach).or(.admin)
        }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let student: StudentID
            let thread: [ReplyRow]
            if let message {
                let row = try context.find(message)
                let enrollment = state.currentEnrollment(of: row.student)?.row
                try context.checkCoach(enrollment?.coach, of: message)
                (student, thread) = (row.student, state.replies(to: message))
            } else if let request {
                let row = try context.find(request)
                (student, thread) = (row.student, state.replies(to: request))
            } else {
                throw .notFound
            }
            if thread.contains(where: { $0.reply == reply }) { throw context.alreadyExists(reply) }
            try context.checkLength(of: text)
            let coach = context.actor.kind == .coach ? CoachID(context.actor.id) : nil
            let event = Help.Replied(
                student: student,
                reply: reply,
                author: coach == nil ? .admin : .coach,
                coach: coach,
                text: text)
            if let message {
                context.record(event, on: message)
                context.notifyReply(student, ("message", message.symbol), reply)
            } else if let request {
                context.record(
                    event, on: context.supportRequestStream(request),
                    about: ("request", request.symbol))
                context.notifyReply(student, ("request", request.symbol), reply)
            }
        }
    }
}
