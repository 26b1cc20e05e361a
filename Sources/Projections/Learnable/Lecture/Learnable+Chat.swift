import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What was said about the current topic? (R17)
    static let chatView = ReadModel<State>(
        "learnable.chat", "What was said about the current topic?", key: "subject",
        keys: { $0.subjectKeys }, basis: .on(Grounds.subject)
    ) { state, request, output in
        guard let (subject, row) = state.subject(request.key) else { return false }
        let index = row.current ?? 0
        output.object { output in
            state.writeMessages(of: state.topic(subject, index).said, to: &output)
            output.member("topic", row.topic(at: index))
        }
        return true
    }
}

extension Learnable.TopicRow {
    /// The messages that are not erased, each with its blocks.
    var said: [(entry: Learnable.ChatEntry, blocks: Learnable.Blocks?)] {
        chat.enumerated().map { index, entry in
            (entry, chatBlocks.indices.contains(index) ? chatBlocks[index] : nil)
        }
    }
}

extension Learnable.State {
    func writeMessages(
        of said: [(entry: Learnable.ChatEntry, blocks: Learnable.Blocks?)],
        to output: inout JSONOutput
    ) {
        output.array("messages", said) { output, said in
            output.object { output in
                output.member("at", said.entry.at)
                output.member("blocks", said.blocks)
                output.member("from", said.entry.from)
                output.member("message", said.entry.message)
            }
        }
    }
}
