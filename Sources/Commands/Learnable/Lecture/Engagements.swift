package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R16: the answer goes to the first unanswered question; the feedback comes with it.
    package struct AnswerEngagement: Command {
        package static let type = "learnable.engagement.answer"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var given = GivenAnswer()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            given.fields(&coder)
        }

        package func problem(_ names: Names) -> String? { given.problem }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, index) = try scene.currentTopic(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let standing = scene.state.topic(subject, index)
            let number = standing.replies.count + 1
            let first = scene.state.content(of: row, index).engagement
            guard let form = number == 1 ? first : number == 2 ? standing.another : nil else {
                throw .alreadyAnswered
            }
            let verdict = try given.judge(by: form)
            scene.record(
                Engagement.Answered.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.number = number
                    $0.format = form.format
                    $0.verdict = verdict
                }, on: scene.stream(subject))
        }
    }

    /// R16: what a service says of a free-text answer.
    package struct AssessEngagement: Command {
        package static let type = "learnable.engagement.assess"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var number = SignedInt(0)
        var correct = false
        var feedback = Body.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("number", &number)
            coder.field("correct", &correct)
            coder.field("feedback", &feedback)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            let index = try scene.find(topic, of: row)
            let replies = scene.state.topic(subject, index).replies
            guard (1...2).contains(number.value), number.value <= replies.count else {
                throw .notAnswered
            }
            let reply = replies[number.value - 1]
            if reply.format == .multipleChoice { throw .wrongAnswerForm }
            if reply.isAssessed { throw .alreadyAssessed }
            scene.record(
                Engagement.Assessed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.number = number.value
                    $0.correct = correct
                    $0.feedback = feedback
                }, on: scene.stream(subject))
        }
    }

    /// R16: one additional question a topic, if the policy has one.
    package struct RequestAnother: Command {
        package static let type = "learnable.engagement.request-another"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, index) = try scene.currentTopic(topic, of: subject, need: .app)
            if !row.addOns.engagementQuestion { throw .engagementOff }
            let standing = scene.state.topic(subject, index)
            if standing.replies.isEmpty { throw .notAnswered }
            if standing.isAnotherRequested || scene.state.policy.extraQuestions == 0 {
                throw .extraQuestionUsed
            }
            scene.record(
                Engagement.AnotherRequested.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                }, on: scene.stream(subject))
        }
    }

    package struct AskAnother: Command {
        package static let type = "learnable.engagement.ask-another"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var question = Form()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("question", &question)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            let index = try scene.find(topic, of: row)
            let standing = scene.state.topic(subject, index)
            if !standing.isAnotherRequested { throw .notRequested }
            if standing.another != nil { throw .alreadyDelivered }
            scene.record(
                Engagement.AnotherAsked.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.question = question
                }, on: scene.stream(subject))
        }
    }

    /// What a student answers to a question: exactly one of the two.
    package struct GivenAnswer: Record {
        package private(set) var choice: SignedInt?
        package private(set) var answer: AnyString?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
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
