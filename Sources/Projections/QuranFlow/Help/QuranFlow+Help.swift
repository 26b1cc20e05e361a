import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Who asked for help? The newest first.
    static let helpRequestsView = ReadModel<State>(
        "quranflow.help-requests", "Who asked for help?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let total = state.catalogue.help
        let shown = page.range(of: total)
        let entries = state.help.elements(
            of: .only, in: total - shown.upperBound..<total - shown.lowerBound)
        output.object { output in
            output.array("items", entries.reversed()) { state.write($1, to: &$0) }
            page.write(total: total, to: &output)
        }
        return true
    }
}

extension QuranFlow {
    /// What did I ask, and what was I answered (R39)? The newest first.
    static let helpView = ReadModel<State>(
        "quranflow.help", "What did I ask, and what was I answered?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys },
        basis: .on(Grounds.life)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let calls =
            learner.row.messages.compactMap { id in
                state.messages[id].map { Call(message: id, $0, state) }
            }
            + learner.row.requests.compactMap { id in
                state.requests[id].map { Call(request: id, $0, state) }
            }
        let sorted = calls.sorted { left, right in
            if left.at != right.at { return left.at > right.at }
            if left.id != right.id { return left.id.precedes(right.id) }
            return left.kind.precedes(right.kind)
        }
        output.object { output in
            output.array("items", sorted[page.range(of: sorted.count)]) { output, call in
                call.write(learner, to: &output)
            }
            page.write(total: sorted.count, to: &output)
            output.member("student", learner.id)
        }
        return true
    }

    /// A message to a coach or a support request, as its student sees it.
    private struct Call {
        let id: String
        let kind: String
        let at: Instant
        private let category: SupportRequest.Category?
        private let text: String?
        private let replies: [ReplyRow]

        init(message: MessageID, _ row: MessageRow, _ state: State) {
            id = state.text(message)
            kind = "coach-message"
            at = row.at
            category = nil
            text = row.text
            replies = state.replies(to: message)
        }

        init(request: RequestID, _ row: RequestRow, _ state: State) {
            id = state.text(request)
            kind = "support"
            at = row.at
            category = row.category
            text = row.text
            replies = state.replies(to: request)
        }

        func write(_ learner: Learner, to output: inout JSONOutput) {
            output.object { output in
                output.member("answered", !replies.isEmpty)
                output.time("at", at, learner.formatter)
                output.member("category", category)
                output.member("id", id)
                output.member("kind", kind)
                output.array("replies", replies) { output, reply in
                    output.object { output in
                        output.time("at", reply.at, learner.formatter)
                        output.member("author", reply.author)
                        output.member("name", learner.state.name(reply.coach))
                        output.member("reply", reply.reply)
                        output.member("text", reply.text)
                    }
                }
                output.member("text", text)
            }
        }
    }
}

extension QuranFlow.State {
    fileprivate func write(_ entry: QuranFlow.HelpEntry, to output: inout JSONOutput) {
        let message = entry.message.flatMap { messages[$0] }
        let request = entry.request.flatMap { requests[$0] }
        let student = message?.student ?? request?.student ?? .none
        output.object { output in
            output.member("answered", (message?.replies ?? request?.replies ?? 0) > 0)
            output.member("at", message?.at ?? request?.at)
            output.member("category", request?.category)
            output.member("coach", message?.coach)
            output.member("deliveredTo", message?.deliveredTo)
            output.member("id", entry.message.map { text($0) } ?? entry.request.map { text($0) })
            output.member("kind", message == nil ? "support" : "coach-message")
            output.member("name", people[.init(student)]?.name)
            output.member("student", student)
            output.member("text", message?.text ?? request?.text)
        }
    }
}
