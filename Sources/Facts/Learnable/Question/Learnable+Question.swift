package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A question of the pool. Its wordings are in `State.variants`.
    package struct QuestionRow: Record {
        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var subject = SubjectID.none
        /// The index of the topic, which `place` names.
        package var topic = 0
        package var place = TopicNumber.empty
        /// The index in the epoch's pool: the order of pooling.
        package var number = Ordinal(0)
        package var level = 1
        package var correctAtLevel = 0
        package var isMastered = false
        package var isDisabled = false
        package var isDeleted = false
        package var due = LocalDate.epoch
        package var variants = 0
        /// Events on the question's stream: the next one's revision (R19).
        package var events = 0
        // Statistics (R23)
        /// How many times it was put to the student.
        package var asked = 0
        package var answered = 0
        package var correct = 0
        package var history: [Decision] = []

        package init() {}

        /// What set the due date.
        package struct Decision: Record {
            package enum What: String, Choice {
                case pooled, scheduled, advanced, mastered, enabled
            }

            package var correct: Bool?
            package var day = LocalDate.epoch
            package var due = LocalDate.epoch
            package var interval = 0
            package var level = 1
            package var what = What.pooled

            package init() {}

            init(_ what: What, _ turn: Question.Turn, level: Int, correct: Bool? = nil) {
                self.what = what
                self.correct = correct
                self.level = level
                (day, due, interval) = (turn.day, turn.due, turn.interval)
            }
        }
    }

    /// A question's wordings, in the order given at pooling.
    package struct VariantsRow: Record {
        private var packed = Packed<[Variant]>.empty

        package init() {}

        init(_ packed: Packed<[Variant]>) {
            self.packed = packed
        }

        package var list: [Variant] { packed.value }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("packed", &packed)
        }
    }
}

extension Learnable.State {
    static func questionRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Question.Pooled.self) { state, event, _ in state.pooled(event) }
        routes.on(Learnable.Question.Scheduled.self) { state, event, _ in
            state.decide(
                event.question,
                .init(.scheduled, event.turn, level: event.level, correct: event.correct)
            ) { $0.correctAtLevel = event.correctAtLevel }
        }
        routes.on(Learnable.Question.Advanced.self) { state, event, _ in
            state.decide(
                event.question, .init(.advanced, event.turn, level: event.level, correct: true)
            ) {
                $0.level = event.level
                $0.correctAtLevel = event.correctAtLevel
            }
        }
        routes.on(Learnable.Question.Mastered.self) { state, event, _ in
            state.mastered(event)
        }
        routes.on(Learnable.Question.Deleted.self) { state, event, _ in
            state.questions.updateExisting(event.question) { $0.events += 1 }
            state.leavePool(event.question)
        }
    }

    /// A question joins the pool at level 1 (R18).
    private func pooled(_ event: Learnable.Question.Pooled) {
        guard let subject = subjects[event.subject], let index = subject.index(of: event.topic)
        else {
            return
        }
        let number = epochs.update(subject.epoch) { epoch in
            epoch.pooled += 1
            epoch.inPool += 1
            return epoch.pooled - 1
        }
        pools.append(event.question, to: subject.epoch, at: number)
        variants.insert(.init(event.variants), at: event.question)
        questions.update(event.question) {
            $0.student = event.student
            $0.epoch = subject.epoch
            $0.subject = event.subject
            $0.topic = index
            $0.place = event.topic
            $0.number = Ordinal(number)
            $0.variants = event.variants.count
        }
        subjects.updateExisting(event.subject) { $0.inPool += 1 }
        topics.update(.init(event.subject, Ordinal(index))) {
            $0.isPooled = true
            $0.questions.append(event.question)
            $0.inPool += 1
            $0.generated += 1
        }
        decide(event.question, .init(.pooled, event.turn, level: event.level)) { _ in }
    }

    /// Sets the due date that an event recorded; nothing rewrites it later (R47).
    func decide(
        _ question: Learnable.QuestionID, _ decision: Learnable.QuestionRow.Decision,
        _ body: (inout Learnable.QuestionRow) -> Void
    ) {
        guard questions.contains(question) else { return }
        unlist(question)
        questions.updateExisting(question) {
            body(&$0)
            $0.due = decision.due
            $0.events += 1
            $0.history.append(decision)
        }
        list(question)
    }

    private func mastered(_ event: Learnable.Question.Mastered) {
        guard let row = questions[event.question] else { return }
        decide(event.question, .init(.mastered, event.turn, level: event.level, correct: true)) {
            $0.correctAtLevel = event.correctAtLevel
            $0.isMastered = true
        }
        guard !row.isMastered, !row.isDeleted else { return }
        topics.updateExisting(.init(row.subject, Ordinal(row.topic))) { $0.mastered += 1 }
    }

    /// Counts in Times Asked that the question was put to the student (R23).
    func countPresentation(of question: Learnable.QuestionID) {
        questions.updateExisting(question) { $0.asked += 1 }
    }

    /// Counts an answer in Times Answered and Times Correct of the question, its topic and the epoch (R23).
    func count(_ question: Learnable.QuestionID, answered: Int, correct: Bool) {
        guard
            let (topic, epoch, wasCorrect) = questions.read(
                question, { (Pair($0.subject, Ordinal($0.topic)), $0.epoch, $0.correct > 0) })
        else { return }
        let right = correct ? 1 : 0
        questions.updateExisting(question) {
            $0.answered += answered
            $0.correct += right
        }
        topics.updateExisting(topic) {
            $0.answered += answered
            $0.correct += right
            if correct, !wasCorrect { $0.everCorrect += 1 }
        }
        epochs.updateExisting(epoch) {
            $0.answered += answered
            $0.correct += right
        }
    }
}
