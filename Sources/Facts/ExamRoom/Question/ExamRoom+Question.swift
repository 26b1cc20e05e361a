package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// The questions of one exam, apart from its row because that changes with every attempt.
    package struct Bank: Record {
        package var questions: [BankQuestion] = []
        /// Their ids are never used again (R1); a merge may restore them as they were (R41).
        package var removed: [BankQuestion] = []

        package init() {}

        package func index(of question: QuestionID) -> Int? {
            questions.firstIndex { $0.question == question }
        }

        package func hasUsed(_ question: QuestionID) -> Bool {
            index(of: question) != nil || removed.contains { $0.question == question }
        }

        /// By moment added, writer, place in the list that brought them, id (R8).
        package func ordered(_ names: Names) -> [BankQuestion] {
            questions.sorted { left, right in
                if left.first != right.first { return left.first.precedes(right.first, names) }
                if left.place != right.place { return left.place < right.place }
                return names.text(left.question).precedes(names.text(right.question))
            }
        }
    }

    /// A question of an exam, with the holders of its registers.
    package struct BankQuestion: Record {
        package var question = QuestionID.none
        package var content = Question.Content()
        package var image: Image.File?
        /// When it was added, and where.
        package var first = Stamp()
        package var place = 0
        package var holders = Holders()

        package init() {}
    }
}

extension ExamRoom.State {
    static func questionRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Question.Added.self) { $0.added($1, $2) }
        routes.on(ExamRoom.Question.Revised.self) { state, event, metadata in
            state.write(
                ExamRoom.Register.content, of: event.question, in: event.exam, by: metadata
            ) { $0.content = event.content }
        }
        routes.on(ExamRoom.Question.Removed.self) { state, event, _ in
            state.remove(event.question, of: event.exam)
        }
        routes.on(ExamRoom.Question.Restored.self) { state, event, _ in state.restore(event) }
    }

    /// A question that is in the exam now.
    package func bankQuestion(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID
    ) -> ExamRoom.BankQuestion? {
        guard let bank = banks[exam], let index = bank.index(of: question) else { return nil }
        return bank.questions[index]
    }

    private func added(_ event: ExamRoom.Question.Added, _ metadata: EventMetadata) {
        guard exams.contains(event.exam) else { return }
        banks.update(event.exam) { bank in
            var question = ExamRoom.BankQuestion()
            question.question = event.question
            question.content = event.content
            question.first = Stamp(metadata)
            bank.questions.append(question)
        }
        recount(event.exam)
    }

    /// Changes what a register of a question holds, if the write takes it (R40).
    func write(
        _ register: String, of question: ExamRoom.QuestionID, in exam: ExamRoom.ExamID,
        by metadata: EventMetadata, _ body: (inout ExamRoom.BankQuestion) -> Void
    ) {
        banks.updateExisting(exam) { bank in
            guard let index = bank.index(of: question) else { return }
            let first = bank.questions[index].first
            if bank.questions[index].holders.take(register, by: metadata, first: first, names) {
                body(&bank.questions[index])
            }
        }
        recount(exam)
    }

    /// Removing what is removed already changes nothing.
    func remove(_ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID) {
        let isReferring = exams[exam]?.isDeleted == false
        banks.updateExisting(exam) { bank in
            guard let index = bank.index(of: question) else { return }
            let removed = bank.questions.remove(at: index)
            if let image = removed.image, isReferring { release(image) }
            bank.removed.append(removed)
        }
        recount(exam)
    }

    /// Restores the question as it was, its place and its image included (R41).
    private func restore(_ event: ExamRoom.Question.Restored) {
        let isReferring = exams[event.exam]?.isDeleted == false
        banks.updateExisting(event.exam) { bank in
            guard let index = bank.removed.firstIndex(where: { $0.question == event.question })
            else { return }
            var restored = bank.removed.remove(at: index)
            restored.content = event.content
            if let image = restored.image, isReferring { refer(to: image) }
            bank.questions.append(restored)
        }
        recount(event.exam)
    }

    func recount(_ exam: ExamRoom.ExamID) {
        let questions = banks[exam]?.questions ?? []
        exams.updateExisting(exam) {
            $0.questions = questions.count
            $0.maxScore = questions.reduce(0) { $0 + $1.content.points }
        }
    }
}
