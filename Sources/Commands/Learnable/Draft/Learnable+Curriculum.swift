import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Requests a curriculum ("Refresh"); an instruction refines the one at hand (R10).
    struct RequestCurriculum: Command {
        static let type = "learnable.curriculum.request"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var instruction: Body?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            guard let description = row.description else { throw .descriptionMissing }
            if instruction != nil, !row.hasCurriculum { throw .nothingToRefine }
            context.record(
                Curriculum.Requested(
                    student: row.student,
                    draft: draft,
                    request: row.requests + 1,
                    description: description,
                    preset: row.preset,
                    instruction: instruction), on: draft)
        }
    }

    /// The AI service's answer to the latest curriculum request (R10).
    struct ProposeCurriculum: Command {
        static let type = "learnable.curriculum.propose"
        func senders(in state: State) -> Senders { .service }
        var draft = DraftID.none
        var request = SignedInt(0)
        var title = Title.empty
        var chapters: [Chapter] = []

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            try request.check(latest: row.requests, delivered: row.proposed)
            if chapters.isEmpty || chapters.contains(where: \.topics.isEmpty) {
                throw .curriculumEmpty
            }
            context.record(
                Curriculum.Proposed(
                    student: row.student,
                    draft: draft,
                    request: request.value,
                    title: title,
                    chapters: chapters), on: draft)
        }
    }
}

extension SignedInt {
    /// A delivery must answer the latest request, and be the first to do so (R10).
    func check(latest: Int, delivered: Int) throws(Learnable.Rejection) {
        guard (1...max(1, latest)).contains(value), latest > 0 else { throw .noSuchRequest }
        if value < latest { throw .requestSuperseded }
        if delivered == latest { throw .alreadyDelivered }
    }
}
