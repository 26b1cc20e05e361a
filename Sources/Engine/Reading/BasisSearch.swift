import EventLog
import Core
import Projections

/// Finds the events of a basis in the journal (ADR 0020).
struct BasisSearch {
    private let session: Session
    private let snapshot: JournalSnapshot
    private let scope: Scope
    private let product: String
    /// More events than this are not worth finding one by one.
    private let limit: UInt64
    private var found: [Position] = []
    private var visited: Set<String> = []
    private var places: Set<String> = []

    /// Ascending positions; some of them may be of events that the scope does not count. Nil when there
    /// are too many: folding everything costs less.
    static func positions(
        of basis: Basis, key: String, product: String, _ session: Session,
        _ snapshot: JournalSnapshot, _ scope: Scope, limit: UInt64
    ) throws -> [Position]? {
        var search = BasisSearch(session, snapshot, scope, product, limit)
        for query in basis.queries {
            guard try search.take(query, id: key) else { return nil }
        }
        // Streams, tags and types list the same event each.
        search.found.sort()
        var last = Position.zero
        return search.found.filter { position in
            defer { last = position }
            return position != last
        }
    }

    /// The places of a basis: streams, tags and types whose next event may change the document. Nil when they are too
    /// many, or too many events name them.
    ///
    /// As long as no event comes to one of them, the basis finds the same events: what it follows is named by events that
    /// it has found already.
    static func places(
        of basis: Basis, key: String, product: String, _ session: Session,
        _ snapshot: JournalSnapshot, _ scope: Scope, limit: UInt64
    ) throws -> Set<String>? {
        var search = BasisSearch(session, snapshot, scope, product, limit)
        for query in basis.queries {
            guard try search.note(query, id: key) else { return nil }
        }
        return UInt64(search.places.count) <= limit ? search.places : nil
    }

    private mutating func note(_ query: Basis.Query, id: String) throws -> Bool {
        for source in query.sources {
            switch source {
            case .stream, .erasure: places.insert(Place.stream(name(of: source, id: id)))
            case .tag: places.insert(Place.tag(name(of: source, id: id)))
            case .types(let types):
                guard types.allSatisfy({ !$0.hasSuffix("*") }) else { return false }
                places.formUnion(types.map(Place.type))
            }
        }
        if query.followed.isEmpty { return true }
        let own = try query.sources.flatMap { try positions(at: $0, named: name(of: $0, id: id)) }
        guard UInt64(own.count) <= limit, UInt64(places.count) <= limit else { return false }
        let ids = try ids(of: query.followed.map(\.kind), at: own)
        for (kind, queries) in query.followed {
            for id in ids[kind] ?? [] {
                for query in queries {
                    guard try note(query, id: id) else { return false }
                }
            }
        }
        return true
    }

    private init(
        _ session: Session, _ snapshot: JournalSnapshot, _ scope: Scope, _ product: String,
        _ limit: UInt64
    ) {
        self.session = session
        self.snapshot = snapshot
        self.scope = scope
        self.product = product
        self.limit = limit
    }

    /// False when there is too much of it.
    private mutating func take(_ query: Basis.Query, id: String) throws -> Bool {
        var own: [Position] = []
        for place in query.sources {
            let name = name(of: place, id: id)
            // Many attempts have one student: what is found there is found once. A query that is
            // followed is walked each time, since another one of the same place may not be.
            if query.followed.isEmpty, !visited.insert(name).inserted { continue }
            own += try positions(at: place, named: name)
            guard UInt64(found.count + own.count) <= limit else { return false }
        }
        found += own
        if query.followed.isEmpty { return true }
        let ids = try ids(of: query.followed.map(\.kind), at: own)
        for (kind, queries) in query.followed {
            for id in ids[kind] ?? [] {
                for query in queries {
                    guard try take(query, id: id) else { return false }
                }
            }
        }
        return true
    }

    private func name(of place: Basis.Query.Source, id: String) -> String {
        switch place {
        case .stream(let noun): "\(product)/\(noun)/\(id)"
        case .erasure: AccountErased.stream(product: product, id: id)
        case .tag(let kind): "\(kind):\(id)"
        case .types(let types): types.joined(separator: " ")
        }
    }

    private func positions(
        at place: Basis.Query.Source, named name: String
    ) throws -> [Position] {
        let (kind, numbers): (PostingKind, [UInt32]) =
            switch place {
            case .stream, .erasure: (.stream, known(name))
            case .tag: (.tag, known(name))
            case .types(let types):
                (.type, types.flatMap { session.types.numbers(matching: $0).map { UInt32($0) } })
            }
        return try numbers.flatMap {
            try snapshot.positions(of: kind, $0, through: scope.through)
        }
    }

    private func known(_ text: String) -> [UInt32] {
        session.names.known(text).map { [$0.number] } ?? []
    }

    /// The ids in the tags of the events that count, by kind, sorted.
    private func ids(
        of kinds: [String], at positions: [Position]
    ) throws -> [String: [String]] {
        var tags: Set<Symbol> = []
        try snapshot.forEachEvent(at: positions.sorted()) { event, _ in
            if scope.counts(event) { tags.formUnion(event.tags) }
            return true
        }
        var ids: [String: [String]] = [:]
        for tag in tags {
            let parts = session.names.text(tag).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, kinds.contains(String(parts[0])) else { continue }
            ids[String(parts[0]), default: []].append(String(parts[1]))
        }
        return ids.mapValues { $0.sorted { $0.precedes($1) } }
    }
}
