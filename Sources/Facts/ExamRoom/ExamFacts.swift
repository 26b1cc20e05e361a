package import Events

extension ExamRoom {
    package struct ExamRow: Record {
        package var details = Exam.Details()
        package var createdAt = Instant.epoch
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
            coder.field("source", &source)
            coder.field("isPublished", &isPublished)
            coder.field("isArchived", &isArchived)
            coder.field("isDeleted", &isDeleted)
            coder.field("areResultsPublished", &areResultsPublished)
            coder.field("questions", &questions)
            coder.field("maxScore", &maxScore)
            coder.field("attempts", &attempts)
            coder.field("open", &open)
            coder.field("completed", &completed)
            coder.field("completedSeconds", &completedSeconds)
            coder.field("lastClosing", &lastClosing)
            coder.field("touched", &touched)
            coder.field("exported", &exported)
        }
    }

    /// The questions of one exam, apart from its row because that changes with every attempt.
    package struct Bank: Record {
        package var questions: [BankQuestion] = []
        /// R1: ids of removed questions are never used again.
        package var removed: [QuestionID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("questions", &questions)
            coder.field("removed", &removed)
        }

        package func index(of question: QuestionID) -> Int? {
            questions.firstIndex { $0.question == question }
        }

        package func hasUsed(_ question: QuestionID) -> Bool {
            index(of: question) != nil || removed.contains(question)
        }

        /// R8: by moment added, writer, place in the list that brought them, id.
        package func ordered(_ names: Names) -> [BankQuestion] {
            questions.sorted { left, right in
                if left.addedAt != right.addedAt { return left.addedAt < right.addedAt }
                if left.writer != right.writer {
                    return names.text(left.writer).precedes(names.text(right.writer))
                }
                if left.place != right.place { return left.place < right.place }
                return names.text(left.question).precedes(names.text(right.question))
            }
        }
    }

    package struct BankQuestion: Record {
        package var question = QuestionID.none
        package var content = Question.Content()
        package var image: Image.File?
        package var addedAt = Instant.epoch
        package var writer = DeviceID.none
        package var place = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("content", &content)
            coder.field("image", &image)
            coder.field("addedAt", &addedAt)
            coder.field("writer", &writer)
            coder.field("place", &place)
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

extension ExamRoom.Room {
    static func examRoutes(_ routes: inout Routes<ExamRoom.Room>) {
        routes.on(ExamRoom.Exam.Created.self) { room, fact, event in
            room.exams.update(fact.exam) {
                $0.details = fact.details
                $0.createdAt = event.moment
            }
            room.roster.update(.only) { $0.exams += 1 }
            room.touch(fact.exam, event)
        }
        routes.on(ExamRoom.Exam.Revised.self) { room, fact, event in
            room.exams.updateExisting(fact.exam) { fact.changes.apply(to: &$0.details) }
            room.touch(fact.exam, event)
        }
        routes.on(ExamRoom.Question.Added.self) { $0.added($1, $2) }
        routes.on(ExamRoom.Question.Revised.self) { room, fact, event in
            room.change(fact.question, of: fact.exam) { $0.content = fact.content }
            room.touch(fact.exam, event)
        }
        routes.on(ExamRoom.Question.Removed.self) { room, fact, event in
            room.removed(fact)
            room.touch(fact.exam, event)
        }
        routes.on(ExamRoom.Image.Attached.self) { room, fact, event in
            room.put(fact.image, on: fact.question, of: fact.exam)
            room.touch(fact.exam, event)
        }
        routes.on(ExamRoom.Image.Detached.self) { room, fact, event in
            room.put(nil, on: fact.question, of: fact.exam)
            room.touch(fact.exam, event)
        }
        // What is orphaned follows from the references; the event tells the client.
        routes.on(ExamRoom.Image.Orphaned.self) { _, _, _ in }
        routes.on(ExamRoom.Exam.Published.self) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.isPublished = true }
        }
        routes.on(ExamRoom.Exam.Withdrawn.self) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.isPublished = false }
        }
        routes.on(ExamRoom.Exam.Deleted.self) { room, fact, _ in room.deleted(fact.exam) }
        routes.on(ExamRoom.Exam.ResultsPublished.self) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.areResultsPublished = true }
        }
        routes.on(ExamRoom.Exam.ResultsWithheld.self) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.areResultsPublished = false }
        }
        routes.on(ExamRoom.Export.Made.self) { room, fact, event in
            room.exports.update(fact.export) {
                $0.scope = fact.scope
                $0.exam = fact.exam
                $0.filters = fact.filters
                $0.format = fact.format
                $0.records = fact.records
                $0.digest = fact.digest
                $0.madeAt = event.moment
                $0.position = event.position
            }
            room.exported(fact, event)
        }
    }

    private func added(_ fact: ExamRoom.Question.Added, _ event: Circumstances) {
        guard exams.contains(fact.exam) else { return }
        banks.update(fact.exam) { bank in
            var question = ExamRoom.BankQuestion()
            question.question = fact.question
            question.content = fact.content
            question.addedAt = event.moment
            question.writer = .init(event.writer)
            bank.questions.append(question)
        }
        recount(fact.exam)
        touch(fact.exam, event)
    }

    private func change(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID,
        _ body: (inout ExamRoom.BankQuestion) -> Void
    ) {
        banks.updateExisting(exam) { bank in
            if let index = bank.index(of: question) { body(&bank.questions[index]) }
        }
        recount(exam)
    }

    private func removed(_ fact: ExamRoom.Question.Removed) {
        put(nil, on: fact.question, of: fact.exam)
        banks.updateExisting(fact.exam) { bank in
            guard let index = bank.index(of: fact.question) else { return }
            bank.questions.remove(at: index)
            bank.removed.append(fact.question)
        }
        recount(fact.exam)
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
        _ image: ExamRoom.Image.File?, on question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID
    ) {
        change(question, of: exam) { row in
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

    private func deleted(_ exam: ExamRoom.ExamID) {
        guard exams[exam]?.isDeleted == false else { return }
        exams.update(exam) { $0.isDeleted = true }
        roster.update(.only) { $0.exams -= 1 }
        for question in banks[exam]?.questions ?? [] {
            if let image = question.image { release(image) }
        }
    }
}
