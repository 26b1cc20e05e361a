import Core
import EventLog
import Projections

/// Where an event stands, as a text: its stream, each of its tags, its type.
package enum Place {
    package static func stream(_ name: String) -> String { "s" + name }
    package static func tag(_ name: String) -> String { "t" + name }
    package static func type(_ name: String) -> String { "y" + name }
}

/// What a document of the present hangs on.
package enum Grounds: Sendable {
    /// Any further event may change it.
    case everything
    /// No event but at one of these places changes it (``Place``).
    case places(Set<String>)
}

extension EventEngine {
    /// What a read model says now, and which further events may change that.
    package func groundedShow(
        _ model: String, key: String? = nil, _ request: ShowRequest
    ) async throws(EngineError) -> (document: Document, grounds: Grounds) {
        try await read { try $0.groundedShow(model, key, request) }
    }

    /// Whether an event of the type makes what was personal of somebody null, wherever it stands.
    package func destroysKey(_ type: String) -> Bool { registry.keyDestroying.contains(type) }

    /// The places of the events behind a position; nil if there are more than `limit`, or somebody was erased: their values
    /// stand anywhere.
    package func places(
        after position: Position, atMost limit: Int
    ) throws(EngineError) -> (places: Set<String>, through: Position)? {
        try whileOpen {
            let snapshot = try journal.snapshot()
            let head = snapshot.head.position
            guard head.number <= position.number + UInt64(limit) else { return nil }
            guard head > position else { return ([], position) }
            let names = Names(
                source: JournalSymbols(journal), stored: snapshot.head.symbolCount)
            let types = try JournalTypes(snapshot.types(), registry)
            var places: Set<String> = []
            var isErasure = false
            try snapshot.forEachEvent(from: position + 1, through: head) { event, _ in
                places.insert(Place.stream(names.text(event.stream)))
                for tag in event.tags { places.insert(Place.tag(names.text(tag))) }
                if let type = types[event.type] {
                    places.insert(Place.type(type.payload.name))
                    isErasure = isErasure || destroysKey(type.payload.name)
                }
                return true
            }
            return isErasure ? nil : (places, head)
        }
    }
}

extension Reader {
    /// More places than this are not worth keeping with a document.
    private static let mostPlaces: UInt64 = 128

    fileprivate func groundedShow(
        _ model: String, _ key: String?, _ request: ShowRequest
    ) throws -> (document: Document, grounds: Grounds) {
        let looks = Looks()
        let document = try show(model, key, request, looks: looks).document
        let description = try check(model, key, request.arguments)
        // What somebody may see hangs on more than the model's basis.
        guard request.asOf == nil, request.knownAt == nil, request.viewer == nil,
            !looks.atJournal, !looks.atPresent || request.now != nil,
            let basis = description.basis, !description.product.isEmpty,
            let position = document.position
        else { return (document, .everything) }
        let snapshot = try journal.snapshot()
        let session = try present(snapshot, registry.products(of: [description]))
        let places = try session.lookingUp {
            try BasisSearch.places(
                of: basis, key: key ?? "", product: description.product, session, snapshot,
                Scope(through: position), limit: Self.mostPlaces)
        }
        return (document, places.map { .places($0) } ?? .everything)
    }
}
