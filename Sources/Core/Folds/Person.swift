/// Somebody as `PRODUCT/ID`: the subject of an erasure, and the key of the shared models about people.
package struct Person: Hashable, Sendable {
    package let product: String
    package let id: String

    /// Nil for a text of another form.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, IdentifierForm.accepts(String(parts[1])) else {
            return nil
        }
        product = String(parts[0])
        id = String(parts[1])
    }

    package var text: String { "\(product)/\(id)" }

    /// Under what kinds of thing people are tagged, and under what kinds they act.
    private static let kinds = ["account", "admin", "coach", "student"]

    /// The texts under which the journal's lists have what is about them: tags and actors look alike.
    package var labels: [String] { Self.kinds.map { "\($0):\(id)" } }

    /// Whose key seals an event's personal fields: the first learner among its tags, else the first coach.
    package static func subject<ID>(ofTagged tags: [(kind: String, id: ID)]) -> ID? {
        (tags.first { $0.kind == "student" || $0.kind == "account" }
            ?? tags.first { $0.kind == "coach" })?.id
    }

    /// The lists in which every event about them stands, among others.
    package func lists(_ types: [PayloadType]) -> [EventList] {
        labels.flatMap { [EventList.tag($0), .actor($0)] }
            + types.filter { $0.product == product && $0.namesPeople }.map { .type($0.name) }
    }
}

/// Tells which events are about a person (ADR 0022): those whose subject they are, that bear their tag,
/// that they did themselves, and that name them in any other way.
package struct PersonMatch {
    private let person: Person
    private let names: Names
    private let subject: Symbol?
    private let labels: Set<UInt32>
    private let erasure: String

    package init(_ person: Person, _ names: Names) {
        self.person = person
        self.names = names
        subject = names.known(person.id)
        labels = Set(person.labels.compactMap { names.known($0)?.number })
        erasure = AccountErased.stream(product: person.product, id: person.id)
    }

    package func isAbout(_ event: EventEnvelope) -> Bool {
        // The same id may be somebody else's in another product.
        guard belongs(event) else { return false }
        let metadata = event.metadata
        if let subject, metadata.subject == subject { return true }
        if labels.contains(metadata.actor.number) { return true }
        if event.tags.contains(where: { labels.contains($0.number) }) { return true }
        return event.type.namesPeople && event.untaggedPeople(names).contains(person.id)
    }

    /// Whether what is personal in the event is the person's: under their own key, or under one of those
    /// that the product gave them in turn.
    package func owns(_ event: EventEnvelope) -> Bool {
        guard belongs(event) else { return false }
        let owner = event.metadata.subject
        return owner == subject || names.text(owner).hasPrefix("\(person.id)/")
    }

    /// Whether an event is of the person's product; an erasure is of the one that its stream names.
    package func belongs(_ event: EventEnvelope) -> Bool {
        if event.type.product == person.product { return true }
        return event.type.name == AccountErased.type
            && names.text(event.metadata.stream).hasPrefix("account/\(person.product)/")
    }

    /// Whether the event destroyed the person's key.
    package func isErasure(_ event: EventEnvelope) -> Bool {
        event.type.name == AccountErased.type
            && names.text(event.metadata.stream).isExactly(erasure)
    }
}
