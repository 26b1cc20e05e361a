package import Core

/// Everybody whom events are about, as ``PersonMatch`` tells it: the keys of the shared models about people. No product lists
/// them: an event may name somebody of whom it knows nothing else.
package struct KnownPersons {
    private let names: Names
    /// By product. Symbols, since most events name the same few again.
    private var subjects: [String: Set<Symbol>] = [:]
    private var labels: [String: Set<Symbol>] = [:]
    private var untagged: [String: Set<String>] = [:]

    package init(_ names: Names) { self.names = names }

    package mutating func note(_ event: EventEnvelope) {
        let product = product(of: event)
        subjects[product, default: []].insert(event.metadata.subject)
        labels[product, default: []].insert(event.metadata.actor)
        labels[product, default: []].formUnion(event.tags)
        guard event.type.namesPeople else { return }
        untagged[product, default: []].formUnion(event.untaggedPeople(names))
    }

    /// An erasure is of the product that its stream names.
    private func product(of event: EventEnvelope) -> String {
        guard event.type.name == AccountErased.type else { return event.type.product }
        let parts = names.text(event.metadata.stream).split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : event.type.product
    }

    /// `PRODUCT/ID`, in order.
    package var keys: [String] {
        var persons: Set<Person> = []
        for (product, symbols) in subjects {
            persons.formUnion(symbols.compactMap { Person("\(product)/\(names.text($0))") })
        }
        for (product, symbols) in labels {
            persons.formUnion(symbols.compactMap { person(named: names.text($0), of: product) })
        }
        for (product, ids) in untagged {
            persons.formUnion(ids.compactMap { Person("\(product)/\($0)") })
        }
        return persons.map(\.text).sorted { $0.precedes($1) }
    }

    /// Nil for a tag or an actor of another kind.
    private func person(named label: String, of product: String) -> Person? {
        let parts = label.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let person = Person("\(product)/\(parts[1])"),
            person.labels.contains(label)
        else { return nil }
        return person
    }
}
