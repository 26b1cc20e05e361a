import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A question that the AI service made.
    struct NewQuestion: Record {
        private(set) var question = QuestionID.none
        private(set) var variants: [Variant] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
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
    struct PoolQuestions: Command {
        static let type = "learnable.question.pool"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var questions: [NewQuestion] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("questions", &questions)
        }

        func problem(_ names: Names) -> String? {
            (1...50).contains(questions.count) ? nil : "expected 1 to 50 questions"
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            let standing = context.state.topic(subject, index)
            if !row.addOns.reinforcement { throw .reinforcementOff }
            if !standing.isCompleted { throw .topicNotCompleted }
            if standing.isPooled { throw .alreadyPooled }
            var ids: Set<QuestionID> = []
            for new in questions {
                let isNew = ids.insert(new.question).inserted
                if !isNew || context.state.questions.contains(new.question) { throw .alreadyExists }
            }
            let policy = context.state.policy
            if !questions.allSatisfy({ $0.hasAllLevels(policy) }) { throw .levelWithoutVariant }
            let day = context.day(of: row.student)
            for new in questions {
                let interval = policy.interval(
                    level: 1, question: context.names.text(new.question), revision: 0)
                context.record(
                    Question.Pooled.with {
                        $0.student = row.student
                        $0.question = new.question
                        $0.subject = subject
                        $0.topic = topic
                        $0.variants = Packed(new.variants)
                        $0.turn = .init(on: day, after: interval)
                    }, on: context.stream(new.question))
            }
        }
    }

    /// R20: it leaves the pool for good, and quizzes that held nothing else end (R24).
    struct DeleteQuestion: Command {
        static let type = "learnable.question.delete"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("confirmed", &confirmed)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(question)
            try context.checkOwner(row.student)
            try context.confirm(confirmed)
            try context.need(.app, of: row.student)
            context.record(
                Question.Deleted.with {
                    $0.student = row.student
                    $0.question = question
                    $0.subject = row.subject
                    $0.level = row.level
                    $0.mastered = row.isMastered
                }, on: context.stream(question))
            context.endEmptyQuizzes(of: row.student)
        }
    }

    /// R22: a mastered question no longer comes back.
    struct DisableRecurrence: Command {
        static let type = "learnable.recurrence.disable"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownQuestion(question)
            if !row.isMastered { throw .notMastered }
            if row.isDisabled { throw .alreadyDisabled }
            context.record(
                Recurrence.Disabled.with {
                    $0.student = row.student
                    $0.question = question
                    $0.day = context.day(of: row.student)
                }, on: context.stream(question))
        }
    }

    struct EnableRecurrence: Command {
        static let type = "learnable.recurrence.enable"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownQuestion(question)
            if !row.isDisabled { throw .notDisabled }
            context.record(
                Recurrence.Enabled.with {
                    $0.student = row.student
                    $0.question = question
                    $0.turn = .init(
                        on: context.day(of: row.student),
                        after: context.state.policy.masteredEveryDays)
                }, on: context.stream(question))
        }
    }
}

extension DecisionContext<Learnable> {
    /// The question, if the actor may change it now.
    fileprivate func ownQuestion(
        _ question: Learnable.QuestionID
    ) throws(Learnable.Rejection) -> Learnable.QuestionRow {
        let row = try find(question)
        try checkOwner(row.student)
        try need(.app, of: row.student)
        return row
    }
}
