package import Core
package import ExamRoomEvents
import Folding

/// Exams as wholes: copies, documents that came in, the archive (R10, R12, R35).
extension ExamRoom {
    /// A document that was taken in; its id is in use.
    package struct ImportRow: Record {
        package var position = Position.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("position", &position)
        }
    }
}

extension Routes<ExamRoom.State> {
    /// Folds what changes the content of an exam: an export made before does not hold it (R12).
    mutating func onContent<P: Payload>(
        _ type: P.Type, of exam: @escaping @Sendable (P) -> ExamRoom.ExamID,
        _ handle: @escaping @Sendable (ExamRoom.State, P, EventMetadata) -> Void
    ) {
        onExam(type, of: exam) { state, event, metadata in
            handle(state, event, metadata)
            state.touch(exam(event), metadata)
        }
    }
}

extension ExamRoom.State {
    static func archiveRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.onContent(ExamRoom.Exam.Duplicated.self, of: \.exam) { state, event, metadata in
            state.brought(event.exam, event.details, event.questions, metadata)
            state.exams.update(event.exam) { $0.source = event.source }
        }
        routes.onContent(ExamRoom.Exam.Imported.self, of: \.exam) { state, event, metadata in
            state.brought(event.exam, event.details, event.questions, metadata)
        }
        routes.onExam(ExamRoom.Exam.Archived.self, of: \.exam) { state, event, _ in
            state.exams.updateExisting(event.exam) { $0.isArchived = true }
        }
        routes.onExam(ExamRoom.Exam.Unarchived.self, of: \.exam) { state, event, _ in
            state.exams.updateExisting(event.exam) { $0.isArchived = false }
        }
        routes.on(ExamRoom.Import.Applied.self) { state, event, metadata in
            state.imports.update(event.application) { $0.position = metadata.position }
        }
    }

    /// An exam that begins with questions: a draft, all that it has from one event.
    private func brought(
        _ exam: ExamRoom.ExamID, _ details: ExamRoom.Exam.Details,
        _ questions: [ExamRoom.Exam.Brought], _ metadata: EventMetadata
    ) {
        exams.update(exam) {
            $0.details = details
            $0.createdAt = metadata.moment
            $0.writer = .init(metadata.writer)
        }
        roster.update(.only) { $0.exams += 1 }
        banks.update(exam) { bank in
            bank.questions = questions.enumerated().map { place, brought in
                var question = ExamRoom.BankQuestion()
                question.question = brought.question
                question.content = brought.content
                question.image = brought.image
                question.first = Stamp(metadata)
                question.place = place
                return question
            }
        }
        for image in questions.compactMap(\.image) { refer(to: image) }
        recount(exam)
    }

    /// R12: something happened that an export made before does not hold.
    func touch(_ exam: ExamRoom.ExamID, _ metadata: EventMetadata) {
        exams.updateExisting(exam) { $0.touched = metadata.position }
    }

    func exported(_ event: ExamRoom.Export.Made, _ metadata: EventMetadata) {
        switch event.scope {
        case .all: roster.update(.only) { $0.exported = metadata.position }
        case .exam:
            guard let exam = event.exam else { return }
            exams.updateExisting(exam) { $0.exported = metadata.position }
        case .results, .audit: break
        }
    }

    /// R12: all that is in the exam and came of its attempts stands in an export.
    package func isExported(_ exam: ExamRoom.ExamID) -> Bool {
        guard let row = exams[exam] else { return false }
        return max(row.exported, roster[.only]?.exported ?? .zero) > row.touched
    }
}
