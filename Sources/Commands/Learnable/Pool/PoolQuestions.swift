package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// A question that the AI service made.
    package struct NewQuestion: Record {
        package private(set) var question = QuestionID.none
        package private(set) var variants: [Variant] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("variants", &variants)
        }

        /// R18: a wording for every level, of a format that the daily quiz may use there.
        func hasAllLevels(_ policy: Policy) -> Bool {
            (1...4).allSatisfy { level in
                variants.contains {
                    $0.level == level && policy.level(level).formats.contains($0.form.format)
                }
            }
        }
    }

    /// R18: a topic's questions join the pool, once.
    package struct PoolQuestions: Command {
        package static let type = "learnable.question.pool"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var questions: [NewQuestion] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("questions", &questions)
        }

        package func problem(_ names: Names) -> String? {
            (1...50).contains(questions.count) ? nil : "expected 1 to 50 questions"
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            let index = try scene.find(topic, of: row)
            let standing = scene.state.topic(subject, index)
            if !row.addOns.reinforcement { throw .reinforcementOff }
            if !standing.isCompleted { throw .topicNotCompleted }
            if standing.isPooled { throw .alreadyPooled }
            var ids: Set<QuestionID> = []
            for new in questions {
                let isNew = ids.insert(new.question).inserted
                if !isNew || scene.state.questions.contains(new.question) { throw .alreadyExists }
            }
            let policy = scene.state.policy
            if !questions.allSatisfy({ $0.hasAllLevels(policy) }) { throw .levelWithoutVariant }
            let day = scene.day(of: row.student)
            for new in questions {
                let interval = policy.interval(
                    level: 1, question: scene.names.text(new.question), revision: 0)
                scene.record(
                    Question.Pooled.with {
                        $0.student = row.student
                        $0.question = new.question
                        $0.subject = subject
                        $0.topic = topic
                        $0.variants = Packed(new.variants)
                        $0.turn = .init(on: day, after: interval)
                    }, on: scene.stream(new.question))
            }
        }
    }

    /// R20: it leaves the pool for good, and quizzes that held nothing else end (R24).
    package struct DeleteQuestion: Command {
        package static let type = "learnable.question.delete"
        package static let senders: [Actor.Kind] = [.student]
        var question = QuestionID.none
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("confirmed", &confirmed)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(question)
            try scene.own(row.student)
            try scene.confirm(confirmed)
            try scene.need(.app, of: row.student)
            scene.record(
                Question.Deleted.with {
                    $0.student = row.student
                    $0.question = question
                    $0.subject = row.subject
                    $0.level = row.level
                    $0.mastered = row.isMastered
                }, on: scene.stream(question))
            scene.endEmptyQuizzes(of: row.student)
        }
    }

    /// R22: a mastered question no longer comes back.
    package struct DisableRecurrence: Command {
        package static let type = "learnable.recurrence.disable"
        package static let senders: [Actor.Kind] = [.student]
        var question = QuestionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownQuestion(question)
            if !row.isMastered { throw .notMastered }
            if row.isDisabled { throw .alreadyDisabled }
            scene.record(
                Recurrence.Disabled.with {
                    $0.student = row.student
                    $0.question = question
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(question))
        }
    }

    package struct EnableRecurrence: Command {
        package static let type = "learnable.recurrence.enable"
        package static let senders: [Actor.Kind] = [.student]
        var question = QuestionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownQuestion(question)
            if !row.isDisabled { throw .notDisabled }
            scene.record(
                Recurrence.Enabled.with {
                    $0.student = row.student
                    $0.question = question
                    $0.turn = .init(
                        on: scene.day(of: row.student),
                        after: scene.state.policy.masteredEveryDays)
                }, on: scene.stream(question))
        }
    }
}

extension Scene<Learnable.Academy> {
    /// The question, if the actor may change it now.
    fileprivate func ownQuestion(
        _ question: Learnable.QuestionID
    ) throws(Learnable.Rejection) -> Learnable.QuestionRow {
        let row = try find(question)
        try own(row.student)
        try need(.app, of: row.student)
        return row
    }
}
