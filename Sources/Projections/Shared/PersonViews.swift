import Core

extension SharedReadModel {
    /// All that the journal holds about one person, whole and oldest first: what a data-access request
    /// is answered with. It is not paged, so that nobody hands out a part as the whole.
    static let auditSubject = SharedReadModel(
        name: "audit.subject", question: "What does the journal hold about this person?",
        key: "person", arguments: [], basis: .nothing
    ) { request, output in
        guard let person = Person(request.view.key) else { return false }
        let history = request.view.history
        let match = PersonMatch(person, output.names)
        var total = 0
        var erasedAt: Instant?
        output.object { output in
            output.json.key("entries")
            output.json.beginArray()
            history.forEach(at: history.positions(in: person.lists(request.types))) { event in
                guard match.isAbout(event) else { return true }
                total += 1
                if match.isErasure(event) { erasedAt = erasedAt ?? event.metadata.at }
                EventDocument.write(event, .summarized, to: &output)
                return true
            }
            output.json.endArray()
            output.member("erasedAt", erasedAt)
            output.member("person", person.text)
            output.member("total", total)
        }
        return total > 0
    }

    /// The same events with a sentence each, newest first, 50 a page.
    static let personTimeline = SharedReadModel(
        name: "person.timeline", question: "What did this person do, and what happened to them?",
        key: "person", arguments: ["page"], basis: .nothing
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        guard let person = Person(request.view.key) else { return false }
        let history = request.view.history
        let match = PersonMatch(person, output.names)
        let found = FoundEvents(
            in: person.lists(request.types), of: history, where: match.isAbout)
        guard found.count > 0 else { return false }
        output.object { output in
            output.member("person", person.text)
            found.writeNewest("entries", page, history, to: &output) {
                EventDocument.write($1, .entry, to: &$0)
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }
}
