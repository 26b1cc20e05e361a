package import Core
package import Folding
package import LearnableEvents

extension Learnable.State {
    static func questionRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Question.Pooled.self) { state, event, _ in state.pooled(event) }
        routes.fold(Learnable.Question.Scheduled.self) { state, event, _ in
            state.decide(
                event.question,
                .init(.scheduled, event.turn, level: event.level, correct: event.correct)
            ) { $0.correctAtLevel = event.correctAtLevel }
        }
        routes.fold(Learnable.Question.Advanced.self) { state, event, _ in
            state.decide(
                event.question, .init(.advanced, event.turn, level: event.level, correct: true)
            ) {
                $0.level = event.level
                $0.correctAtLevel = event.correctAtLevel
            }
        }
        routes.fold(Learnable.Question.Mastered.self) { state, event, _ in
            state.mastered(event)
        }
        routes.fold(Learnable.Question.Deleted.self) { state, event, _ in
            state.questions.updateExisting(event.question) { $0.events += 1 }
            state.leavePool(event.question)
        }
        routes.fold(Learnable.Recurrence.Disabled.self) { state, event, _ in
            state.unlist(event.question)
            state.questions.updateExisting(event.question) {
                $0.isDisabled = true
                $0.events += 1
            }
        }
        routes.fold(Learnable.Recurrence.Enabled.self) { state, event, _ in
            let level = state.questions.read(event.question) { $0.level } ?? 4
            state.decide(event.question, .init(.enabled, event.turn, level: level)) {
                $0.isDisabled = false
            }
        }
    }

    /// R18: it joins the pool at level 1.
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

    /// The due date is what the last decision said: nothing rewrites what was decided before (R47).
    private func decide(
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

    /// R20: until it or its subject is deleted.
    func leavePool(_ question: Learnable.QuestionID) {
        guard let row = questions[question], !row.isDeleted else { return }
        unlist(question)
        questions.updateExisting(question) { $0.isDeleted = true }
        epochs.updateExisting(row.epoch) { $0.inPool -= 1 }
        poolGaps.update(row.epoch) { $0.add(row.number.denseNumber) }
        subjects.updateExisting(row.subject) { $0.inPool = max(0, $0.inPool - 1) }
        topics.updateExisting(.init(row.subject, Ordinal(row.topic))) {
            $0.inPool -= 1
            if row.isMastered { $0.mastered -= 1 }
        }
    }

    // MARK: What is due

    /// R20: a recurring question stands on the day of its due date.
    private func list(_ question: Learnable.QuestionID) {
        guard let row = questions[question], row.isRecurring else { return }
        dues.update(.init(row.epoch, Ordinal(row.due))) { day in
            let place = day.entries.place { $0.number.number < row.number.number }
            day.entries.insert(
                .with { ($0.number, $0.question) = (row.number, question) }, at: place)
        }
        epochs.updateExisting(row.epoch) { epoch in
            let place = epoch.dueDays.place { $0.day < row.due }
            if place < epoch.dueDays.count, epoch.dueDays[place].day == row.due {
                epoch.dueDays[place].count += 1
            } else {
                epoch.dueDays.insert(.with { ($0.day, $0.count) = (row.due, 1) }, at: place)
            }
        }
    }

    private func unlist(_ question: Learnable.QuestionID) {
        guard let row = questions[question], row.isRecurring, row.events > 0 else { return }
        let key = Pair(row.epoch, Ordinal(row.due))
        let isLast = dues.update(key) { day in
            let place = day.entries.place { $0.number.number < row.number.number }
            if place < day.entries.count, day.entries[place].question == question {
                day.entries.remove(at: place)
            }
            return day.entries.isEmpty
        }
        if isLast { dues.remove(key) }
        epochs.updateExisting(row.epoch) { epoch in
            let place = epoch.dueDays.place { $0.day < row.due }
            guard place < epoch.dueDays.count, epoch.dueDays[place].day == row.due else { return }
            epoch.dueDays[place].count -= 1
            if epoch.dueDays[place].count == 0 { epoch.dueDays.remove(at: place) }
        }
    }
}

extension Learnable.QuestionRow {
    /// R20: in the pool, and its recurrence is not disabled.
    package var isRecurring: Bool { !isDeleted && !isDisabled }
}

extension Ordinal {
    /// A day as a key: days since 1970.
    package init(_ day: LocalDate) {
        self.init(Int(day.days))
    }
}

extension Learnable.State {
    /// R20, R28: how many questions of the epoch are due on a day.
    package func dueCount(_ epoch: Ordinal, on day: LocalDate) -> Int {
        epochs.read(epoch) { row in
            row.dueDays.reduce(0) { $1.day <= day ? $0 + $1.count : $0 }
        } ?? 0
    }

    /// R28: the questions that are due on a day, in order of due date, then of pooling.
    package func due(_ epoch: Ordinal, on day: LocalDate) -> [Learnable.QuestionID] {
        dueByDay(epoch, through: day).flatMap(\.questions)
    }

    /// The recurring questions by due date, ascending, within a day by pooling.
    package func dueByDay(
        _ epoch: Ordinal, through last: LocalDate? = nil
    ) -> [(day: LocalDate, questions: [Learnable.QuestionID])] {
        let days = epochs.read(epoch) { $0.dueDays.map(\.day) } ?? []
        return days.prefix { day in last.map { day <= $0 } ?? true }.map { day in
            (day, dues.read(.init(epoch, Ordinal(day))) { $0.entries.map(\.question) } ?? [])
        }
    }

    /// The epoch's questions in the pool, in order of pooling: all, or those at some places of that order.
    /// Nothing is read of the others.
    package func pool(
        _ epoch: Ordinal, in range: Range<Int>? = nil
    ) -> [Learnable.QuestionID] {
        guard let row = epochs[epoch] else { return [] }
        let gaps = poolGaps[epoch] ?? Learnable.PoolGaps()
        return gaps.places(range ?? 0..<row.inPool, of: row.pooled).flatMap {
            pools.elements(of: epoch, in: $0)
        }
    }

    package func isInPool(_ question: Learnable.QuestionID) -> Bool {
        questions.read(question) { !$0.isDeleted } ?? false
    }
}
