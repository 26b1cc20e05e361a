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

    /// An exam that begins with questions: a draft, all that it has from one event.
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
}
