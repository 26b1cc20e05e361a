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

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("at", &at)
            coder.field("coach", &coach)
            coder.field("deliveredTo", &deliveredTo)
            coder.kept("text", &text, of: student.symbol)
        }
    }

    /// A request to the support.
    package struct RequestRow: Record {
        package var student = StudentID.none
        package var at = Instant.epoch
        package var category = SupportRequest.Category.general
        package var text: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("at", &at)
            coder.field("category", &category)
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

    /// Puts a call for help at the end of the list of all.
    private func list(_ entry: QuranFlow.HelpEntry) {
        let index = updateCatalogue { row in
            row.help += 1
            return row.help - 1
        }
        help.append(entry, to: .only, at: index)
    }
}
