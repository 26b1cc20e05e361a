package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    package struct ExamRow: Record {
        package var details = Exam.Details()
        package var createdAt = Instant.epoch
        /// Of the first event.
        package var writer = DeviceID.none
        package var holders = Holders()
        /// The exam that it was duplicated from.
        package var source: ExamID?
        package var isPublished = false
        package var isArchived = false
        package var isDeleted = false
        package var areResultsPublished = false
        package var questions = 0
        package var maxScore = 0
        /// All that were ever started, the length of the chain.
        package var attempts = 0
        /// Counting ones without a closing event (R24).
        package var open = 0
        /// Those without a closing event whose student is not deleted, set aside or not.
        package var unclosed = 0
        /// Counting ones that are closed, and the sum of their seconds (R28, Speed Demon).
        package var completed = 0
        package var completedSeconds = 0
        /// The last closing event of a counting attempt.
        package var lastClosing = Position.zero
        /// R12: the last event that an export would have to hold, of the exam and its attempts.
        package var touched = Position.zero
        /// The last export of the exam by itself.
        package var exported = Position.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("details", &details)
            coder.field("createdAt", &createdAt)
            coder.field("writer", &writer)
            coder.field("holders", &holders)
            coder.field("source", &source)
            coder.field("isPublished", &isPublished)
            coder.field("isArchived", &isArchived)
            coder.field("isDeleted", &isDeleted)
            coder.field("areResultsPublished", &areResultsPublished)
            coder.field("questions", &questions)
            coder.field("maxScore", &maxScore)
            coder.field("attempts", &attempts)
            coder.field("open", &open)
            coder.field("unclosed", &unclosed)
            coder.field("completed", &completed)
            coder.field("completedSeconds", &completedSeconds)
            coder.field("lastClosing", &lastClosing)
            coder.field("touched", &touched)
            coder.field("exported", &exported)
        }

        package var first: Stamp { Stamp(createdAt, writer.symbol) }
    }

    /// The questions of one exam, apart from its row because that changes with every attempt.
    package struct Bank: Record {
        package var questions: [BankQuestion] = []
        /// R1: ids of removed questions are never used again; R41: they may come back as they were.
        package var removed: [BankQuestion] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("questions", &questions)
            coder.field("removed", &removed)
        }

        package func index(of question: QuestionID) -> Int? {
            questions.firstIndex { $0.question == question }
        }

        package func hasUsed(_ question: QuestionID) -> Bool {
            index(of: question) != nil || removed.contains { $0.question == question }
        }

        /// R8: by moment added, writer, place in the list that brought them, id.
        package func ordered(_ names: Names) -> [BankQuestion] {
            questions.sorted { left, right in
                if left.first != right.first { return left.first.precedes(right.first, names) }
                if left.place != right.place { return left.place < right.place }
                return names.text(left.question).precedes(names.text(right.question))
            }
        }
    }

    package struct BankQuestion: Record {
        package var question = QuestionID.none
        package var content = Question.Content()
        package var image: Image.File?
        /// When it was added, and where.
        package var first = Stamp()
        package var place = 0
        package var holders = Holders()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("content", &content)
            coder.field("image", &image)
            coder.field("first", &first)
            coder.field("place", &place)
            coder.field("holders", &holders)
        }
    }

    /// R11: what the last event that brought the image said, and how many questions refer to it.
    package struct ImageRow: Record {
        package var format = ""
        package var bytes = 0
        package var references = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("format", &format)
            coder.field("bytes", &bytes)
            coder.field("references", &references)
        }
    }

    package struct ExportRow: Record {
        package var scope = Export.Scope.exam
        package var exam: ExamID?
        package var filters: Export.Filters?
        package var format = Export.Format.json
        package var records = 0
        package var digest = ""
        package var madeAt = Instant.epoch
        package var position = Position.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("scope", &scope)
            coder.field("exam", &exam)
            coder.field("filters", &filters)
            coder.field("format", &format)
            coder.field("records", &records)
            coder.field("digest", &digest)
            coder.field("madeAt", &madeAt)
            coder.field("position", &position)
        }
    }
}

extension ExamRoom.State {
    static func examRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.onContent(ExamRoom.Exam.Created.self, of: \.exam) { state, event, metadata in
            state.exams.update(event.exam) {
                $0.details = event.details
                $0.createdAt = metadata.moment
                $0.writer = .init(metadata.writer)
            }
            state.roster.update(.only) { $0.exams += 1 }
        }
        routes.onContent(ExamRoom.Exam.Revised.self, of: \.exam) { $0.revised($1, $2) }
        routes.onContent(ExamRoom.Question.Added.self, of: \.exam) { $0.added($1, $2) }
        routes.onContent(ExamRoom.Question.Revised.self, of: \.exam) { state, event, metadata in
            state.change(event.question, of: event.exam, ExamRoom.Register.content, by: metadata) {
                $0.content = event.content
            }
        }
        routes.onContent(ExamRoom.Question.Removed.self, of: \.exam) { state, event, _ in
            state.remove(event.question, of: event.exam)
        }
        routes.onContent(ExamRoom.Question.Restored.self, of: \.exam) { state, event, _ in
            state.restore(event)
        }
        routes.onContent(ExamRoom.Image.Attached.self, of: \.exam) { state, event, metadata in
            state.put(event.image, on: event.question, of: event.exam, by: metadata)
        }
        routes.onContent(ExamRoom.Image.Detached.self, of: \.exam) { state, event, metadata in
            state.put(nil, on: event.question, of: event.exam, by: metadata)
        }
        // What is orphaned follows from the references; the event tells the client.
        routes.on(ExamRoom.Image.Orphaned.self) { _, _, _ in }
        routes.onExam(ExamRoom.Exam.Published.self, of: \.exam) { state, event, metadata in
            state.write(event.exam, ExamRoom.Register.publication, by: metadata) {
                $0.isPublished = true
            }
        }
        routes.onExam(ExamRoom.Exam.Withdrawn.self, of: \.exam) { state, event, metadata in
            state.write(event.exam, ExamRoom.Register.publication, by: metadata) {
                $0.isPublished = false
            }
        }
        routes.onExam(ExamRoom.Exam.Deleted.self, of: \.exam) { state, event, _ in
            state.delete(event.exam)
        }
        routes.onContent(ExamRoom.Exam.Restored.self, of: \.exam) { state, event, _ in
            state.restore(event.exam)
        }
        routes.onExam(ExamRoom.Exam.ResultsPublished.self, of: \.exam) { state, event, metadata in
            state.write(event.exam, ExamRoom.Register.results, by: metadata) {
                $0.areResultsPublished = true
            }
        }
        routes.onExam(ExamRoom.Exam.ResultsWithheld.self, of: \.exam) { state, event, metadata in
            state.write(event.exam, ExamRoom.Register.results, by: metadata) {
                $0.areResultsPublished = false
            }
        }
        routes.on(ExamRoom.Export.Made.self) { state, event, metadata in
            state.exports.update(event.export) {
                $0.scope = event.scope
                $0.exam = event.exam
                $0.filters = event.filters
                $0.format = event.format
                $0.records = event.records
                $0.digest = event.digest
                $0.madeAt = metadata.moment
                $0.position = metadata.position
            }
            state.exported(event, metadata)
        }
    }

    /// A question that is in the exam now.
    package func bankQuestion(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID
    ) -> ExamRoom.BankQuestion? {
        guard let bank = banks[exam], let index = bank.index(of: question) else { return nil }
        return bank.questions[index]
    }

    /// R40: changes what a register holds, if the write takes it.
    private func write(
        _ exam: ExamRoom.ExamID, _ register: String, by metadata: EventMetadata,
        _ body: (inout ExamRoom.ExamRow) -> Void
    ) {
        exams.updateExisting(exam) { row in
            if row.holders.take(register, by: metadata, first: row.first, names) { body(&row) }
        }
    }

    /// R40: each detail is a register.
    private func revised(_ event: ExamRoom.Exam.Revised, _ metadata: EventMetadata) {
        exams.updateExisting(event.exam) { row in
            let first = row.first
            let taken = event.changes.names.filter {
                row.holders.take($0, by: metadata, first: first, names)
            }
            event.changes.keeping(taken.contains).apply(to: &row.details)
        }
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

    /// R40: changes what a register of a question holds, if the write takes it.
    private func change(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID, _ register: String,
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

    /// R41: as it was, its place and its image included.
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

    /// R11: the question refers to the image, or to none, from here on.
    private func put(
        _ image: ExamRoom.Image.File?, on question: ExamRoom.QuestionID,
        of exam: ExamRoom.ExamID, by metadata: EventMetadata
    ) {
        change(question, of: exam, ExamRoom.Register.image, by: metadata) { row in
            if let former = row.image { release(former) }
            if let image { refer(to: image) }
            row.image = image
        }
    }

    func refer(to image: ExamRoom.Image.File) {
        images.update(image.hash) {
            $0.format = image.format
            $0.bytes = image.bytes
            $0.references += 1
        }
    }

    private func release(_ image: ExamRoom.Image.File) {
        images.updateExisting(image.hash) { $0.references -= 1 }
    }

    /// Deleting what is deleted already changes nothing.
    func delete(_ exam: ExamRoom.ExamID) {
        guard exams[exam]?.isDeleted == false else { return }
        exams.update(exam) { $0.isDeleted = true }
        roster.update(.only) { $0.exams -= 1 }
        for question in banks[exam]?.questions ?? [] {
            if let image = question.image { release(image) }
        }
    }

    /// R41: as it was, its images, publication and results included.
    private func restore(_ exam: ExamRoom.ExamID) {
        guard exams[exam]?.isDeleted == true else { return }
        exams.update(exam) { $0.isDeleted = false }
        roster.update(.only) { $0.exams += 1 }
        for question in banks[exam]?.questions ?? [] {
            if let image = question.image { refer(to: image) }
        }
    }
}
