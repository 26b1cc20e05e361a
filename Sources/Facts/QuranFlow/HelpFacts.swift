package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
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

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("message", &message)
            coder.field("request", &request)
        }
    }
}

extension QuranFlow.Programme {
    static func helpRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.Message.Sent.self) { programme, fact, event in
            let message: QuranFlow.MessageID = programme.thing(of: event)
            guard programme.students.contains(fact.student) else { return }
            programme.messages.update(message) {
                $0.student = fact.student
                $0.at = event.at
                $0.coach = fact.coach
                $0.deliveredTo = fact.deliveredTo
                $0.text = fact.text
            }
            programme.students.updateExisting(fact.student) { $0.messages.append(message) }
            var entry = QuranFlow.HelpEntry()
            entry.message = message
            programme.list(entry)
        }
        routes.on(QuranFlow.SupportRequest.Requested.self) { programme, fact, event in
            let request: QuranFlow.RequestID = programme.thing(of: event)
            guard programme.students.contains(fact.student) else { return }
            programme.requests.update(request) {
                $0.student = fact.student
                $0.at = event.at
                $0.category = fact.category
                $0.text = fact.text
            }
            programme.students.updateExisting(fact.student) { $0.requests.append(request) }
            var entry = QuranFlow.HelpEntry()
            entry.request = request
            programme.list(entry)
        }
    }

    private func list(_ entry: QuranFlow.HelpEntry) {
        let place = catalogue { row in
            row.help += 1
            return row.help - 1
        }
        help.append(entry, to: .only, at: place)
    }
}
