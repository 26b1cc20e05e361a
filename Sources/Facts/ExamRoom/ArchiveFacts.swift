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

extension Routes<ExamRoom.Room> {
    /// Folds what changes the content of an exam: an export made before does not hold it (R12).
    mutating func onContent<P: Payload>(
        _ type: P.Type, of exam: @escaping @Sendable (P) -> ExamRoom.ExamID,
        _ handle: @escaping @Sendable (ExamRoom.Room, P, Circumstances) -> Void
    ) {
        onExam(type, of: exam) { room, fact, event in
            handle(room, fact, event)
            room.touch(exam(fact), event)
        }
    }
}

extension ExamRoom.Room {
    static func archiveRoutes(_ routes: inout Routes<ExamRoom.Room>) {
        routes.onContent(ExamRoom.Exam.Duplicated.self, of: \.exam) { room, fact, event in
            room.brought(fact.exam, fact.details, fact.questions, event)
            room.exams.update(fact.exam) { $0.source = fact.source }
        }
        routes.onContent(ExamRoom.Exam.Imported.self, of: \.exam) { room, fact, event in
            room.brought(fact.exam, fact.details, fact.questions, event)
        }
        routes.onExam(ExamRoom.Exam.Archived.self, of: \.exam) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.isArchived = true }
        }
        routes.onExam(ExamRoom.Exam.Unarchived.self, of: \.exam) { room, fact, _ in
            room.exams.updateExisting(fact.exam) { $0.isArchived = false }
        }
        routes.on(ExamRoom.Import.Applied.self) { room, fact, event in
            room.imports.update(fact.application) { $0.position = event.position }
        }
    }

    /// An exam that begins with questions: a draft, all that it has from one event.
    private func brought(
        _ exam: ExamRoom.ExamID, _ details: ExamRoom.Exam.Details,
        _ questions: [ExamRoom.Exam.Brought], _ event: Circumstances
    ) {
        exams.update(exam) {
            $0.details = details
            $0.createdAt = event.moment
            $0.writer = .init(event.writer)
        }
        roster.update(.only) { $0.exams += 1 }
        banks.update(exam) { bank in
            bank.questions = questions.enumerated().map { place, brought in
                var question = ExamRoom.BankQuestion()
                question.question = brought.question
                question.content = brought.content
                question.image = brought.image
                question.first = Stamp(event)
                question.place = place
                return question
            }
        }
        for image in questions.compactMap(\.image) { refer(to: image) }
        recount(exam)
    }

    /// R12: something happened that an export made before does not hold.
    func touch(_ exam: ExamRoom.ExamID, _ event: Circumstances) {
        exams.updateExisting(exam) { $0.touched = event.position }
    }

    func exported(_ fact: ExamRoom.Export.Made, _ event: Circumstances) {
        switch fact.scope {
        case .all: roster.update(.only) { $0.exported = event.position }
        case .exam:
            guard let exam = fact.exam else { return }
            exams.updateExisting(exam) { $0.exported = event.position }
        case .results, .audit: break
        }
    }

    /// R12: all that is in the exam and came of its attempts stands in an export.
    package func isExported(_ exam: ExamRoom.ExamID) -> Bool {
        guard let row = exams[exam] else { return false }
        return max(row.exported, roster[.only]?.exported ?? .zero) > row.touched
    }
}
