import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Answers the first unanswered engagement question of the current topic (R16).
    struct AnswerEngagement: Command {
        static let type = "learnable.engagement.answer"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var given = GivenAnswer()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.findCurrent(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let progress = context.state.topic(subject, index)
            let number = progress.replies.count + 1
            let first = context.state.content(of: row, index).engagement
            guard let form = number == 1 ? first : number == 2 ? progress.another : nil else {
                throw .alreadyAnswered
            }
            let verdict = try given.judge(by: form)
            context.record(
                Engagement.Answered(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    number: number,
                    format: form.format,
                    verdict: verdict), on: subject)
        }
    }

    /// A service's assessment of a free-text answer (R16).
    struct AssessEngagement: Command {
        static let type = "learnable.engagement.assess"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var number = SignedInt(0)
        var correct = false
        var feedback = Body.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            let replies = context.state.topic(subject, index).replies
            guard (1...2).contains(number.value), number.value <= replies.count else {
                throw .notAnswered
            }
            let reply = replies[number.value - 1]
            if reply.format == .multipleChoice { throw .wrongAnswerForm }
            if reply.isAssessed { throw .alreadyAssessed }
            context.record(
                Engagement.Assessed(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    number: number.value,
                    correct: correct,
                    feedback: feedback), on: subject)
        }
    }

    /// Requests the additional engagement question, if the policy allows one (R16).
    struct RequestAnother: TopicAlone {
        static let type = "learnable.engagement.request-another"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.findCurrent(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let progress = context.state.topic(subject, index)
            if progress.replies.isEmpty { throw .notAnswered }
            if progress.isAnotherRequested || context.state.policy.extraQuestions == 0 {
                throw .extraQuestionUsed
            }
            context.record(
                Engagement.AnotherRequested(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    number: 2), on: subject)
        }
    }

    /// Delivers the additional engagement question (R16).
    struct AskAnother: Command {
        static let type = "learnable.engagement.ask-another"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var question = Form()

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            let progress = context.state.topic(subject, index)
            if !progress.isAnotherRequested { throw .notRequested }
            if progress.another != nil { throw .alreadyDelivered }
            context.record(
                Engagement.AnotherAsked(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    number: 2,
                    question: question), on: subject)
        }
    }
}
