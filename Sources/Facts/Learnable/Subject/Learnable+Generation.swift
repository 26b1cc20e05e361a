import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func generationRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Generation.Requested.self) { state, event, metadata in
            state.subjectWords.update(event.subject) {
                $0.person = InternedText(metadata.subject)
                $0.title = event.title
                $0.chapters = event.chapters
            }
            let access = state.access(of: event.student, at: metadata.at)
            state.add(event.subject, of: event.student) {
                $0.wasMadeWithoutAccess = access == .none
                $0.chapterTopics = Learnable.topicCounts(event.chapterTopics)
                $0.addOns = event.addOns
                $0.content = event.subject
            }
        }
        routes.on(Learnable.Generation.Completed.self) { state, event, _ in
            guard let epoch = state.subjects.read(event.subject, { $0.epoch }) else { return }
            state.subjects.updateExisting(event.subject) { $0.state = .ready }
            state.epochs.updateExisting(epoch) { $0.generated += 1 }
        }
        routes.on(Learnable.Generation.Failed.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) {
                $0.state = .failed
                $0.failure = event.reason
            }
        }
        routes.on(Learnable.Generation.Retried.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) {
                $0.state = .generating
                $0.failure = nil
                $0.attempt = event.attempt
            }
        }
    }
}
