public import Core

/// Which events a document rests on, found through the journal's indexes: what `--as-of` folds in place of
/// all that came before (ADR 0020).
///
/// The law: **the document from the basis alone equals the document from everything**, byte for byte, at
/// every position and instant, for every key. A basis may name more events than it must, never fewer. So
/// it holds
/// - every event that changes a row which the view reads, and
/// - every event that their handlers rely on: an attempt is folded only where its exam and its student are
///   known, so a view of an attempt needs the streams of both.
///
/// A model that reads timers, or rows that every event changes (`journal`, `roster`, `standings`), has no basis.
/// The test `A basis` holds every model to the law.
public struct Basis: Sendable {
    package let queries: [Query]

    private init(_ queries: [Query]) {
        self.queries = queries
    }

    /// What these queries find together.
    public static func on(_ queries: Query...) -> Basis { Basis(queries) }

    /// No event at all: for what is read from the history alone.
    public static let nothing = Basis([])

    /// Events, and those that are found through what they name.
    public struct Query: Sendable {
        package enum Source: Sendable {
            /// The stream `PRODUCT/NOUN/ID`.
            case stream(String)
            /// The stream of the person's erasure.
            case erasure
            /// The events that bear the tag `KIND:ID`.
            case tag(String)
            /// The events of these types, by wire name, whatever the id.
            case types([String])
        }

        package let sources: [Source]
        /// For each id of a kind that the tags of these events name, what is found with that id.
        package private(set) var followed: [(kind: String, queries: [Query])] = []

        private init(_ sources: [Source]) {
            self.sources = sources
        }

        // MARK: Places

        /// The stream `PRODUCT/NOUN/ID`. The id is the model's key, or what `each` found.
        public static func stream(_ noun: String) -> Query { Query([.stream(noun)]) }

        /// That the person with the id was erased.
        public static let erasure = Query([.erasure])

        /// The events tagged `KIND:ID`.
        public static func tag(_ kind: String) -> Query { Query([.tag(kind)]) }

        /// All events of the types.
        public static func types<each P: Payload>(_ types: repeat (each P).Type) -> Query {
            var names: [String] = []
            repeat names.append((each types).type)
            return Query([.types(names)])
        }

        /// All events of the types with these wire names.
        public static func types(named names: [String]) -> Query { Query([.types(names)]) }

        /// What several queries find, under one name.
        public static func all(_ queries: Query...) -> Query {
            var all = Query(queries.flatMap(\.sources))
            all.followed = queries.flatMap(\.followed)
            return all
        }

        /// Also what these queries find, with each id that the tags `KIND:ID` of the events name.
        public func each(_ kind: String, _ queries: Query...) -> Query {
            var following = self
            following.followed.append((kind, queries))
            return following
        }
    }
}

extension Basis {
    /// Every basis that lacks one query of this one, wherever it stands, with what is missing: for tests of
    /// tests.
    package var lacking: [(missing: String, basis: Basis)] {
        Query.lacking(queries).map { ($0.missing, Basis($0.rest)) }
    }
}

extension Basis.Query {
    fileprivate static func lacking(_ queries: [Self]) -> [(missing: String, rest: [Self])] {
        queries.indices.flatMap { index in
            var fewer = queries
            let query = fewer.remove(at: index)
            var found = [(missing: "\(query.sources)", rest: fewer)]
            for (place, next) in query.followed.enumerated() {
                for part in lacking(next.queries) {
                    var other = queries
                    other[index].followed[place].queries = part.rest
                    found.append(("\(next.kind) → \(part.missing)", other))
                }
            }
            return found
        }
    }
}
