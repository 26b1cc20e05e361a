import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// How far is the subject's generation? (R13)
    static let generationView = ReadModel<State>(
        "learnable.generation", "How far is the subject?", key: "subject",
        keys: { $0.subjectKeys }, basis: .on(Grounds.subject)
    ) { state, request, output in
        guard let (subject, row) = state.subject(request.key) else { return false }
        output.object { output in
            output.member("attempt", row.attempt)
            output.member("delivered", row.delivered)
            let message =
                switch row.state {
                case .generating: "Preparing \(row.delivered) of \(row.topics) topics"
                case .failed: "Generation failed"
                case .ready: "Ready"
                }
            output.member("message", message)
            output.member("percent", Percent(row.delivered, of: row.topics))
            output.member("reason", row.failure)
            output.member("state", row.state)
            output.member("subject", subject)
            output.member("title", state.title(of: subject, row))
            output.member("topics", row.topics)
        }
        return true
    }
}
