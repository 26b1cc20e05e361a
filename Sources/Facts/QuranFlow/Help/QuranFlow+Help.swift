package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A message to a coach.
    package struct MessageRow: Record {
        package var student = StudentID.none
        package var at = Instant.epoch
        package var coach: CoachID?
        package var deliveredTo: String?
        package var text: String?
        package var replies = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("at", &at)
            coder.field("coach", &coach)
            coder.field("deliveredTo", &deliveredTo)
            coder.kept("text", &text, of: student.symbol)
            coder.field("replies", &replies)
        }
    }

    /// A request to the support.
    package struct RequestRow: Record {
        package var student = StudentID.none
        package var at = Instant.epoch
        package var category = SupportRequest.Category.general
        package var text: String?
        package var replies = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("at", &at)
            coder.field("category", &category)
            coder.kept("text", &text, of: student.symbol)
            coder.field("replies", &replies)
        }
    }

    /// An answer to a message or a request; its number, from 0, is the second part of its key (R39).
    package struct ReplyRow: Record {
        package var student = StudentID.none
        package var reply = ReplyID.none
        package var at = Instant.epoch
        package var author = Help.Author.admin
        package var coach: CoachID?
        package var text: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("reply", &reply)
            coder.field("at", &at)
            coder.field("author", &author)
            coder.field("coach", &coach)
            coder.kept("text", &text, of: student.symbol)
        }
    }

    /// A call for help: a message to a coach or a request to the support.
    package struct HelpEntry: Record {
        package var message: MessageID?
        package var request: RequestID?

        package init() {}
    }
}

extension QuranFlow.State {
    static func helpRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Message.Sent.self) { state, event, metadata in
            let message: QuranFlow.MessageID = state.thing(of: metadata)
            guard state.students.contains(event.student) else { return }
            state.messages.update(message) {
                $0.student = event.student
                $0.at = metadata.at
                $0.coach = event.coach
                $0.deliveredTo = event.deliveredTo
                $0.text = event.text
            }
            state.students.updateExisting(event.student) { $0.messages.append(message) }
            var entry = QuranFlow.HelpEntry()
            entry.message = message
            state.list(entry)
        }
        routes.on(QuranFlow.Help.Replied.self) { $0.replied($1, $2) }
        routes.on(QuranFlow.SupportRequest.Requested.self) { state, event, metadata in
            let request: QuranFlow.RequestID = state.thing(of: metadata)
            guard state.students.contains(event.student) else { return }
            state.requests.update(request) {
                $0.student = event.student
                $0.at = metadata.at
                $0.category = event.category
                $0.text = event.text
            }
            state.students.updateExisting(event.student) { $0.requests.append(request) }
            var entry = QuranFlow.HelpEntry()
            entry.request = request
            state.list(entry)
        }
    }

    /// An answer is recorded on the stream of what it answers (R39).
    private func replied(_ event: QuranFlow.Help.Replied, _ metadata: EventMetadata) {
        var row = QuranFlow.ReplyRow()
        row.student = event.student
        row.reply = event.reply
        row.at = metadata.at
        row.author = event.author
        row.coach = event.coach
        row.text = event.text
        let message: QuranFlow.MessageID = thing(of: metadata)
        let request: QuranFlow.RequestID = thing(of: metadata)
        if names.text(metadata.stream).hasPrefix("quranflow/message/") {
            guard let count = messages.read(message, { $0.replies }) else { return }
            messages.update(message) { $0.replies += 1 }
            messageReplies.insert(row, at: .init(message, Ordinal(count)))
        } else {
            guard let count = requests.read(request, { $0.replies }) else { return }
            requests.update(request) { $0.replies += 1 }
            requestReplies.insert(row, at: .init(request, Ordinal(count)))
        }
    }

    /// The answers to a message, oldest first.
    package func replies(to message: QuranFlow.MessageID) -> [QuranFlow.ReplyRow] {
        (0..<(messages.read(message) { $0.replies } ?? 0)).compactMap {
            messageReplies[.init(message, Ordinal($0))]
        }
    }

    /// The answers to a support request, oldest first.
    package func replies(to request: QuranFlow.RequestID) -> [QuranFlow.ReplyRow] {
        (0..<(requests.read(request) { $0.replies } ?? 0)).compactMap {
            requestReplies[.init(request, Ordinal($0))]
        }
    }

    /// Forgets what an erased student wrote, and what they were answered (R2).
    func forget(_ message: QuranFlow.MessageID) {
        messages.updateExisting(message) { $0.text = nil }
        for number in 0..<(messages.read(message) { $0.replies } ?? 0) {
            messageReplies.updateExisting(.init(message, Ordinal(number))) { $0.text = nil }
        }
    }

    func forget(_ request: QuranFlow.RequestID) {
        requests.updateExisting(request) { $0.text = nil }
        for number in 0..<(requests.read(request) { $0.replies } ?? 0) {
            requestReplies.updateExisting(.init(request, Ordinal(number))) { $0.text = nil }
        }
    }

    /// Puts a call for help at the end of the list of all.
    private func list(_ entry: QuranFlow.HelpEntry) {
        let index = updateCatalogue { row in
            row.help += 1
            return row.help - 1
        }
        help.append(entry, to: .only, at: index)
    }
}
