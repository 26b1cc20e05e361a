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

        /// Whether every level has a wording in a format that the daily quiz may use there (R18).
        func hasAllLevels(_ policy: Policy) -> Bool {
            (1...4).allSatisfy { level in
                variants.contains {
                    $0.level == level && policy.level(level).formats.contains($0.form.format)
                }
            }
        }
    }

    /// Adds a topic's questions to the pool, once (R18).
    struct PoolQuestions: Command {
        static let type = "learnable.question.pool"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var questions: [NewQuestion] = []

        func problem(_ names: Names) -> String? {
            (1...50).contains(questions.count) ? nil : "expected 1 to 50 questions"
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            let progress = context.state.topic(subject, index)
            if !row.addOns.reinforcement { throw .reinforcementOff }
            if !progress.isCompleted { throw .topicNotCompleted }
            if progress.isPooled { throw .alreadyPooled }
            var ids: Set<QuestionID> = []
            for new in questions {
                let isNew = ids.insert(new.question).inserted
                try context.checkIsFree(
                    new.question, unless: !isNew || context.state.questions.contains(new.question))
            }
            let policy = context.state.policy
            if !questions.allSatisfy({ $0.hasAllLevels(policy) }) { throw .levelWithoutVariant }
            let day = context.day(of: row.student)
            for new in questions {
                let interval = context.interval(of: new.question, level: 1, revision: 0)
                context.record(
                    Question.Pooled(
                        student: row.student,
                        question: new.question,
                        subject: subject,
                        topic: topic,
                        variants: Packed(new.variants),
                        level: 1,
                        correctAtLevel: 0,
                        turn: .init(on: day, after: interval)), on: new.question)
            }
        }
    }

    /// Deletes a question for good; open quizzes that asked nothing else end (R20, R24).
    struct DeleteQuestion: Command {
        static let type = "learnable.question.delete"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none
        var confirmed = false

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(question)
            try context.checkConfirmed(confirmed)
            try context.checkNeed(.app, of: row.student)
            context.recordMissed(of: row.student, dueSince: row.isRecurring ? row.due : nil)
            context.record(
                Question.Deleted(
                    student: row.student,
                    question: question,
                    subject: row.subject,
                    level: row.level,
                    mastered: row.isMastered), on: question)
            context.endEmptyQuizzes(of: row.student)
        }
    }
}
