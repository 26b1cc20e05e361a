import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R16: the answer goes to the first unanswered question; the feedback comes with it.
    struct AnswerEngagement: Command {
        static let type = "learnable.engagement.answer"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var given = GivenAnswer()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.currentTopic(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let standing = context.state.topic(subject, index)
            let number = standing.replies.count + 1
            let first = context.state.content(of: row, index).engagement
            guard let form = number == 1 ? first : number == 2 ? standing.another : nil else {
                throw .alreadyAnswered
            }
            let verdict = try given.judge(by: form)
            context.record(
                Engagement.Answered.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.number = number
                    $0.format = form.format
                    $0.verdict = verdict
                }, on: context.stream(subject))
        }
    }

    /// R16: what a service says of a free-text answer.
    struct AssessEngagement: Command {
        static let type = "learnable.engagement.assess"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var number = SignedInt(0)
        var correct = false
        var feedback = Body.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("number", &number)
            coder.field("correct", &correct)
            coder.field("feedback", &feedback)
        }

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
                Engagement.Assessed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.number = number.value
                    $0.correct = correct
                    $0.feedback = feedback
                }, on: context.stream(subject))
        }
    }

    /// R16: one additional question a topic, if the policy has one.
    struct RequestAnother: Command {
        static let type = "learnable.engagement.request-another"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.currentTopic(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let standing = context.state.topic(subject, index)
            if standing.replies.isEmpty { throw .notAnswered }
            if standing.isAnotherRequested || context.state.policy.extraQuestions == 0 {
                throw .extraQuestionUsed
            }
            context.record(
                Engagement.AnotherRequested.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                }, on: context.stream(subject))
        }
    }

    struct AskAnother: Command {
        static let type = "learnable.engagement.ask-another"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var question = Form()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("question", &question)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            let standing = context.state.topic(subject, index)
            if !standing.isAnotherRequested { throw .notRequested }
            if standing.another != nil { throw .alreadyDelivered }
            context.record(
                Engagement.AnotherAsked.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.question = question
                }, on: context.stream(subject))
        }
    }

    /// What a student answers to a question: exactly one of the two.
    struct GivenAnswer: Record {
        private(set) var choice: SignedInt?
        private(set) var answer: AnyString?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optional("choice", &choice)
            coder.optional("answer", &answer)
        }

        var problem: String? {
            (choice == nil) == (answer == nil) ? "expected either \"choice\" or \"answer\"" : nil
        }

        /// R16, R29: multiple choice is right or wrong; a free text is judged later.
        func judge(by form: Form) throws(Rejection) -> Verdict {
            switch (form.format, choice, answer) {
            case (.multipleChoice, let choice?, _):
                guard (form.options ?? []).indices.contains(choice.value) else {
                    throw .noSuchOption
                }
            case (.freeText, _, let answer?): if answer.text.isBlank { throw .blankAnswer }
            default: throw .wrongAnswerForm
            }
            return Verdict(choice: choice?.value, answer: answer, by: form)
        }
    }
}
