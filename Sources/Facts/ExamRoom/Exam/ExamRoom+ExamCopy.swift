import Core
import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func examCopyRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Exam.Duplicated.self) { state, event, metadata in
            state.add(event.exam, event.details, event.questions, metadata)
            state.exams.update(event.exam) { $0.source = event.source }
        }
        routes.on(ExamRoom.Exam.Imported.self) { state, event, metadata in
            state.add(event.exam, event.details, event.questions, metadata)
        }
    }

    /// Adds a draft that begins with questions (R10, R35, R36).
    private func add(
        _ exam: ExamRoom.ExamID, _ details: ExamRoom.Exam.Details,
        _ questions: [ExamRoom.Exam.InitialQuestion], _ metadata: EventMetadata
    ) {
        exams.update(exam) {
            $0.details = details
            $0.createdAt = metadata.moment
            $0.writer = .init(metadata.writer)
        }
        roster.update(.only) { $0.exams += 1 }
        banks.update(exam) { bank in
            bank.questions = questions.enumerated().map { place, initial in
                var question = ExamRoom.BankQuestion()
                question.question = initial.question
                question.content = initial.content
                question.image = initial.image
                question.first = Stamp(metadata)
                question.place = place
                return question
            }
        }
        for image in questions.compactMap(\.image) { bring(image) }
        recount(exam)
    }
}
